import { clean } from './clean.ts';
import { courtesy } from './phrases.ts';

/** Characters that are looked at: of a message, of all messages, of a sentence. */
const longest = 20_000;
const longestOfAll = 60_000;
const longestSentence = 1000;
const mostSentences = 400;

export interface Message {
  readonly role: 'user' | 'assistant' | 'team-member';
  readonly body: string;
}

/** A sentence of the user's, and which of the messages it stands in. */
export interface Sentence {
  readonly text: string;
  readonly message: number;
}

/** What the user says in their own words: without HTML, code, quoted mails, signatures and courtesies. */
export function sentencesOf(messages: readonly Message[]): Sentence[] {
  const sentences: Sentence[] = [];
  let left = longestOfAll;
  for (const [message, { role, body }] of messages.entries()) {
    if (role !== 'user') continue;
    for (const line of ownLines(plain(body.slice(0, Math.min(longest, left)))))
      for (const piece of line.split(/(?<=[.!?。！？])\s+|(?<=[。！？])/u)) {
        const text = withoutGreeting(piece.slice(0, longestSentence).replace(/\s+/g, ' ').trim());
        if (text !== '' && !isEmpty(text)) sentences.push({ text, message });
      }
    left -= body.length;
    if (left <= 0 || sentences.length >= mostSentences) break;
  }
  return sentences.slice(0, mostSentences);
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', ' '],
  ['#39', "'"],
]);

/** Markdown or HTML as plain lines. */
function plain(body: string): string {
  const lines = clean(body)
    .replace(/<(?:br|p|div|li|tr|h[1-6])\b[^<>]{0,200}>|<\/(?:p|div|li|tr|h[1-6])>/gi, '\n')
    .replace(/<[a-z/!][^<>]{0,1000}>/gi, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities.get(name)!)
    .split('\n');
  let code = false;
  return lines
    .filter((line) => {
      const fence = /^\s{0,3}(```|~~~)/.test(line);
      if (fence) code = !code;
      return !code && !fence;
    })
    .join('\n')
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,1000}\)/g, '$1')
    .replace(/\bhttps?:\/\/[^\s<>]{1,1000}/g, '')
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, (marks) => (marks === '_' ? '_' : ''));
}

const quoteBegins =
  /^(?:-{2,}\s?(?:original message|forwarded message)|(?:on|am|le|el) .{5,120}(?:wrote|schrieb|a écrit|escribió)\s?:|from:\s.{1,200}@|_{10,})/i;
const signatureBegins =
  /^(?:--\s?|—\s?|(?:best|kind|warm)(?:est)? (?:regards|wishes).{0,40}|regards,?.{0,40}|cheers,?|sincerely,?.{0,40}|yours (?:truly|faithfully|sincerely).{0,20}|sent from my .{1,60}|get outlook for .{1,40})$/i;

/** The lines up to a signature or the mail that is answered, without quoted ones. */
function ownLines(text: string): string[] {
  const own: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (quoteBegins.test(line) || (own.length > 0 && signatureBegins.test(line))) break;
    if (line === '' || line.startsWith('>') || line.startsWith('|>')) continue;
    own.push(line.replace(/^#{1,6}\s/, ''));
  }
  return own;
}

/** Nothing but a number, an address, a thank-you, a yes. */
function isEmpty(text: string): boolean {
  const bare = text.replace(/\S{1,100}@\S{1,100}|\d[\d\s/.:-]*/g, ' ');
  const words = bare.toLowerCase().match(/[\p{L}\p{N}\p{M}']+/gu) ?? [];
  return (
    words.every((word) => courtesy.has(word) || word.length === 1) || (words.length === 1 && /\d/.test(text))
  );
}

function withoutGreeting(text: string): string {
  const rest = text.replace(
    /^(?:hi|hello|hey|hai|hii|dear|good (?:morning|afternoon|evening))(?: (?:there|team|all|everyone|support|sir|madam|guys))?\s?[,!.:-]?\s+/i,
    '',
  );
  return rest.length >= 3 ? rest : text;
}
