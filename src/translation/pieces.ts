import { capitalize } from '../contract/values.ts';
import type { Term } from './glossary.ts';

/** A part of a segment: words to translate, a kept part, or words inside a kept part, such as a link. */
export type Piece<K> =
  | { readonly text: string }
  | { readonly keep: K }
  | { readonly around: K; readonly inner: readonly Piece<K>[] };

/** Machine-readable text: tags, variables, formulas, addresses, emoji codes, footnotes, printf formats. */
const protectedPatterns = [
  String.raw`\n`,
  String.raw`\{%[^\n]{0,500}?%\}`,
  String.raw`\{\{[^{}\n]{0,200}\}\}`,
  String.raw`\$\$[^$\n]{1,500}\$\$`,
  String.raw`\$?\{[\w.$-]{1,100}\}`,
  String.raw`(?:https?:\/\/|www\.)[^\s<>"]{1,2000}`,
  String.raw`[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}`,
  String.raw`<[a-z\/!][^<>\n]{0,200}>`,
  String.raw`:[a-z][a-z0-9_+-]{1,40}:`,
  String.raw`\[\^[^\[\]\s]{1,60}\]:?`,
  String.raw`%(?:\(\w{1,40}\))?[sd](?!\w)`,
];

/** Splits a text into words and kept parts. */
export type Protector = (text: string) => readonly ({ readonly text: string } | { readonly keep: string })[];

/** Returns a function that splits texts. A term is a kept part, replaced by its fixed translation if it has one. */
export function createProtector(terms: readonly Term[]): Protector {
  const pattern = new RegExp(
    protectedPatterns.join('|') +
      terms.map(({ source }) => `|(?<![\\p{L}\\p{N}_])${escapeRegExp(source)}(?![\\p{L}\\p{N}_])`).join(''),
    'giu',
  );
  const known = new Map(terms.map((term) => [term.source.toLowerCase(), term]));
  return (text) => {
    const pieces: ({ text: string } | { keep: string })[] = [];
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
      pieces.push({ keep: translateTerm(match[0], known.get(match[0].toLowerCase())) });
      at = match.index + match[0].length;
    }
    if (at < text.length) pieces.push({ text: text.slice(at) });
    return pieces;
  };
}

/** Returns the fixed translation of a term, capitalized like the text. */
function translateTerm(found: string, term: Term | undefined): string {
  if (term?.target === undefined) return found;
  const first = found.charAt(0);
  const isRaised = first !== term.source[0] && first === first.toUpperCase();
  return isRaised ? capitalize(term.target) : term.target;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Whether a piece contains a letter to translate. */
export function hasWords(pieces: readonly Piece<unknown>[]): boolean {
  return pieces.some((piece) =>
    'text' in piece ? /\p{L}/u.test(piece.text) : 'inner' in piece && hasWords(piece.inner),
  );
}
