import { findAddresses } from './address.ts';
import { findEmails } from './email.ts';
import { isClearFirstName, isFirstName } from './first-names.ts';
import { readHtml } from './html-text.ts';
import { findNames } from './name.ts';
import { isCommonWord, isOrdinary } from './ordinary-words.ts';
import { findPasswords } from './password.ts';
import type { KnownData, RedactKind } from './kinds.ts';
import type { Span } from './span.ts';

/** Maximum number of characters of a conversation that are searched. */
const maxCharacters = 200_000;
const maxNames = 200;
const maxMergedNames = 1000;
const maxValues = 200;

export interface ConversationTexts {
  readonly subject?: string | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  readonly parts: readonly { readonly role: string; readonly body: string }[];
}

/** Attributes that contain the name of a person. */
const personKey =
  /^(?:(?:customer|client|contact|user|agent|author|requester|reporter|sender|recipient|assignee|owner|first|last|full|display|given|family|sur|nick|person|visitor|caller|account[ _.-]?holder|employee|staff)[ _.-]*names?|names?|author|requester|reporter|requestor|assignee|agent|sender|submitter|assigned[ _.-]?to|created[ _.-]?by|handled[ _.-]?by|from|user|username|login|nickname|contact|customer|teammate|operator|vorname|nachname|kunde|ansprechpartner|nom|prenom|nombre|apellidos?|cliente|nome|cognome|.{1,30}[ _.-](?:first|last|full|display)[ _.-]?name)$/i;

const question = {
  name: /(?:your|full|first|last|the|customer) name|name\s?(?:,? please)?\s?\?|who am i (?:speaking|chatting|talking)|wie (?:heißen|heissen) sie|ihr(?:en)? (?:vollständigen? |vollen )?namen?|(?:votre|quel est votre) nom|comment vous appelez|(?:su|tu) nombre|cómo (?:se|te) llama|(?:il suo|il tuo) nome|(?:seu|o seu) nome|uw naam/i,
  password:
    /(?:your|the|four.digit|secret|account) (?:pin|password|pass ?code|passphrase|security (?:code|answer)|verification code|code|ssn)|(?:last|first) (?:four|4) digits|ihre? (?:pin|passwort|kennwort)|votre (?:mot de passe|code)|su (?:contraseña|clave|pin)/i,
  address:
    /(?:your|the|billing|shipping|delivery|mailing|home|street|new|postal) (?:\w+ )?address(?! (?:bar|book))|ihre (?:adresse|anschrift)|votre adresse|su dirección|il suo indirizzo|seu endereço/i,
} as const;

/**
 * Finds the private data anywhere in a conversation: names from introductions, greetings, signatures, email addresses, attributes
 * and answers to questions, and addresses and passwords. With it, they are also found in the other texts of the conversation.
 */
export function findKnownData({ subject, attributes = {}, parts }: ConversationTexts): KnownData {
  const names = new Set<string>();
  const localParts = new Set<string>();
  const values = new Map<string, RedactKind>();
  const plainOf = (text: string) => readHtml(text)?.plain ?? text;
  const read = (text: string): void => {
    for (const span of findPasswords(text)) addValue(values, slice(text, span), 'password');
    for (const span of findAddresses(text)) addValue(values, slice(text, span), 'address');
    for (const span of findNames(text)) addNames(names, slice(text, span));
    for (const span of findEmails(text)) addLocalPart(localParts, slice(text, span));
  };
  if (subject !== undefined) read(plainOf(subject));
  for (const [key, value] of Object.entries(attributes)) {
    if (personKey.test(key.trim()) && isNameLike(value)) addNames(names, value);
    read(value.slice(0, 1000));
  }
  let left = maxCharacters;
  for (const [index, { role, body }] of parts.entries()) {
    if (left <= 0) break;
    const text = body.slice(0, left);
    left -= text.length;
    const plain = plainOf(text);
    read(plain);
    const asked = parts[index - 1];
    if (role === 'user' && asked !== undefined && asked.role !== 'user')
      readAnswer(plainOf(asked.body), plain, names, values);
  }
  for (const name of names) localParts.delete(name);
  return { names: [...names].slice(0, maxNames), localParts: [...localParts].slice(0, maxNames), values };
}

/** Reads the answer to a question for a name, an address or a password: a message with no other text. */
function readAnswer(asked: string, text: string, names: Set<string>, values: Map<string, RedactKind>): void {
  const answer = text.trim();
  if (answer.length > 120 || answer.includes('\n')) return;
  const end = asked.slice(-1000);
  if (question.name.test(end) && isNameLike(answer.replace(/[.!]+$/, ''))) addNames(names, answer);
  if (question.password.test(end) && /^(?=\S*\d)\S{3,40}$/.test(answer)) addValue(values, answer, 'password');
  if (question.address.test(end) && /^(?=.*\d)(?=.*\p{L}{3})/u.test(answer) && !answer.includes('@'))
    addValue(values, answer, 'address');
}

