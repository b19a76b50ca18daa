import { isOrdinary } from './ordinary-words.ts';
import { mergeSpans, type Span } from './span.ts';

const start = '(?<![\\p{L}\\p{N}.,/#-])';
const end = '(?![\\p{L}\\p{N}])';
const capital = "\\p{Lu}[\\p{L}\\p{M}'’.-]{0,30}";
const houseNumber = '\\d{1,5}(?:\\s?[a-zA-Z](?!\\p{L}))?(?:\\s?[-/–]\\s?\\d{1,4}[a-zA-Z]?(?!\\p{L}))?';

/** Street types that make lower-case words before them a street, and those that need a capital letter. */
const clearTypes = 'street|avenue|boulevard|road|lane|terrace|crescent|parkway';
const capitalTypes =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Square|Sq|Place|Pl|Terrace|Ter|Way|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Close|Crescent|Cres|Row|Mews|Gardens|Grove|Hill|Alley|Walk|Quay|Loop|Trail|Broadway|Park|Wharf|Rise|Vale|Green';

interface Pattern {
  readonly pattern: RegExp;
  /** Whether the match counts only if a postal code or a city follows, or an address is announced. */
  readonly needsContext?: boolean;
  /** Checks that lower-case words of the match are not ordinary words. */
  readonly isValid?: (found: string) => boolean;
}

const hasNoSmallWords = (found: string) =>
  found
    .split(/[\s,]+/)
    .slice(1, -1)
    .every((word) => /^[\p{Lu}\d]/u.test(word) || !isOrdinary(word));

