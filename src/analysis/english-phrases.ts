/**
 * What a phrase is: a wish is an imperative, a problem tells what is wrong, a topic names a thing; a question and any other
 * sentence are kept as they are.
 */
export type PhraseKind = 'wish' | 'problem' | 'topic' | 'question' | 'other';

interface Rephrased {
  readonly text: string;
  readonly kind: PhraseKind;
}

/** Pieces of patterns, by name: `{i}` in a pattern stands for the piece `i`. */
const pieces: Readonly<Record<string, string>> = {
  i: "(?:i|we|i'm|im|we're|i've|we've|i'd|we'd)",
  person: '(?:i|we|you|u|one|someone|somebody|anyone|people|they|customers|users)',
  pronoun: '(?:i|it|you|they|we|he|she|this|that|there)',
  you: '(?:you|u|someone|somebody|anyone|anybody)',
  be: "(?:is|are|was|were|am|'s|'re|'m)",
  adverbs:
    '(?:(?:accidentally|actually|already|also|currently|just|kindly|maybe|now|only|please|pls|possibly|really|recently|simply|still) )*',
  articles: '(?:(?:a|all|an|any|exactly|my|our|some|the|these|this|your) )*',
  about: '(?:(?:about|as to|concerning|for|if|in|of|on|regarding|that|to|whether|with|you) )?',
  wants:
    '(?:hope|hoping|like|look|looking|love|need|needs|plan|planning|prefer|supposed|try|trying|tried|want|wanting|wants|wish|going|have|required|interested|willing)',
  verbs:
    '(?:access|activate|add|apply|ask|block|book|bring|build|buy|calculate|call|cancel|change|check|choose|claim|clear|close|compare|complete|configure|confirm|connect|contact|convert|cook|create|deactivate|delete|deposit|disable|dispute|download|draw|drive|edit|enable|exchange|export|file|fill|find|fix|flip|fly|forward|freeze|get|give|have|hear|hold|import|include|increase|insert|install|invite|join|keep|know|learn|leave|link|listen|look|lower|make|modify|move|mute|open|order|pause|pay|pick|place|play|post|prepare|print|pull|purchase|push|put|raise|read|receive|recover|reduce|refill|register|remind|remove|rename|renew|repair|repeat|replace|reply|report|request|reschedule|reserve|reset|restore|resume|return|roll|save|schedule|search|see|select|sell|send|set|share|show|shut|sign|skip|snooze|solve|speak|spell|start|stop|submit|subscribe|swap|switch|sync|take|talk|top|track|transfer|translate|turn|type|uninstall|unlock|unsubscribe|update|upgrade|upload|use|verify|view|wake|watch|withdraw|write)',
  /** The verbs that are not also nouns. */
  commands:
    '(?:activate|add|apply|ask|buy|cancel|choose|clear|close|complete|configure|confirm|connect|convert|create|deactivate|delete|disable|download|edit|enable|find|freeze|get|give|have|hear|increase|invite|join|know|leave|listen|make|modify|move|open|pay|receive|recover|reduce|register|remove|rename|renew|replace|restore|see|select|send|speak|submit|subscribe|uninstall|unlock|unsubscribe|upload|verify|withdraw)',
  /** Verbs for things that work. */
  works:
    '(?:accept|allow|appear|arrive|clear|come|complete|connect|dispense|function|get|give|go|keep|let|load|match|open|pass|post|print|process|receive|refresh|respond|return|run|save|send|show|start|stop|sync|take|update|upload|work)',
  past: '(?:been|bought|broke|chose|forgot|found|gave|got|had|kept|left|lost|made|paid|put|saw|sent|took|tried|went|withdrew)',
};

