import type { RichDocumentValue, RichNode } from '../contract/shapes.ts';
import { plainTextOf } from '../richtext/nodes.ts';
import { partsOfTable } from '../richtext/table-data.ts';

/** A term with its fixed translation; without one it stays as it is. */
export interface Term {
  readonly source: string;
  readonly target?: string;
}

/** Two lines of a glossary that say different things of one term. */
export interface Contradiction {
  readonly term: string;
  readonly lines: readonly [string, string];
}

const mostTerms = 500;
const longestTerm = 80;
/** Words that begin an instruction, not a term: "Tone: formal". */
const instructions =
  /^(?:tone|style|voice|audience|formality|register|notes?|language|address|pronouns?|spelling|punctuation|format|dates?|numbers?|units?|context|please|important|example)$/i;
const stays =
  /^(?:do not|don['’]t|never) (?:translate|change)\b[^:]{0,40}:(.+)$|^keep(?: as is| unchanged| in english)?:(.+)$/i;

/**
 * The glossary that instructions hold: rows of two columns in a table, items such as "term: translation" or
 * "term → translation" in a list, and "do not translate: X, Y" anywhere. A term whose translation is "-" or itself stays.
 */
export function readGlossary(document: Pick<RichDocumentValue, 'nodes'>): Term[] {
  // The longer one counts where a term is part of another.
  return readTerms(document).terms.sort(
    (one, other) => other.source.length - one.source.length || (one.source < other.source ? -1 : 1),
  );
}

/** What a glossary says in two ways, whatever the capitals: of these the first line would count. */
export function contradictionsIn(document: Pick<RichDocumentValue, 'nodes'>): Contradiction[] {
  return readTerms(document).contradictions;
}

/** Takes a term with what shall stand for it, and the line that says so. */
type Add = (source: string, target: string | undefined, line: string) => void;

function readTerms({ nodes }: Pick<RichDocumentValue, 'nodes'>): {
  terms: Term[];
  contradictions: Contradiction[];
} {
  const terms = new Map<string, { readonly term: Term; readonly line: string }>();
  const contradictions: Contradiction[] = [];
  const add: Add = (source, target, line) => {
    const [name, words] = [
      bare(source.slice(0, 200)),
      target === undefined ? '' : bare(target.slice(0, 200)),
    ];
    if (name === '' || name.length > longestTerm || words.length > longestTerm) return;
    const term: Term = {
      source: name,
      ...(words === '' || words === '-' || words === '–' || words === name ? {} : { target: words }),
    };
    const known = terms.get(name.toLowerCase());
    if (known === undefined) {
      if (terms.size < mostTerms) terms.set(name.toLowerCase(), { term, line });
    } else if (known.term.target?.toLowerCase() !== term.target?.toLowerCase())
      contradictions.push({ term: name, lines: [known.line, line] });
  };
  for (const node of nodes) readNode(node, false, add);
  return { terms: [...terms.values()].map(({ term }) => term), contradictions };
}

function readNode(node: RichNode, isItem: boolean, add: Add): void {
  if (node.type === 'table') return readTable(node, add);
  const inner = node.nodes ?? [];
  if (inner.some((child) => child.object === 'block')) {
    for (const child of inner) readNode(child, isItem || node.type === 'list-item', add);
    return;
  }
  for (const line of plainTextOf(node).slice(0, 10_000).split('\n')) {
    const names = stays.exec(line.trim());
    if (names !== null)
      for (const name of (names[1] ?? names[2]!).split(/[,;]/))
        add(name.replace(/\.\s*$/, ''), undefined, line.trim());
    else if (isItem) readItem(line.trim(), add);
  }
}

function readItem(line: string, add: Add): void {
  const [, source, sign, target] = /^([^:→=>]{1,80}?)\s*(:|→|=>|->|=)\s*(.{1,80})$/.exec(line) ?? [];
  if (source === undefined || target === undefined) return;
  // A sentence is an instruction.
  const isSentence =
    /[.!?]$/.test(target) || target.split(/\s+/).length > 6 || source.split(/\s+/).length > 5;
  if (!isSentence && !(sign === ':' && instructions.test(bare(source)))) add(source, target, line);
}

function readTable(node: RichNode, add: Add): void {
  const { columns, rows, cell } = partsOfTable(node);
  const [source, target] = columns;
  if (source === undefined || target === undefined) return;
  const words = (value: unknown): string => cell(value).map(plainTextOf).join(' ').trim();
  for (const row of rows.slice(0, mostTerms)) {
    const [term, translation] = [words(row[source.id]), words(row[target.id])];
    add(term, translation, `${term} | ${translation}`);
  }
}

function bare(text: string): string {
  return text.trim().replace(/^["'“”«‘`]+|["'“”»’`]+$/g, '').trim(); // prettier-ignore
}
