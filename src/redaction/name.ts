import { isClearFirstName, isFirstName, isSurname } from './first-names.ts';
import { isCommonWord, isOrdinary } from './ordinary-words.ts';
import { mergeSpans, type Span } from './span.ts';

/** "my name is" in several languages: the following words are always a name. */
const introduction =
  /(?<![\p{L}\p{N}])(?:my (?:full |first |last |given |real )?name(?: is|['’]?s(?=\s)|\s?:|\s?=)|(?:call me|named|by the name of)(?=\s\p{Lu})|(?:(?:full|first|last|customer|client|contact|account ?holder|cardholder|card ?holder|passenger|sender|recipient|guest|patient|agent|user ?full)[ _-]?name|^name)\s?[:=]|^name is|mein (?:voller |vor|nach)?name (?:ist|lautet)|ich hei(?:ß|ss)e|(?:vorname|nachname|kundenname|ansprechpartner(?:in)?)\s?:|je m['’]appelle|(?:mon|le) (?:nom|prénom)(?: complet)? (?:est|:)|nom\s?:|prénom\s?:|me llamo|mi nombre(?: completo)? es|nombre\s?:|mi chiamo|il mio nome è|nome\s?:|(?:o )?meu nome é|me chamo|chamo-me|mijn naam is|ik heet|jag heter|mitt namn är|jeg h[eo]d?ter|jeg hedder|mit navn er|nazywam się|mam na imię|benim adım|меня зовут|мо[её] имя|мене звати)\s{0,2}/gimu;
/** "I am": the following words are a name only if they look like one. */
const presentation =
  /(?<=^|[.!?,;:–—\n(-]\s{0,3}|\b(?:hi|hello|hey|hallo|bonjour|hola|and|team)\s)(?:this is|i am|i['’]m|it['’]s|ich bin(?: die| der)?|hier (?:ist|spricht|schreibt)(?: die| der)?|je suis|c['’]est|ici|soy|habla|les escribe|sono|sou(?: o| a)?|aqui é|ik ben|här är)\s{1,2}(?=\p{L})/gimu;
const greeting =
  /(?<=^|[.!?;:,\n–—-]\s{0,3}|["“])(?:hi+|hello|hey|hiya|dear|greetings|hallo|hello again|hi there|hi again|good (?:morning|afternoon|evening|day)|guten (?:tag|morgen|abend)|moin|servus|grüezi|liebe[rs]?|sehr geehrte[rs]?|bonjour|bonsoir|salut|coucou|chère?s?|hola|buenos días|buenas(?: tardes| noches)?|estimad[oa]|querid[oa]|ciao|salve|buongiorno|buonasera|gentile|car[oa]|olá|oi|bom dia|boa tarde|prezad[oa]|beste|hoi|geachte|goedemorgen|goedemiddag|hej|hei|ok(?:ay)?|yes|no|sorry|well|great|perfect|welcome)[ \t]{1,2}(?=\p{L})/gimu;
const greetingComma =
  /(?<=^|[.!?;:\n]\s{0,3})(?:hi+|hello|hey|hallo|bonjour|hola|ciao|olá),[ \t]{1,2}(?=\p{Lu})/gimu;
const thanks =
  /(?<![\p{L}\p{N}])(?:thanks(?: (?:again|so much|a lot|a million|very much|in advance|for (?:your|the|all|all your) (?:help|support|time|answer|reply)))?|many thanks|thank you(?: (?:again|so much|very much|in advance|for (?:your|the) (?:help|support|time)))?|thx|ty|cheers|danke(?: schön| sehr| vielmals| dir| ihnen)?|vielen dank(?: im voraus)?|besten dank|merci(?: beaucoup| d['’]avance)?|(?:muchas )?gracias(?: de antemano)?|grazie(?: mille)?|(?:muito )?obrigad[oa]|bedankt|dank (?:je|u)(?: wel)?|bye|goodbye|see you|tschüss)\s{0,2}[,!.–—-]{0,2}[ \t]{1,2}(?=\p{L})/giu;
/** The words at the end of a letter. A name follows on the same line or on one of the next lines. */
const closing =
  /(?<=^|[.!?,;\n–—-]\s{0,3})(?:(?:(?:with )?(?:best|kind|kindest|warm|warmest|many|friendly|cordial|my best) (?:regards|wishes|greetings)|regards|best|cheers|(?:yours )?(?:sincerely|truly|faithfully|respectfully)(?: yours)?|yours|(?:many )?thanks(?: (?:again|so much|a lot|in advance|and (?:best |kind )?regards))?|thank you(?: (?:again|so much|very much|in advance))?|take care|respectfully|love|mit (?:freundlichen|besten|lieben|herzlichen|vielen) grü(?:ß|ss)en|mit freundlichem gru(?:ß|ss)|(?:viele|liebe|beste|schöne|freundliche|herzliche|sonnige) grü(?:ß|ss)e(?: aus \p{Lu}\p{L}{2,20})?|gru(?:ß|ss)|grü(?:ß|ss)e|lg|mfg|vg|danke|vielen dank(?: im voraus)?|besten dank|(?:bien )?(?:très )?cordialement|bien à vous|bien à toi|sincères salutations|salutations(?: distinguées)?|meilleures salutations|merci(?: d['’]avance| beaucoup)?|bonne journée|amicalement|(?:un |cordiales |muchos |atentos )?saludos?(?: cordiales)?|atentamente|un abrazo|abrazos|(?:muchas )?gracias(?: de antemano)?|(?:cordiali|distinti|cari) saluti|saluti|grazie(?: mille)?|atenciosamente|cumprimentos|com os melhores cumprimentos|abraços?|(?:muito )?obrigad[oa]|(?:met )?(?:vriendelijke|hartelijke) groet(?:en)?|groet(?:en|jes)?|mvg|med vänliga hälsningar|hälsningar|mvh|sent by|signed|gez\.)(?:\s{0,2}[,.!–—-]{0,2}\s{0,3}\n\s{0,4}|\s{0,2},\s{1,3}|[ \t]{1,2}(?=\p{Lu})))/gimu;
const relation =
  /(?<![\p{L}\p{N}])(?:(?:spoke|speaking|talked|talking|chatted|chatting|spoken|dealt|dealing|chat|corresponded|call|conversation|session) (?:to|with)|(?:agent|rep|representative|colleague|supervisor|manager|advisor|adviser|employee|technician|operator|assistant|wife|husband|son|daughter|brother|sister|boss|coworker|co-worker|friend|guy|lady|woman|man|person|someone|girl|gentleman)(?:,| is| was)?(?: named| called)?|assigned to|signed(?: by)?|attn\.?:?|kolleg(?:e|in)|mitarbeiter(?:in)?|sachbearbeiter(?:in)?|gesprochen mit|telefoniert mit|collègue|conseill(?:er|ère)|parlé (?:à|avec)|hablé con|atendió|agente|parlato con|falei com|gesproken met)\s{1,2}(?=\p{Lu})/gu;
const title =
  /(?<![\p{L}\p{N}])(?:Mr|Mrs|Ms|Miss|Mx|Sir|Dame|Dr|Prof|Professor|Rev|Herrn?|Hr|Frau|Fr|Mme|Mlle|Monsieur|Madame|Señor|Señora|Señorita|Sra?|Don|Doña|Signora?|Sig|Dott|Senhora?|Dhr|Mevr|Mevrouw|Meneer|Pan|Pani)\.?\s{1,2}(?:(?:Dr|Prof|Mag|Ing)\.?\s{1,2})?(?=\p{Lu})/gu;
const chinese =
  /(?<=我叫|我的名字(?:是|叫))[\p{Script=Han}·]{2,4}|[\p{Script=Han}\p{Script=Katakana}ー]{1,8}(?=と申します|です。よろしく)/gu;

const wordAt = /\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*/uy;
const capitalized = /(?<![\p{L}\p{N}@#/_.-])\p{Lu}[\p{L}\p{M}]+(?:['’-]\p{L}[\p{L}\p{M}]*)*/gu;
const particles: ReadonlySet<string> = new Set(
  'de da do dos das del della di du des la le les van von vom zu zum zur den der ten ter bin ibn bint al el ben st mc mac y e'.split(
    ' ',
  ),
);
const maxWords = 4;

interface NameMatch extends Span {
  readonly words: readonly string[];
}

/** The accepted spelling of a name at a place. */
interface NameForm {
  /** Whether lower case is accepted. */
  readonly lower?: boolean;
}

/** Reads a name of up to four words at an index: each with a capital letter, an initial, or a particle such as "van". */
function readName(text: string, from: number, { lower = false }: NameForm = {}): NameMatch | undefined {
  const words: string[] = [];
  let to = from;
  let at = from;
  while (words.length < maxWords) {
    wordAt.lastIndex = at;
    const word = wordAt.exec(text)?.[0];
    if (word === undefined) break;
    const isCapital = /^\p{Lu}/u.test(word);
    const isParticle = !isCapital && particles.has(word.toLowerCase());
    const isInitial = word.length === 1 && isCapital && word !== 'I';
    if (!isInitial && !(isParticle && words.length > 0)) {
      if (!isCapital && !lower && !/^[\p{Script=Han}]/u.test(word)) break;
      if (word.length < 2 || !isNameWord(word, words.length > 0)) break;
    }
    words.push(word);
    const next = at + word.length + (isInitial && text[at + word.length] === '.' ? 1 : 0);
    if (!isParticle) to = next;
    if (!/[ \u00a0]/.test(text.charAt(next))) break;
    at = next + 1;
  }
  const kept = to === from ? [] : words;
  return kept.length === 0 || (kept.length === 1 && (kept[0]?.length ?? 0) < 2)
    ? undefined
    : { from, to: trimPossessive(text, from, to), words: kept };
}

/** Whether a word can be the first word of a name, or one after it. */
function isNameWord(word: string, isLater: boolean): boolean {
  const isCapital = /^\p{Lu}/u.test(word);
  if (isLater && isCapital) return !isCommonWord(word) || isSurname(word);
  return !isOrdinary(word) || (isCapital && isFirstName(word));
}

function trimPossessive(text: string, from: number, to: number): number {
  return /['’]s$/.test(text.slice(from, to)) ? to - 2 : to;
}

const clauseEnd = /^\s{0,2}(?:$|[,.!?;:)"”–—\n-])/u;
const afterIntroduction =
  /^\s{0,2}(?:$|[,.!?;:)"”–—\n-]|(?:and|but|i|i['’]m|my|from|with|here|the|ssn|account|address|phone|email|und|ich|y|mi|et|je|e|en)(?!\p{L}))/iu;
const signEnd = /^[ \t]{0,2}(?:$|[,.!;)"”–—\n|(-])/u;
const afterPresentation =
  /^\s{0,2}(?:$|[,.!;:)\n–—-]|(?:from|here|with|of|at|and|calling|speaking|again|writing|aus|von|und|de|from|y|e|van|en|da|di)(?!\p{L}))/u;

type Rule = (text: string, from: number) => NameMatch | undefined;

const rules: readonly (readonly [RegExp, Rule])[] = [
  [introduction, readIntroduced],
  [presentation, readPresented],
  [greeting, (text, from) => readAddressed(text, from, clauseEnd)],
  [greetingComma, (text, from) => ifFirstName(readName(text, from))],
  [thanks, (text, from) => readAddressed(text, from, signEnd)],
  [closing, readSigned],
  [relation, readRelated],
  [title, (text, from) => readName(text, from)],
];

/**
 * Finds names of people: after an introduction, a greeting, thanks, a title or the end of a letter, and common first names with
 * the capitalized words after them.
 */
export function findNames(text: string): Span[] {
  const spans: Span[] = [];
  for (const [pattern, read] of rules)
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const name = read(text, index + found.length);
      if (name !== undefined) spans.push(name);
    }
  for (const { 0: found, index } of text.matchAll(chinese))
    spans.push({ from: index, to: index + found.length });
  spans.push(...findFirstNames(text));
  return mergeSpans(spans);
}

function ifFirstName(name: NameMatch | undefined): NameMatch | undefined {
  return name !== undefined && isFirstName(name.words[0] ?? '') ? name : undefined;
}

/**
 * Reads a name after an introduction. Lower case is accepted only if the text after it can follow a name: the end of the clause
 * or another common word.
 */
function readIntroduced(text: string, from: number): NameMatch | undefined {
  const capital = readName(text, from);
  if (capital !== undefined) return capital;
  const name = readName(text, from, { lower: true });
  if (name === undefined) return undefined;
  const [first = ''] = name.words;
  const isWhole = name.words.length <= 3 && afterIntroduction.test(text.slice(name.to));
  if (isFirstName(first)) return isWhole ? name : { ...name, to: from + first.length };
  return isWhole ? name : undefined;
}

function readPresented(text: string, from: number): NameMatch | undefined {
  const name = readName(text, from);
  if (name === undefined) {
    const lower = readName(text, from, { lower: true });
    const [first = ''] = lower?.words ?? [];
    return lower !== undefined && isClearFirstName(first) && afterPresentation.test(text.slice(lower.to))
      ? lower
      : undefined;
  }
  const after = text.slice(name.to);
  const [first = '', second] = name.words;
  if (isFirstName(first))
    return isClearFirstName(first) || second !== undefined || afterPresentation.test(after)
      ? name
      : undefined;
  if (second !== undefined) return afterPresentation.test(after) ? name : undefined;
  const isNationality = /(?:an|ish|ese|ic|er|isch|ais|és|o)$/i.test(first);
  return /^\s(?:from|here|calling|speaking)(?!\p{L})/u.test(after) &&
    !isNationality &&
    /^\p{Lu}\p{Ll}+$/u.test(first)
    ? name
    : undefined;
}

/** Reads the name of the person in a greeting or thanks. */
function readAddressed(text: string, from: number, end: RegExp): NameMatch | undefined {
  const name = readName(text, from);
  if (name === undefined) {
    const lower = readName(text, from, { lower: true });
    const [first = ''] = lower?.words ?? [];
    if (lower === undefined || !isClearFirstName(first)) return undefined;
    return end.test(text.slice(lower.to, lower.to + 6)) ? lower : { ...lower, to: from + first.length };
  }
  if (end.test(text.slice(name.to, name.to + 6))) return isAcronym(name) ? undefined : name;
  return ifFirstName(name);
}

/** Reads a signature, which must be the whole line. */
function readSigned(text: string, from: number): NameMatch | undefined {
  const isOwnLine = text.slice(Math.max(0, from - 5), from).includes('\n');
  const name = readName(text, from, { lower: isOwnLine });
  if (name === undefined || isAcronym(name)) return undefined;
  return signEnd.test(text.slice(name.to, name.to + 6)) ? name : ifFirstName(readName(text, from));
}

function readRelated(text: string, from: number): NameMatch | undefined {
  const name = readName(text, from);
  if (name === undefined || isAcronym(name)) return undefined;
  const isNamed =
    /(?:named|called|\b(?:[Yy]our|[Oo]ur|[Mm]y|an?|the|is|was|[Ii]hre?|[Mm]eine?) (?:support )?\p{L}{3,14}),?\s{1,2}$/u.test(
      text.slice(Math.max(0, from - 32), from),
    );
  return isNamed || name.words.length > 1 ? name : ifFirstName(name);
}

/** Whether a name is one word in capital letters, such as API. */
function isAcronym({ words }: NameMatch): boolean {
  return words.length === 1 && /^\p{Lu}{2,5}$/u.test(words[0] ?? '') && !isFirstName(words[0] ?? '');
}

/** Returns common first names anywhere, with the capitalized words after them; ambiguous ones only with a common surname. */
function findFirstNames(text: string): NameMatch[] {
  const found: NameMatch[] = [];
  let done = 0;
  for (const { 0: word, index } of text.matchAll(capitalized)) {
    if (index < done || !isFirstName(word.replace(/['’]s$/, ''))) continue;
    if (
      /(?:San|Santa|Santo|São|Sao|St\.?|Saint|Sankt|Port|Fort|Lake|Mount|El|Los) $/.test(
        text.slice(Math.max(0, index - 7), index),
      )
    )
      continue;
    const name = readName(text, index);
    if (name === undefined) continue;
    const isClear = isClearFirstName(word.replace(/['’]s$/, ''));
    if (!isClear && !name.words.slice(1).some((each) => isSurname(each))) continue;
    found.push(name);
    done = name.to;
  }
  return found;
}
