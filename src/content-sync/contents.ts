import { posix } from 'node:path';
import { defined, truncate } from '../contract/values.ts';
import type { Warning } from './folder.ts';
import { fromRoot } from './contents-links.ts';
import { isWebAddress, resolveLink } from './resolve-link.ts';
import type { FolderSettings } from './settings.ts';
import type { SummaryEntry } from './summary.ts';
import type { WarningRule } from './warning-rules.ts';
import type { SummaryNode } from './write-summary.ts';

/** A resolved entry of a table of contents: a page of the folder, a link, or a group of them. */
export interface ContentsNode extends SummaryNode {
  readonly line: number;
  readonly children: readonly ContentsNode[];
}

/**
 * Resolves the entries of a table of contents. Missing pages are left out with a warning, and their children move up. A page that
 * is listed again, or with an anchor, becomes a link. Groups exist only at the top level: a deeper one becomes a document without
 * a path.
 */
export function resolveContents(
  entries: readonly SummaryEntry[],
  settings: Pick<FolderSettings, 'root' | 'summary'>,
  isThere: (path: string) => boolean,
): { nodes: ContentsNode[]; warnings: Warning[] } {
  const { summary } = settings;
  const warnings: Warning[] = [];
  const whole = new Set(wholePages(entries, summary, isThere));
  const seen = new Set<string>();
  const nodesOf = (inner: readonly SummaryEntry[]): ContentsNode[] =>
    inner.flatMap((entry) => nodeOf(entry, 'document'));
  const nodeOf = (
    { kind, title, linkTitle, computed, target = '', slug, line, children }: SummaryEntry,
    groupType: 'group' | 'document',
  ): ContentsNode[] => {
    const warn = (rule: WarningRule, message: string) =>
      warnings.push({ file: summary, line, rule, message: `${target.slice(0, 200)} ${message}` });
    const given = defined({ slug });
    const shown = defined({ linkTitle });
    if (computed !== undefined)
      return [{ type: 'link', title, computed, path: '', href: target, line, children: [] }];
    if (kind === 'group') {
      const below = nodesOf(children);
      const group = { type: groupType, title, path: '', href: '', ...given, line, children: below };
      return groupType === 'document' && below.length === 0 ? [] : [group];
    }
    const path = resolveTarget(summary, target, isThere);
    const isPage = path !== undefined && isMarkdown(path);
    const isPart = path !== undefined && hasAnchor(summary, target, path);
    if (path === undefined && !isWebAddress(target)) warn('summary', 'is outside the folder and is skipped');
    else if (path === summary) warn('summary', 'is the table of contents itself and is skipped');
    else if (isPage && !isThere(path)) warn('missing-page', 'does not exist and is skipped');
    else if (!isPage || seen.has(path) || (isPart && whole.has(path))) {
      if (path !== undefined && !isThere(path)) warn('missing-page', 'does not exist and becomes a link');
      else if (isPage && !isPart)
        warn('repeated-page', 'is already in the table of contents and becomes a link');
      const href = truncate(fromRoot(target, settings), 2048);
      return [{ type: 'link', title, ...shown, path: '', href, line, children: [] }, ...nodesOf(children)];
    } else {
      seen.add(path);
      return [
        { type: 'document', title, ...shown, path, href: '', ...given, line, children: nodesOf(children) },
      ];
    }
    return nodesOf(children);
  };
  return { nodes: entries.flatMap((entry) => nodeOf(entry, 'group')), warnings };
}

/** Yields the pages that entries lead to without an anchor. */
function* wholePages(
  entries: readonly SummaryEntry[],
  summary: string,
  isThere: (path: string) => boolean,
): Generator<string> {
  for (const { target = '', children } of entries) {
    const path = resolveTarget(summary, target, isThere);
    if (path !== undefined && !hasAnchor(summary, target, path)) yield path;
    yield* wholePages(children, summary, isThere);
  }
}

/** Whether a target has an anchor. The name of a file may contain "#" too. */
function hasAnchor(summary: string, target: string, path: string): boolean {
  return /#./.test(target) && path === resolveLink(summary, target);
}

/** Returns the file of a target. The target may be a file whose name contains "#" or "?", or a folder with a README. */
function resolveTarget(
  summary: string,
  target: string,
  isThere: (path: string) => boolean,
): string | undefined {
  const path = resolveLink(summary, target);
  if (path === undefined || isThere(path)) return path;
  const written = resolveLink(summary, target.replace(/[?#]/g, encodeURIComponent));
  if (written !== undefined && isMarkdown(written) && isThere(written)) return written;
  const readme = posix.join(path, 'README.md');
  return !isMarkdown(path) && isThere(readme) ? readme : path;
}

/** Whether a file is read as a page, by the extension of its name. */
export function isMarkdown(path: string): boolean {
  return /\.(mdx?|markdown)$/i.test(path);
}

/** Whether a file is the index of its folder by its name, such as `_index.md`. */
export function isIndexFile(path: string): boolean {
  return /^_?index\.mdx?$/i.test(posix.basename(path));
}
