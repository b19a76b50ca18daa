import type { Warning } from './folder.ts';
import { unescapeMarkdown } from './resolve-link.ts';

/** One line of a table of contents: a group of pages, or a page or link in it. */
export interface SummaryEntry {
  readonly kind: 'group' | 'page';
  readonly title: string;
  /** Where the page lies, or where the link leads, as it is written; undefined for a group. */
  readonly target?: string;
  readonly line: number;
  readonly children: SummaryEntry[];
}

interface Open {
  readonly indent: number;
  readonly children: SummaryEntry[];
}

const maxEntries = 20_000;

/** Reads SUMMARY.md: "##" begins a group, a rule ends it, list items are pages, their indentation is the nesting. */
export function readSummary(text: string, file: string): { entries: SummaryEntry[]; warnings: Warning[] } {
  const entries: SummaryEntry[] = [];
  const warnings: Warning[] = [];
  let top = entries;
  let open: Open[] = [];
  let count = 0;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const content = raw.slice(0, 8192).trim();
    const warn = (message: string) => warnings.push({ file, line, message });
    if (content === '' || content.startsWith('<!--') || content.startsWith('# ') || content === '#') continue;
    if (isRule(content)) {
      [top, open] = [entries, []];
      continue;
    }
    const isGroup = content.startsWith('#');
    const item = isGroup ? undefined : readItem(content);
    if (!isGroup && item === undefined) {
      warn('is not a page of the table of contents and is left out');
      continue;
    }
    if (++count > maxEntries) {
      warn(`is one page too many: ${maxEntries} are taken`);
      break;
    }
    if (item === undefined) {
      const group: SummaryEntry = { kind: 'group', title: plainTitle(content.replace(/^#+/, '')) || 'Untitled', line, children: [] };
      entries.push(group);
      [top, open] = [group.children, []];
      continue;
    }
    const indent = widthOf(raw);
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    if (open.length >= 15) {
      warn('lies deeper than pages can and is put one level up');
      open.pop();
    }
    const entry: SummaryEntry = { kind: 'page', ...item, line, children: [] };
    (open.at(-1)?.children ?? top).push(entry);
    open.push({ indent, children: entry.children });
  }
  return { entries, warnings };
}

/** Reads `* [title](target "link title")`. */
function readItem(content: string): { title: string; target: string } | undefined {
  if (!/^[*+-][ \t]/.test(content)) return undefined;
  const text = content.slice(1).trim();
  const middle = endOfTitle(text);
  if (middle === -1) return undefined;
  const rest = text.slice(middle + 2).trim();
  const end = rest.startsWith('<') ? rest.indexOf('>') : endOfTarget(rest);
  if (end === -1) return undefined;
  const target = unescapeMarkdown(rest.startsWith('<') ? rest.slice(1, end) : rest.slice(0, end));
  return target === '' ? undefined : { title: plainTitle(text.slice(1, middle)) || target.slice(0, 255), target };
}

/** Where `[title](` has its "](", the first that no backslash stands in front of. */
function endOfTitle(text: string): number {
  if (!text.startsWith('[')) return -1;
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ']' && text[at + 1] === '(') return at;
  }
  return -1;
}

/** Where a link's target ends: at a blank, or at the ")" that nothing opened. */
function endOfTarget(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ' ' || text[at] === '\t') return at;
    if (text[at] === '\\') at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')' && depth-- === 0) return at;
  }
  return -1;
}

/** A title without the marks and backslashes that Markdown needs; at most 255 characters. */
function plainTitle(text: string): string {
  return text
    .replace(/\\([!-/:-@[-`{-~])|[`*]+/g, '$1')
    .trim()
    .slice(0, 255)
    .toWellFormed();
}

function isRule(content: string): boolean {
  return /^([-*_])(\s*\1){2,}$/.test(content);
}

function widthOf(line: string): number {
  const indent = /^[ \t]*/.exec(line)![0];
  return indent.replaceAll('\t', '    ').length;
}
