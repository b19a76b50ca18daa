import type { Warning } from './folder.ts';
import { isWebAddress, resolveLink } from './resolve-link.ts';
import type { SummaryEntry } from './summary.ts';

/** An entry of a table of contents with what it leads to: a page of the folder, a link, or a group of them. */
export interface ContentsNode {
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  /** File of a document, below the folder. */
  readonly path: string;
  /** Address of a link. */
  readonly href: string;
  readonly line: number;
  readonly children: readonly ContentsNode[];
}

/** Looks up what a table of contents names. What is not there or is there twice is left out with a warning; what lies under it moves up. */
export function resolveContents(entries: readonly SummaryEntry[], summary: string, isThere: (path: string) => boolean): { nodes: ContentsNode[]; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const seen = new Set<string>();
  const nodesOf = (inner: readonly SummaryEntry[]): ContentsNode[] => inner.flatMap(nodeOf);
  const nodeOf = ({ kind, title, target = '', line, children }: SummaryEntry): ContentsNode[] => {
    const warn = (message: string) => warnings.push({ file: summary, line, message: `${target.slice(0, 200)} ${message}` });
    if (kind === 'group') return [{ type: 'group', title, path: '', href: '', line, children: nodesOf(children) }];
    const path = resolveLink(summary, target);
    if (path === undefined && !isWebAddress(target)) warn('lies outside the folder and is left out');
    else if (path === undefined || !isMarkdown(path)) return [{ type: 'link', title, path: '', href: target.slice(0, 2048), line, children: [] }, ...nodesOf(children)];
    else if (path === summary) warn('is the table of contents itself and is left out');
    else if (seen.has(path)) warn('is in the table of contents already; a page can be there once');
    else if (!isThere(path)) warn('is not there and is left out');
    else {
      seen.add(path);
      return [{ type: 'document', title, path, href: '', line, children: nodesOf(children) }];
    }
    return nodesOf(children);
  };
  return { nodes: nodesOf(entries), warnings };
}

/** Whether a file is a page by its name. */
export function isMarkdown(path: string): boolean {
  return /\.(md|markdown)$/i.test(path);
}
