import type { Term } from './glossary.ts';

/** A part of a segment: words to translate, something that stays as it is, or words between two ends that stay. */
export type Piece<K> =
  | { readonly text: string }
  | { readonly keep: K }
  | { readonly around: K; readonly inner: readonly Piece<K>[] };

/** What in a text is for machines: tags, variables, formulas, addresses, codes of emojis, footnotes, forms of printf. */
const kept = [
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

/** A text in pieces: words, and what stays as it is. */
export type Protect = (text: string) => readonly ({ readonly text: string } | { readonly keep: string })[];

/** Takes texts apart; terms that must not be changed or have a fixed translation are among what stays. */
export function protectorOf(terms: readonly Term[]): Protect {
  const pattern = new RegExp(
    kept.join('|') +
      terms.map(({ source }) => `|(?<![\\p{L}\\p{N}_])${escape(source)}(?![\\p{L}\\p{N}_])`).join(''),
    'giu',
  );
  const known = new Map(terms.map((term) => [term.source.toLowerCase(), term]));
  return (text) => {
    const pieces: ({ text: string } | { keep: string })[] = [];
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
      pieces.push({ keep: replaced(match[0], known.get(match[0].toLowerCase())) });
      at = match.index + match[0].length;
    }
    if (at < text.length) pieces.push({ text: text.slice(at) });
    return pieces;
  };
}

/** The fixed translation of a term, with a capital where the term has one. */
function replaced(found: string, term: Term | undefined): string {
  if (term?.target === undefined) return found;
  const isRaised = found[0] !== term.source[0] && found[0] === found[0]!.toUpperCase();
  return isRaised ? term.target[0]!.toUpperCase() + term.target.slice(1) : term.target;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Whether there are words in the pieces. */
export function hasWords(pieces: readonly Piece<unknown>[]): boolean {
  return pieces.some((piece) =>
    'text' in piece ? /\p{L}/u.test(piece.text) : 'inner' in piece && hasWords(piece.inner),
  );
}
