import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { plainTextOf } from '../richtext/nodes.ts';
import { partsOfTable } from '../richtext/table-data.ts';

/** A term with its fixed translation. A term without one must not be translated. */
export interface Term {
  readonly source: string;
  readonly target?: string;
}

/** Two lines of a glossary with different translations of one term. */
interface Contradiction {
  readonly term: string;
  readonly lines: readonly [string, string];
}

const maxTerms = 500;
const maxTermLength = 80;
/** Maximum number of words of a term and of its translation. A longer text is a sentence. */
const maxWords = { source: 5, target: 6 };
/** Words before a colon that start an instruction instead of a term: "Tone: formal". */
const instructionWords =
  /^(?:tone|style|voice|audience|formality|register|notes?|language|address|pronouns?|spelling|punctuation|format|dates?|numbers?|units?|context|please|important|example)$/i;
const doNotTranslate =
  /^(?:do not|don['’]t|never) (?:translate|change)\b[^:]{0,40}:(.+)$|^keep(?: as is| unchanged| in english)?:(.+)$/i;

/**
 * Reads the glossary in instructions: table rows of two columns, list items and lines such as "term: translation" or "term →
 * translation", and "do not translate: X, Y" anywhere. A term whose translation is "-" or the term itself must not be translated.
 * Longer terms come first. Reads at most 500 terms of at most 80 characters.
 */
export function readGlossary(document: Pick<RichDocumentValue, 'nodes'>): Term[] {
  return sortTerms(readTerms(document).terms);
}

/** Returns terms sorted by length, longest first, which is the order for searching texts. */
export function sortTerms(terms: readonly Term[]): Term[] {
  return terms.toSorted(
    (one, other) => other.source.length - one.source.length || (one.source < other.source ? -1 : 1),
  );
}

/** Returns the terms with different translations in two lines of a glossary, ignoring case. The first line counts. */
export function findContradictions(document: Pick<RichDocumentValue, 'nodes'>): Contradiction[] {
  return readTerms(document).contradictions;
}

/**
 * Returns a paragraph that probably is a glossary with one term in each line; undefined if there is none. In a document, such
 * lines become one line, in which terms and translations cannot be separated.
 */
export function findJoinedTerms({ nodes }: Pick<RichDocumentValue, 'nodes'>): string | undefined {
  for (const node of nodes) {
    const found = node.type === 'paragraph' ? plainTextOf(node).split('\n').find(joinsTerms) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function joinsTerms(line: string): boolean {
  if (line.length > 10_000 || /[.!?](?:\s|$)|[。！？]/.test(line)) return false;
  const parts = line.split(/:\s|→|=>|->|\s=\s/).map((part) => part.trim().split(/\s+/));
  // The first part is a term, the last one a translation, and each part between them a translation and the next term.
  const { source, target } = maxWords;
  if (parts.length < 3 || (parts[0]?.length ?? 0) > source || (parts.at(-1)?.length ?? 0) > target)
    return false;
  if (parts.slice(1, -1).some(({ length }) => length < 2 || length > source + target)) return false;
  return parts.slice(0, -1).some((words) => !instructionWords.test(trimQuotes(words.at(-1) ?? '')));
}

type AddTerm = (source: string, target: string | undefined, line: string) => void;

function readTerms({ nodes }: Pick<RichDocumentValue, 'nodes'>): {
  terms: Term[];
  contradictions: Contradiction[];
} {
  const terms = new Map<string, { term: Term; line: string }>();
  const contradictions: Contradiction[] = [];
  const add: AddTerm = (source, target, line) => {
    const [name, words] = [trimQuotes(source.slice(0, 200)), trimQuotes((target ?? '').slice(0, 200))];
    if (name === '' || name.length > maxTermLength || words.length > maxTermLength) return;
    const term: Term = { source: name, ...(['', '-', '–', name].includes(words) ? {} : { target: words }) };
    const earlier = terms.get(name.toLowerCase());
    if (earlier === undefined) {
      if (terms.size < maxTerms) terms.set(name.toLowerCase(), { term, line });
    } else if (earlier.term.target?.toLowerCase() !== term.target?.toLowerCase())
      contradictions.push({ term: name, lines: [earlier.line, line] });
  };
  for (const node of nodes) readNode(node, false, add);
  return { terms: [...terms.values()].map(({ term }) => term), contradictions };
}

function readNode(node: RichNode, isItem: boolean, add: AddTerm): void {
  if (node.type === 'table') return readTable(node, add);
  const inner = node.nodes ?? [];
  if (inner.some((child) => child.object === 'block')) {
    for (const child of inner) readNode(child, isItem || node.type === 'list-item', add);
    return;
  }
  for (const line of plainTextOf(node).slice(0, 10_000).split('\n')) {
    const [, listed, kept] = doNotTranslate.exec(line.trim()) ?? [];
    const names = listed ?? kept;
    if (names !== undefined)
      for (const name of names.split(/[,;]/)) add(name.replace(/\.\s*$/, ''), undefined, line.trim());
    else if (isItem || (node.type === 'paragraph' && !joinsTerms(line))) readItem(line.trim(), add);
  }
}

function readItem(line: string, add: AddTerm): void {
  const [, source, sign, target] = /^([^:→=>]{1,80}?)\s*(:|→|=>|->|=)\s*(.{1,80})$/.exec(line) ?? [];
  if (source === undefined || target === undefined) return;
  const isSentence =
    /[.!?]$/.test(target) ||
    target.split(/\s+/).length > maxWords.target ||
    source.split(/\s+/).length > maxWords.source;
  if (!isSentence && !(sign === ':' && instructionWords.test(trimQuotes(source)))) add(source, target, line);
}

function readTable(node: RichNode, add: AddTerm): void {
  const { columns, rows, cell } = partsOfTable(node);
  const [source, target] = columns;
  if (source === undefined || target === undefined) return;
  const words = (value: unknown) => cell(value).map(plainTextOf).join(' ').trim();
  for (const row of rows.slice(0, maxTerms)) {
    const [term, translation] = [words(row[source.id]), words(row[target.id])];
    add(term, translation, `${term} | ${translation}`);
  }
}

function trimQuotes(text: string): string {
  return text.trim().replace(/^["'“”«‘`]+|["'“”»’`]+$/g, '').trim(); // prettier-ignore
}