/** Makes a pattern for the start of a sentence. */
function start(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/\{([a-z]+)\}/g, (_, name: string) => pieces[name] ?? '')}`, 'iu');
}

/** Sentence openings without meaning. The rest is matched again. */
const openings: readonly RegExp[] = [
  '(?:hi|hello|hey|hai|dear|good (?:morning|afternoon|evening|day))(?: (?:there|team|all|everyone|support|sir|madam|guys))?\\b[\\s,!.:-]+',
  '(?:please|pls|plz|kindly|ok|okay|so|well|um|uh|oh|hmm|yes|yeah|no|excuse me|sorry|actually|also|and|but|anyway|basically|thanks|thank you|urgent|guys|now)\\b[\\s,!.:-]+(?=\\S)(?!for\\b)',
  '(?:(?:can|could|would|will) {you} |are {you} able to |{i} (?:would )?(?:need|want|like) (?:{you} )?to )?{adverbs}(?:assist|guide|help|support) (?:(?:me|us) )?(?:out )?{adverbs}(?:by|figure out|in|on|to|understand|with)? ?(?=\\S)',
  '(?:(?:can|could|would|will) {you} |{i} (?:would )?(?:need|want|like) (?:{you} )?to )?{adverbs}(?:advise|explain|give|inform|let|show|tell)(?: to)? (?:me|us) (?:know )?(?:(?:a list of|again|exactly|more|please|something|(?:some |the )?(?:details|info|information)) )*{about}',
  '(?:do|does|may|might|would) {you} (?:happen to )?know (?:why )?{about}',
  '{i} (?:(?:like|need|want|wish|would) )*(?:to )?(?:ask|be informed|enquire|find out|inquire|know|learn|understand) (?:more )?{about}',
  '{i} (?:gotta|wana|wanna) (?:find out|know|learn) {about}',
  '{i} {be}? ?(?:asking|confused|curious|inquiring|not certain|not sure|uncertain|unsure|wondering) {about}',
  '{i} {be}? ?(?:calling|contacting you|here|reaching out|writing) (?:as |because |since |to ask |to report )?{about}',
  '{i} (?:just )?(?:believe|feel|found|guess|heard|hope|know|notice|noticed|realised|realized|saw|see|think|understand) (?:out )?(?:that )?(?=\\S+ \\S)',
  '(?:it )?(?:appears|looks|says|seems) (?:like |that )?',
  '{i} (?:have |got |had )?(?:(?:a|an|another|one|quick|some|the) )*(?:concern|doubt|enquiry|inquiry|query|question)s?:? {about}',
  '{i} (?:would )?(?:like|need|require|want) (?:(?:a bit of|a little|any|more|some|the|your) )*(?:advice|assistance|clarification|details|explanation|guidance|help|info|information|support) {about}',
  '(?:my |the )?(?:issue|problem|question|reason|thing) is,? (?:that )?',
  // The addressed person: "Bob, cancel my order".
  '\\p{L}+, (?=(?:{verbs}|can|could|how|what|when|where|who|why|will|would|\\p{L}+ (?:a|an|my|the))\\b)',
  '(?!(?:and|but|how|if|or|so|that|what|when|where|which|who|why)\\b)\\p{L}+ (?=(?:can|could|will|would) you \\p{L}|please (?:just )?{verbs}\\b)',
  '(?:again|finally|first|once (?:again|more)) (?={verbs}\\b)',
  '(?:just|kindly|maybe|only|simply|then) (?={verbs}\\b)',
  '(?:why is it that|how come|how about|what about|what happened|what if(?! {i} )) ',
].map(start);

type Rule = readonly [pattern: string, replacement: string, kind: PhraseKind];

/** How a sentence is shortened, by its start. The first matching rule decides. */
const rules: readonly (readonly [pattern: RegExp, replacement: string, kind: PhraseKind])[] = (
  [
    // How can I …, Can I …, I want to …
    [
      '(?:how|where) (?:exactly |else )?(?:(?:do|does|did|can|could|would|should|may|might|must|will|shall) {person}|to) {adverbs}(?:(?:be able|get|have|need|start|want) to |go about )?(?!(?:be|feel|know|like|think)\\b)(?=\\p{L})',
      '',
      'wish',
    ],
    ['(?:can|could|may|might|shall|should|would) {person} {adverbs}(?!(?:be|do)\\b)(?=\\p{L})', '', 'wish'],
    [
      '(?:am i|are we|are you|is it|is one|will i be|would i be|would it be) (?:able|allowed|necessary|ok|okay|permitted|possible|required) (?:for (?:me|us|you) )?to {adverbs}(?!be\\b)(?=\\p{L})',
      '',
      'wish',
    ],
    [
      '(?:is|are) there (?:(?:a|an|another|any|easy|some) )*ways? (?:(?:for me|for us|how i can|i can|that i can|we can) )?(?:to )?(?=\\p{L})',
      '',
      'wish',
    ],
    ['do (?:i|we) (?:have|need) to {adverbs}(?=\\p{L})', '', 'wish'],
    [
      '{i} {adverbs}(?:(?:am|are|been|have|should|was|were|will|would) )?{adverbs}{wants} (?:{you} )?to (?:(?:also|be able to|have(?= to )|just|to) )*(?=\\p{L})',
      '',
      'wish',
    ],
    ['{i} (?:gotta|wana|wanna) ', '', 'wish'],
    ['{i} (?:like|need|want) (?={verbs} )', '', 'wish'],
    ['{i} {be}? ?interested in (?=\\p{L}+ing\\b)', '', 'topic'],
    ['{i} {be}? ?(?:in need of|interested in|looking for) {adverbs}', 'get ', 'wish'],
    [
      '{i} {adverbs}(?:(?:do|will|would) )?{adverbs}(?:like|need|needed|needs|require|requires|want|wanted|wants) (?:to (?:be|get|have) )?(?!(?:help|it|that|this|to|you|your)\\b)(?=[\\p{L}\\d])',
      'get ',
      'wish',
    ],
    // I cannot …, I did not …, I lost …, I have …
    ['{i} (?:am |are )?(?=(?:locked out|not able|unable)\\b)', '', 'problem'],
    ["{i} (?:can ?not|can't|cant|can no longer) (?:be able to |seem to )?(?=\\p{L})", "can't ", 'problem'],
    ["{i} (?:could not|couldn't|couldnt) (?=\\p{L})", "couldn't ", 'problem'],
    ["{i} (?:still )?(?:did not|didn't|didnt|never) (?=\\p{L})", "didn't ", 'problem'],
    ['{i} (?:have )?(?:still )?(?:never|not) (?:yet )?(?:been )?(?=\\p{L})', 'not ', 'problem'],
    ["{i} (?:haven't|havent) (?:still )?(?:been )?(?=\\p{L})", 'not ', 'problem'],
    [
      '{i} {be}? ?(?:experiencing|facing|getting|having|receiving|seeing) (?:(?:a|an|some|the|this) )?(?=\\p{L})',
      '',
      'problem',
    ],
    [
      '{i} (?:(?:am|are|got|get|had|has|have|was|were) )?(?:been |being |{adverbs})(?=\\p{L}+ed\\b)',
      '',
      'other',
    ],
    ['{i} (?:(?:had|have) )?{adverbs}(?={past} )', '', 'other'],
    ['{i} (?:get|got|had|has|have|see) {articles}(?=\\p{L})', '', 'problem'],
    [
      "there ?(?:'s|are|has been|have been|is|s|was|were) (?:also |still )?(?:no(?= way) )?{articles}",
      '',
      'problem',
    ],
    // Why did my … not …, Why didn't my … work
    [
      'why (are|can|could|did|do|does|has|have|is|was|were|will|would) (?!{pronoun} )(.+?) not (?=\\p{L})',
      '$2 $1 not ',
      'problem',
    ],
    [
      "why (?:(?:did|do|does) (?:i|we) not|(?:couldn't|didn't|haven't) (?:i|we)) (?=\\p{L})",
      "didn't ",
      'problem',
    ],
    ["why (?:can (?:i|we) not|(?:can't|cannot|cant) (?:i|we)) (?=\\p{L})", "can't ", 'problem'],
    [
      "why (hasn't|haven't|has not|have not) (?!{pronoun} )(.+?) (?=\\p{L}+(?:ed|en)\\b)",
      '$2 $1 ',
      'problem',
    ],
    [
      "why (isn't|aren't|wasn't|weren't|is not|are not) (?!{pronoun} )(.+?) (?=(?:\\p{L}+(?:ing|ed)|able|at|available|correct|here|in|on|possible|right|there)\\b)",
      '$2 $1 ',
      'problem',
    ],
    [
      "why (did|didn't|didnt|do|does|doesn't|doesnt|don't|can't|couldn't|will|won't|wont|wouldn't) (?!{pronoun} )(.+?) (?={works}\\b)",
      '$2 $1 ',
      'problem',
    ],
    [
      'why (?:are|did|do|does|is) (?!{pronoun} )(.+?) (?:get|gets|getting|keep getting) (?=\\p{L}+ed\\b)',
      '$1 got ',
      'problem',
    ],
    // Why was my …, What is the …, Are there …
    [
      'why (?:am|are|is|was|were|(?:had|has|have)(?!.* (?:me|us)\\b)) (?:(?:been|being|getting|i|still|there|we) )*{articles}(?!(?:{pronoun}|not)\\b)(?=\\p{L})',
      '',
      'problem',
    ],
    [
      "(?:what|which)(?: are|'re| is|'s|s| was| were) {articles}(?!(?:a|all|an|any|at|exactly|for|from|going|in|it|left|my|needed|now|on|our|required|some|still|that|the|there|these|this|to|up|with|wrong|you|your|\\p{L}+ing)\\b)(?=\\p{L}+ \\p{L})",
      '',
      'topic',
    ],
    ['(?:are|is|was|were|will) there (?:additional |be |going to be )?{articles}(?=\\p{L})', '', 'topic'],
  ] satisfies Rule[]
).map(([pattern, replacement, kind]) => [start(pattern), replacement, kind]);

const endOfSentence = /[?!.\s]+$/;
const command = start(
  '(?:{commands}|{verbs} (?:a|all|an|down|it|me|my|off|on|our|out|some|that|the|these|this|up|your))\\b',
);
const verb = start('{verbs}$');
const finite = /\b(?:are|is|was|were)\b/i;
const question = start(
  "(?:am|are|aren't|can|can't|could|couldn't|did|didn't|do|does|doesn't|don't|had|has|have|how|how's|hows|is|isn't|may|shall|should|was|wasn't|were|what|what's|whats|when|where|where's|wheres|which|who|who's|whom|whose|why|will|won't|would)\\b",
);
const complaint =
  /\b(?:not|never|cannot|cant|wont|doesnt|isnt|didnt|no longer|fail\w*|wrong\w*|broken|broke|crash\w*|missing|lost|stolen|stuck|declined|rejected|denied|charged|slow|bug|delay\w*|late|pending|invalid|expired|disappeared|crack\w*|error|trouble|problem|issue|damaged|blocked|incorrect|twice|unable)\b|n't\b/i;
const firstArticle = start('(?:a|an|any|my|our|some|that|the|these|this|those|your) +(?=\\S)');
const englishWords =
  /(?<![\p{L}\p{M}'’])(?:and|are|can|do|does|for|from|has|have|how|i|in|is|it|my|need|not|of|on|please|the|to|want|was|what|when|where|why|with|you|your)(?![\p{L}\p{M}'’])/iu;

/** Whether a text seems to be written in English. */
export function isEnglish(text: string): boolean {
  return englishWords.test(text) && /^[\p{ASCII}‘’“”€£–—…]*$/u.test(text);
}

/** Rephrases an English sentence as a name of its topic: without "How do I" and "Why was my". */
export function rephraseEnglish(sentence: string): Rephrased {
  const rest = withoutOpenings(sentence.replace(/\s+/g, ' ').replace(/[’`]/g, "'"));
  for (const [pattern, replacement, kind] of rules) {
    const text = rest.replace(pattern, replacement);
    if (text === rest) continue;
    return kind === 'wish' ? nameWish(text) : nameThing(text, kind);
  }
  if (question.test(rest)) return { text: `${rest.replace(endOfSentence, '')}?`, kind: 'question' };
  const isCommand = command.test(rest) && !finite.test(rest) && !isComplaint(rest);
  return isCommand ? nameWish(rest) : nameThing(rest, 'topic');
}