/** Returns the names in several conversations, for texts that are derived from all of them. */
export function mergeNames(known: readonly KnownData[]): KnownData {
  const names = new Set(known.flatMap((each) => each.names).filter(isDistinct));
  return { names: [...names].slice(0, maxMergedNames), localParts: [], values: new Map() };
}

/** Whether a word is a name in any sentence, even in lower case. */
function isDistinct(name: string): boolean {
  return isClearFirstName(name) || (name.length > 2 && !isCommonWord(name) && !isFirstName(name));
}

/** Whether a text consists of one to four words that can only be a name. */
function isNameLike(text: string): boolean {
  const words = text.trim().split(/[\s,]+/);
  return (
    words.length <= 4 &&
    words.every((word) => /^[\p{L}\p{M}'’.-]{1,30}$/u.test(word)) &&
    words.some((word) => word.length > 1) &&
    words.every((word) => !isOrdinary(word) || isFirstName(word))
  );
}

function addNames(names: Set<string>, text: string): void {
  for (const word of text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [])
    if (word.length > 1 && !smallWords.has(word.toLowerCase())) names.add(word.toLowerCase());
}

const smallWords: ReadonlySet<string> = new Set(
  'de da do dos das del della di du des la le les van von vom zu zum zur den der ten ter bin ibn al el mc st'.split(
    ' ',
  ),
);
const mailboxes: ReadonlySet<string> = new Set(
  'noreply donotreply reply webmaster postmaster newsletter invoices invoice accounting press jobs careers hr legal abuse root dev ops kontakt buchhaltung rechnung bewerbung ventas compras mailer daemon bot me the user example shop store'.split(
    ' ',
  ),
);

function addLocalPart(names: Set<string>, email: string): void {
  const local = email.slice(0, email.search(/@|%40/)).toLowerCase();
  const parts = local
    .split(/[^\p{L}\p{M}]+/u)
    .filter((part) => part.length >= 3 && !isOrdinary(part) && !mailboxes.has(part));
  for (const part of parts) names.add(part);
}

function addValue(values: Map<string, RedactKind>, text: string, kind: RedactKind): void {
  if (values.size >= maxValues) return;
  // A text is split into lines, and its Markdown removed, before it is quoted.
  for (const line of text.split('\n').flatMap((each) => [each.trim(), each.replaceAll(/[*`~]/g, '').trim()]))
    if (line.length >= 3 && !isOrdinary(line)) values.set(line, kind);
}

function slice(text: string, { from, to }: Span): string {
  return text.slice(from, to);
}

/** Returns a function that replaces known data in a text. Data that an ellipsis cuts off is found by its start. */
export function createKnownRedactor(
  { names, localParts, values }: KnownData,
  kinds: readonly RedactKind[],
): (text: string) => string {
  const replacers: ((text: string) => string)[] = [];
  const kept = [...values]
    .filter(([, kind]) => kinds.includes(kind))
    .toSorted(([one], [other]) => other.length - one.length);
  for (const [value, kind] of kept) {
    const whole = new RegExp(
      `(?<![\\p{L}\\p{N}])${escape(value).replaceAll(/\s+/g, '\\s+')}(?![\\p{L}\\p{N}])`,
      'giu',
    );
    replacers.push((text) => replaceCut(text.replace(whole, `[${kind}]`), value, kind));
  }
  if (kinds.includes('name')) {
    const all = [...names, ...localParts];
    const distinct = all.filter(isDistinct).map(escape);
    const capital = all
      .filter((name) => !isDistinct(name))
      .flatMap((name) => [capitalize(name), name.toUpperCase()])
      .map(escape);
    for (const [alternatives, flags] of [
      [distinct, 'giu'],
      [capital, 'gu'],
    ] as const) {
      if (alternatives.length === 0) continue;
      const one = `(?:${alternatives.toSorted((a, b) => b.length - a.length).join('|')})`;
      const run = new RegExp(`(?<![\\p{L}\\p{N}])${one}(?:[\\s.-]{1,2}${one})*(?![\\p{L}\\p{N}])`, flags);
      replacers.push((text) => text.replace(run, '[name]'));
    }
  }
  return (text) => replacers.reduce((result, replace) => replace(result), text);
}

/** Replaces the start of a value at the end of a cut text. */
function replaceCut(text: string, value: string, kind: RedactKind): string {
  if (!text.endsWith('…')) return text;
  const body = text.slice(0, -1);
  for (let length = value.length - 1; length >= 4; length--)
    if (body.endsWith(value.slice(0, length))) return `${body.slice(0, -length)}[${kind}]…`;
  return text;
}

function capitalize(word: string): string {
  const [first = ''] = word;
  return first.toUpperCase() + word.slice(first.length);
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
