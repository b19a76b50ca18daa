import { truncate } from '../contract/values.ts';
import { characterOf } from '../redaction/html-text.ts';

/** Maximum number of characters that are read: of one message, of all messages, and of one sentence. */
const maxMessage = 20_000;
const maxTotal = 60_000;
const maxSentence = 1000;
const maxSentences = 400;

/** Words that make up sentences without a topic. */
const courtesyWords: ReadonlySet<string> = new Set(
  `hi hello hey hai hii hiya dear there team all everyone support sir madam mam good morning afternoon evening day night nice have a an great weekend thanks thank you u your so
  very much many for the help assistance time in advance ok okay okey kk k yes no nope yeah yep ya yup sure fine right correct confirm confirmed perfect alright bye byee goodbye
  welcome please pls cheers regards best kind sincerely nothing else more now that's thats that is it all done too same to and my im i'm am this how are do not need any anything
  cool awesome wonderful lot lots bunch got noted understood well hope doing`.split(/\s+/),
);

export interface Message {
  readonly role: 'user' | 'assistant' | 'team-member';
  readonly body: string;
}

export interface Sentence {
  readonly text: string;
  /** Index of its message. */
  readonly message: number;
}

/** Returns the sentences of the user, without HTML, code, quoted mails, signatures and courtesies. */
export function userSentences(messages: readonly Message[]): Sentence[] {
  const sentences: Sentence[] = [];
  let left = maxTotal;
  for (const [message, { role, body }] of messages.entries()) {
    if (role !== 'user') continue;
    for (const line of unquotedLines(plainText(body.slice(0, Math.min(maxMessage, left)))))
      for (const piece of line.split(/(?<=[.!?。！？])\s+|(?<=[。！？])|(?<=[a-z][.!?])(?=I['’ ])/u)) {
        const text = withoutGreeting(truncate(piece, maxSentence).replace(/\s+/g, ' ').trim());
        if (text !== '' && !isCourtesy(text)) sentences.push({ text, message });
      }
    left -= body.length;
    if (left <= 0 || sentences.length >= maxSentences) break;
  }
  return sentences.slice(0, maxSentences);
}

/** Terminal control sequences: OSC and similar up to their end, CSI, and those of two characters. */
// eslint-disable-next-line no-control-regex
const terminalSequences =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]{0,2000}(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]?|\u001b[ -/]{0,8}[0-~]?/g;

/** Removes characters that control a terminal, hide text or change its direction. Keeps line breaks. */
function removeControls(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(terminalSequences, '')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .toWellFormed();
}

/** Turns Markdown or HTML into plain lines. */
function plainText(body: string): string {
  // Exports can write each line break as a backslash and "n". In a path such as "C:\new", there are no two in a row.
  const written = /\\n(?:\\r)?\\n/.test(body) ? body.replaceAll(/(?:\\r)?\\n/g, '\n') : body;
  const lines = removeControls(written)
    .replace(/<!--(?:(?!<!--)[^])*?-->|<(blockquote|details|script|style)\b(?:(?!<\1\b)[^])*?<\/\1>/gi, '\n')
    .replace(/^[^\S\n]*\*\*(\S[^\n]{0,100})\*\*:?[^\S\n]*$/gm, '# $1')
    .replace(/<(?:br|p|div|li|tr|h[1-6])\b[^<>]{0,200}>|<\/(?:p|div|li|tr|h[1-6])>/gi, '\n')
    .replace(/<[a-z/!][^<>]{0,1000}>/gi, ' ')
    .replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, characterOf)
    .split('\n');
  let isCode = false;
  return lines
    .filter((line) => {
      const isFence = /^\s{0,3}(```|~~~)/.test(line);
      if (isFence) isCode = !isCode;
      return !isCode && !isFence;
    })
    .join('\n')
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,1000}\)/g, '$1')
    .replace(/\bhttps?:\/\/[^\s<>]{1,1000}/g, '')
    .replace(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, (marks) => (marks === '_' ? '_' : ''));
}

/** The start of a quoted mail: "On Monday, Ann wrote:", which may be wrapped, or the header of the mail. */
const quoteStart =
  /^(?:[-_ ]{2,}\s?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)|(?:on|am|le|el|il|op|em) .{5,120}(?:wrote|schrieb.{0,60}|a écrit|escribió|ha scritto|schreef.{0,60}|escreveu)\s?:$|(?:from|von|de|da|van):\s.{1,200}@|_{10,}|##- .{1,100} -##$)/i;
const wrappedQuote = /^(?:on|am|le|el|il|op|em) .*\d\d/i;
const mailHead = /^(?:from|von|de|da|van):\s/i;
const mailDate = /^(?:sent|gesendet|date|datum|envoyé|enviado|inviato|data|verzonden|to|an):\s/i;
const signatureStart =
  /^(?:--\s?|—\s?|(?:best|kind|warm)(?:est)? (?:regards|wishes).{0,40}|regards,?.{0,40}|cheers,?|sincerely,?.{0,40}|yours (?:truly|faithfully|sincerely).{0,20}|(?:mit )?(?:freundlichen?|beste[nr]?|viele|liebe) grü(?:ß|ss)en?.{0,40}|mfg,?|lg,?|(?:bien )?cordialement.{0,20}|(?:un )?saludos?(?: cordial(?:es)?)?,?|atentamente,?|atenciosamente,?|cordiali saluti,?|met vriendelijke groet(?:en)?,?|sent from my .{1,60}|von meinem .{1,30} gesendet|envoyé de mon .{1,30}|enviado desde mi .{1,30}|get outlook for .{1,40})$/i;

/** Headings, checkboxes, table rows and empty form answers, and lines that end with a colon. */
const formLine =
  /^(?:#{1,6}\s|[-*] \[[ x]?\]|\|.*\||_?(?:no response|n\/a)_?$|(?:\S+ ){0,4}\S+:$|[^:?!]{0,30}\bversion:)/i;

/**
 * Returns the lines before a signature or a quoted mail, without quoted lines. Leaves out form lines if there are other lines.
 */
function unquotedLines(text: string): string[] {
  const lines: string[] = [];
  const all = text.split('\n').map((line) => line.trim());
  for (const [at, line] of all.entries()) {
    const next = all[at + 1] ?? '';
    const isQuote =
      quoteStart.test(line) ||
      (mailHead.test(line) && mailDate.test(next)) ||
      (wrappedQuote.test(line) && line.length < 120 && quoteStart.test(`${line} ${next}`));
    if (isQuote || (lines.length > 0 && signatureStart.test(line))) break;
    if (line !== '' && !line.startsWith('>') && !line.startsWith('|>')) lines.push(line);
  }
  const own = lines.filter((line) => !formLine.test(line));
  return (own.length > 0 ? own : lines).map((line) => line.replace(/^#{1,6}\s/, ''));
}

/** Whether a sentence is only a number, an address, thanks or consent. */
function isCourtesy(text: string): boolean {
  const bare = text.replace(/\S{1,100}@\S{1,100}|\d[\d\s/.:-]*/g, ' ');
  const words = bare.toLowerCase().match(/[\p{L}\p{N}\p{M}']+/gu) ?? [];
  return (
    words.every((word) => courtesyWords.has(word) || word.length === 1) ||
    (words.length === 1 && /\d/.test(text))
  );
}

function withoutGreeting(text: string): string {
  const rest = text.replace(
    /^(?:hi|hello|hey|hai|hii|dear|good (?:morning|afternoon|evening))(?: (?:there|team|all|everyone|support|sir|madam|guys))?\s?[,!.:-]?\s+/i,
    '',
  );
  return rest.length >= 3 ? rest : text;
}