const patterns: readonly Pattern[] = [
  {
    pattern: new RegExp(
      `${start}\\d{1,5}(?:[a-zA-Z]|-\\d{1,4})?\\s(?:[NSEW]\\.?\\s|(?:North|South|East|West|Old|New|Upper|Lower)\\s)?(?:(?:${capital}|\\d{1,3}(?:st|nd|rd|th))\\s){1,4}(?:${capitalTypes})\\b\\.?(?:\\s(?:NE|NW|SE|SW|N|S|E|W|North|South|East|West)\\b)?`,
      'gu',
    ),
    isValid: (found) =>
      !/^\d+\s(?:[A-Z]{2,}\s)*(?:GB|MB|USD|EUR|PM|AM)\b/.test(found) && hasNoSmallWords(found),
  },
  {
    pattern: new RegExp(
      `${start}\\d{1,5}[a-zA-Z]?\\s(?:[\\p{L}'’.-]{2,20}\\s|\\d{1,3}(?:st|nd|rd|th)\\s){1,3}(?:${clearTypes})${end}`,
      'giu',
    ),
    isValid: hasNoSmallWords,
  },
  {
    pattern: new RegExp(
      `${start}\\d{1,5}[a-zA-Z]?\\s(?:[\\p{L}'’.-]{2,20}\\s){1,3}(?:drive|way|court|place|square|circle|trail|st|dr|rd|ave|ln|blvd|hwy)${end}`,
      'giu',
    ),
    isValid: hasNoSmallWords,
    needsContext: true,
  },
  {
    pattern: new RegExp(
      `${start}(?:P\\.?\\s?O\\.?\\s?Box|Postfach|Apartado(?: de correos)?|Boîte postale)\\s(?:\\d[\\d ]{0,8}\\d|\\d)${end}`,
      'giu',
    ),
  },
  {
    pattern: new RegExp(
      `${start}(?:[\\p{L}-]{2,30}(?:straße|strasse|STRASSE|str\\.|allee|gasse|chaussee|straat|gracht|laan|kade|plein|gatan|vägen|gata|vegen|gade)|(?:${capital}\\s){1,2}(?:Straße|Strasse|Str\\.|Allee|Gasse|Chaussee|Weg|Platz|Damm|Ufer)|(?:Straße|Platz|Allee) (?:des|der) [\\p{L}\\d. ]{2,20})\\s{1,2}${houseNumber}${end}`,
      'gu',
    ),
    isValid: (found) =>
      /^(?:\p{Lu}|\S+ \d)/u.test(found) &&
      !/^(?:die|der|das|in|an|auf|meine|diese|eine|one|the)\s/iu.test(found),
  },
  {
    pattern: new RegExp(
      `${start}(?:\\p{Lu}[\\p{L}-]{2,30}(?:weg|platz|ring|damm|ufer|hof|berg|steig|dijk|markt|vej|gass|stieg|graben|park)|(?:Am|An der|An den|Im|In der|Auf der|Auf dem|Zum|Zur|Unter den|Alte|Alter|Neue|Neuer)\\s${capital}(?:\\s${capital})?)\\s${houseNumber}${end}`,
      'gu',
    ),
    needsContext: true,
  },
  {
    pattern: new RegExp(
      `${start}\\d{1,4}(?:\\s?(?:bis|ter|[a-dA-D]))?,?\\s(?:[Rr]ue|[Aa]venue|[Aa]v\\.|[Bb]oulevard|[Bb]d\\.?|[Pp]lace|[Aa]llée|[Cc]hemin|[Ii]mpasse|[Qq]uai|[Rr]oute|[Cc]ours|[Ss]quare|[Pp]assage|[Ff]aubourg|[Ss]entier|[Rr]uelle)\\s(?:(?:de la|de l['’]|de|du|des|d['’]|la|le|les|l['’]|aux?|saint|sainte)[\\s-]?)?(?:[\\p{L}'’-]{2,25})(?:[\\s-](?:(?:de|du|des|la|le|et)[\\s-])?\\p{Lu}[\\p{L}'’-]{1,25}){0,3}${end}`,
      'gu',
    ),
    isValid: (found) =>
      /(?:rue|allée|chemin|impasse|quai|ruelle|faubourg|avenue|boulevard|bd\.?|av\.)\s/iu.test(found)
        ? !/\s(?:to|for|and|or|is|in|an?|the)$/i.test(found)
        : /\s(?:de|du|des|d['’]|l['’])/u.test(found) && /\p{Lu}/u.test(found),
  },
  {
    pattern: new RegExp(
      `${start}(?:calle|c/|avenida|avda\\.?|av\\.|plaza|paseo|carrera|camino|ronda|travesía|glorieta|rua|r\\.|praça|travessa|alameda|largo|viale|piazza|corso|vicolo|strada|via|ulica|ul\\.|улица|ул\\.)\\s?(?:(?:de|del|de la|de los|de las|do|da|dos|das|di|della|delle|dei)\\s)?\\p{L}[\\p{L}.'’-]{0,25}(?:\\s\\p{L}[\\p{L}.'’-]{0,25}){0,4}?,?\\s(?:n[ºo°]\\.?\\s?|núm\\.?\\s?|#\\s?|д\\.\\s?)?${houseNumber}${end}`,
      'giu',
    ),
    isValid: (found) =>
      /^[^\s]+\s?(?:(?:de|del|la|los|las|do|da|dos|das|di|della|delle|dei)\s){0,2}\p{Lu}/u.test(found) &&
      /^(?:\p{Lu}|c\/|ul\.|calle|avenida|plaza|paseo|rua|praça|viale|piazza|corso|av|ул)/u.test(found) &&
      !/\b(?:email|PayPal|app|the|API|SMS)\b/.test(found),
  },
];

