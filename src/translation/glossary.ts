import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { plainTextOf } from '../richtext/nodes.ts';
import { partsOfTable } from '../richtext/table-data.ts';

/** A term with its fixed translation; without one it stays as it is. */
export interface Term {
  readonly source: string;
  readonly target?: string;
}

const mostTerms = 500;
const longestTerm = 80;
/** Words that begin an instruction, not a term: "Tone: formal". */
const instructions =
  /^(?:tone|style|voice|audience|formality|register|notes?|language|address|pronouns?|spelling|punctuation|format|dates?|numbers?|units?|context|please|important|example)$/i;
const stays = /^(?:do not|don['’]t|never) (?:translate|change)\b[^:]{0,40}:(.+)$|^keep(?: as is| unchanged| in english)?:(.+)$/i;

/**
 * The glossary that instructions hold: rows of two columns in a table, items such as "term: translation" or
 * "term → translation" in a list, and "do not translate: X, Y" anywhere. A term whose translation is "-" or itself stays.
 */
export function readGlossary({ nodes }: Pick<RichDocumentValue, 'nodes'>): Term[] {
  const terms = new Map<string, Term>();
  const add = (source: string, target: string | undefined): void => {
    const [term, words] = [bare(source.slice(0, 200)), target === undefined ? '' : bare(target.slice(0, 200))];
    if (term === '' || term.length > longestTerm || words.length > longestTerm || terms.size >= mostTerms || terms.has(term.toLowerCase())) return;
    terms.set(term.toLowerCase(), { source: term, ...(words === '' || words === '-' || words === '–' || words === term ? {} : { target: words }) });
  };
  for (const node of nodes) readNode(node, false, add);
  // The longer one counts where a term is part of another.
  return [...terms.values()].sort((one, other) => other.source.length - one.source.length || (one.source < other.source ? -1 : 1));
}

function readNode(node: RichNode, isItem: boolean, add: (source: string, target: string | undefined) => void): void {
  if (node.type === 'table') return readTable(node, add);
  const inner = node.nodes ?? [];
  if (inner.some((child) => child.object === 'block')) {
    for (const child of inner) readNode(child, isItem || node.type === 'list-item', add);
    return;
  }
  for (const line of plainTextOf(node).slice(0, 10_000).split('\n')) {
    const names = stays.exec(line.trim());
    if (names !== null) for (const name of (names[1] ?? names[2]!).split(/[,;]/)) add(name.replace(/\.\s*$/, ''), undefined);
    else if (isItem) readItem(line.trim(), add);
  }
}

function readItem(line: string, add: (source: string, target: string | undefined) => void): void {
  const [, source, sign, target] = /^([^:→=>]{1,80}?)\s*(:|→|=>|->|=)\s*(.{1,80})$/.exec(line) ?? [];
  if (source === undefined || target === undefined) return;
  // A sentence is an instruction.
  const isSentence = /[.!?]$/.test(target) || target.split(/\s+/).length > 6 || source.split(/\s+/).length > 5;
  if (!isSentence && !(sign === ':' && instructions.test(bare(source)))) add(source, target);
}

function readTable(node: RichNode, add: (source: string, target: string | undefined) => void): void {
  const { columns, rows, cell } = partsOfTable(node);
  const [source, target] = columns;
  if (source === undefined || target === undefined) return;
  const words = (value: unknown): string => cell(value).map(plainTextOf).join(' ').trim();
  for (const row of rows.slice(0, mostTerms)) add(words(row[source.id]), words(row[target.id]));
}

function bare(text: string): string {
  return text.trim().replace(/^["'“”«‘`]+|["'“”»’`]+$/g, '').trim(); // prettier-ignore
}