function withoutOpenings(sentence: string): string {
  let rest = sentence;
  for (let before = ''; before !== rest;) {
    before = rest;
    for (const opening of openings) rest = rest.replace(opening, '');
  }
  return rest;
}

/** Whether a word is one of the verbs with which requests start. */
export function isVerb(word: string): boolean {
  return verb.test(word);
}

/** Whether a phrase tells that something is wrong. */
export function isComplaint(text: string): boolean {
  return complaint.test(text);
}

const cutEnd = start(
  "(.*\\p{L}),? (?:although|and|because|but|so|though) {pronoun} (?:(?:do|did|does|have|has|am|are|is) not |\\p{L}+n't )?\\p{L}+$",
);

/**
 * Returns the text before a last clause that has only a subject and a verb, such as "but I live" in "Get a card but I live";
 * undefined without such a clause.
 */
export function beforeCutClause(text: string): string | undefined {
  const [, head] = cutEnd.exec(text) ?? [];
  return head === undefined || isComplaint(text.slice(head.length)) ? undefined : head;
}

/** A number of things, up to a preposition. */
const quantity =
  /^(get|order|purchase|buy) (?:\d+|two|three|four|five|six)(?: x)? (?=\p{L})((?:(?!(?:and|at|for|from|in|of|on|to|with)\b)[\p{L}-]+(?: |(?![\p{L}-])))+)/iu;

function isPlural(thing: string): boolean {
  return /(?:[^s]s|people|children) *$/i.test(thing);
}

function nameWish(text: string): Rephrased {
  return {
    text: text
      .replace(/^(?:have|need|want) (?=(?:a|an|my|some|the|\d+)\b)/i, 'get ')
      .replace(
        quantity,
        (_, action: string, thing: string) => `${action} ${isPlural(thing) ? '' : 'a '}${thing}`,
      )
      .replace(/\ba (?=[aeio](?!ne\b))/gi, 'an ')
      .replace(endOfSentence, ''),
    kind: 'wish',
  };
}

/** Removes the article of a thing. The kind is problem if something is wrong with the thing. */
function nameThing(text: string, kind: PhraseKind): Rephrased {
  const bare = text
    .replace(firstArticle, '')
    .replace(/^(?:been|being) /i, '')
    .replace(/(?<!\b(?:has|have|had|hasn't|haven't|not|'s|'ve)) been (?=\p{L}+(?:ed|en)\b)/iu, ' ')
    .replace(endOfSentence, '');
  if (isComplaint(bare)) return { text: bare, kind: 'problem' };
  return { text: bare, kind: kind === 'problem' ? 'topic' : kind };
}