/** Announces an address: "my address is", "I live at", "wohne in der", "Lieferadresse:". */
const cue =
  /(?<![\p{L}\p{N}])(?:(?:my|our|his|her|their|the|home|billing|shipping|delivery|postal|mailing|street|office|new|old|current|correct|residential|work|business|company|full)\s(?:(?:home|billing|shipping|delivery|postal|mailing|street|office|new|old|current|correct|residential)\s)?address(?:\s(?:is|was|to|should be|changed to)(?:\snow)?\s|\s?[:=]\s?)|^address\s?:\s?|(?:i|we)(?:\s(?:now|currently))?\s(?:live|reside|moved)\s(?:at|to|on)\s|(?:ship|deliver|send|mail|forward|sent|shipped|delivered)(?:\s\p{L}{1,10}){0,3}\s(?:to|at)\s(?=\d)|(?:meine|unsere|die|neue|liefer|rechnungs|post)?\s?(?:adresse|anschrift|lieferadresse|rechnungsadresse)(?:\s(?:ist|lautet)(?:\sjetzt)?\s|\s?:\s?)|(?:wohne|wohnen|wohnhaft)\s(?:jetzt\s)?(?:in|an|am|im)\s(?:der\s|dem\s)?|(?:mon|notre|nouvelle|l['’])\s?adresse(?:\sde\s\p{L}{3,12})?(?:\sest\s|\s?:\s?)|j['’]habite\s(?:au|à)\s|(?:mi|nuestra|nueva|la)\sdirección(?:\sde\s\p{L}{3,12})?(?:\ses\s|\s?:\s?)|vivo\sen\s(?:la\s)?|(?:il\smio\s)?indirizzo(?:\sè\s|\s?:\s?)|(?:meu\s)?endereço(?:\sé\s|\s?:\s?)|moro\sna\s|mijn\sadres\sis\s|住址[是:：]\s?|地址[是:：]\s?)/gimu;
const otherAddress =
  /(?:e-?mail|ip|mac|web|url|wallet|memory|bitcoin|btc|eth|site|server|network|dns)[\s-]{1,2}$/iu;

/** The possible text after a street: a unit, a postal code, a city, a state, a country. */
const unit =
  /(?:[,\s]\s{0,2}|\n)(?:Apt|Apartment|Suite|Ste|Unit|Floor|Fl|Flat|Room|Rm|Wohnung|Whg|Etage|Stock|Piso|Puerta|Apto|Bât|Bâtiment|Appt|Escalier|Interno)\.?\s?#?[\p{L}\d-]{1,6}(?![\p{L}\d])|[,\s]\s?#\s?\d{1,5}[A-Za-z]?|,\s?\d{1,2}[ºª°](?:\s?[A-Z])?(?!\p{L})/iuy;
const region =
  /(?:,\s{0,2}|\n|\s[-–]\s|\s)(?:(?:[A-Z]{1,2}-?)?(?:\d{4,5}(?:-\d{3,4})?|\d\d-\d{3}|\d{3}\s\d\d)(?:\s[A-Z]{2})?\s{1,2}(?:(?:St|Bad|San|Los|Las|La|Le|El|Den|New)\.?\s)?\p{Lu}[\p{L}'’-]{1,30}(?:[\s-](?:(?:am|an der|im|sur|de|la|del|upon)(?!\p{L})|\p{Lu}[\p{L}'’-]{2,20}(?=[\s,.;!?]|$))){0,3}|(?:AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC|ON|QC|BC|AB|MB|NSW|VIC|QLD)(?![\p{L}\d])|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}(?![\p{L}\d])|[A-Z]\d[A-Z]\s?\d[A-Z]\d(?![\p{L}\d])|\d{5}(?:-\d{3,4})?(?![\p{L}\d])|\d{4}\s?[A-Z]{2}\s\p{Lu}\p{L}{2,20})/uy;
const city =
  /(?:,\s{0,2}|\n|\s(?:in|à|a|en)\s)(?=\p{Lu})((?:\p{Lu}[\p{L}'’.-]{1,25})(?:\s(?:\p{Lu}[\p{L}'’-]{1,25}|de|la|del|am|upon|sur)){0,2})(?=\s{0,2}(?:[,.;!?)\n]|$)|\s(?:[A-Z]{2}\b|[A-Z]{1,2}\d|\d{4,5}|and\b|und\b|et\b|y\b|but\b|but\b|please\b|bitte\b))/uy;

const states =
  'AL|AK|AZ|AR|CA|CO|CT|DE|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|DC';
/** A city, a state and a ZIP code, even in lower case. */
const zip = new RegExp(
  `(?:,?\\s{1,2}\\p{L}[\\p{L}.'’-]{2,20}){0,3},?\\s{1,2}(?:(?:${states}),?\\s{1,2}\\d{5,6}(?:-\\d{4})?(?!\\d)|(?:${states})(?=\\s{0,2}$))`,
  'iuy',
);
/** Capitalized words after a street that are not a city. */
const noCity =
  /^(?:Please|Can|Could|Would|Will|My|The|I|It|This|That|Thanks|Thank|And|But|So|We|You|Your|Our|How|Why|What|When|Where|Who|Is|Are|Do|Does|Not|No|Yes|Order|Bitte|Ich|Wir|Mein|Meine|Danke|Und|Je|Mon|Ma|Merci|Mi|Gracias|Por|Phone|Email|Tel|Telephone|Card|Name)$/;

/**
 * Finds postal addresses: streets with a house number, in the forms of several countries, and texts that are announced as an
 * address.
 */
export function findAddresses(text: string): Span[] {
  if (!/\d/.test(text)) return [];
  const cues = announcedAddresses(text);
  const streets: Span[] = [];
  for (const { pattern, needsContext = false, isValid = () => true } of patterns)
    for (const { 0: street, index } of text.matchAll(pattern)) {
      if (!isValid(street)) continue;
      const streetEnd = index + street.length;
      const to = extend(text, streetEnd);
      if (needsContext && to === streetEnd && !cues.some((each) => each.from <= index && index <= each.to))
        continue;
      streets.push({ from: index, to });
    }
  // An announced address that begins with a street ends where the street ends.
  const isStreet = ({ from }: Span) => streets.some((each) => Math.abs(each.from - from) <= 3);
  return mergeSpans([...streets, ...cues.filter((each) => !isStreet(each))]);
}

function extend(text: string, from: number): number {
  let to = from;
  for (let count = 0; count < 6; count++) {
    const next = [unit, region, zip, city]
      .map((pattern) => lengthAt(pattern, text, to))
      .find((length) => length > 0);
    if (next === undefined) break;
    to += next;
  }
  return to;
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return 0;
  const [found, name] = match;
  const isCity = name?.split(/\s/).every((word) => !noCity.test(word)) ?? true;
  return isCity ? found.length : 0;
}

function announcedAddresses(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: found, index } of text.matchAll(cue)) {
    if (otherAddress.test(text.slice(Math.max(0, index - 12), index)) || otherAddress.test(found)) continue;
    const from = index + found.length;
    const rest = text.slice(from, from + 120);
    const clause =
      /^[^\n;!?]*?(?=\n|[;!?]|\.\s+\p{Lu}(?!\p{Lu}?\.)|\.?\s*$|,?\s(?:and|but|und|aber|et|y|pero|mais|please|bitte|can|because|since|weil|not|last|yesterday|today|now|so|i|my|it|is|was|which|for|when|if|where|thanks|thank|seit|wo|gestern|depuis|desde)(?![\p{L}]))/iu.exec(
        rest,
      );
    const value = (clause?.[0] ?? rest).trimEnd();
    if (
      value.length < 5 ||
      !/\d/.test(value) ||
      !/\p{L}/u.test(value) ||
      value.startsWith('[') ||
      value.includes('@')
    )
      continue;
    const [first = ''] = value.split(/[\s,]+/);
    if (/^\d+$/.test(first)) {
      const [, second = ''] = value.split(/[\s,]+/);
      if (
        /^\p{Ll}/u.test(second) &&
        isOrdinary(second) &&
        !/^(?:new|old|main|park|church|high|north|south|east|west|king|queen)$/.test(second)
      )
        continue;
    } else if (isOrdinary(first) || (/^\p{Ll}/u.test(first) && !/\d/.test(value.slice(0, 60)))) continue;
    spans.push({ from, to: from + value.length });
  }
  return spans;
}
