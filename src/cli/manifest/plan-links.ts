import { previewChanges } from '../../content-sync/send-import.ts';
import { listSome } from '../../contract/values.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import {
  maxShownLinks,
  placeOf,
  readLinkImpact,
  summarizeImpact,
  type LinkImpact,
  type PlannedSpace,
} from '../link-impact.ts';
import type { Session } from '../session.ts';
import { codeSpan, escapeMarkdown } from './markdown-report.ts';
import type { LoadedManifest } from './load-manifest.ts';
import type { Target } from './target.ts';

/** Finds the links that a plan breaks: by new content of spaces, and by spaces that it deletes. */
export async function planLinks(
  session: Session,
  { contents }: Pick<LoadedManifest, 'contents'>,
  { api, organization }: Pick<Target, 'api' | 'organization'>,
  { steps }: PlanDocument,
): Promise<LinkImpact | undefined> {
  const remote = /^https?:/.test(api.place);
  const spaces: PlannedSpace[] = [];
  const skipped: string[] = [];
  for (const { kind, action, id, name, changes } of steps) {
    if (kind !== 'space' || id === undefined) continue;
    if (action === 'delete') spaces.push({ space: id, deleted: true });
    const content = changes.some(({ field }) => field === 'content') ? contents.get(id) : undefined;
    if (content === undefined || action === 'unsupported' || action === 'delete') continue;
    const preview = previewChanges(content, { remote });
    if (preview === undefined) skipped.push(name);
    else spaces.push({ space: id, changes: preview });
  }
  if (skipped.length > 0)
    session.note(`The changes of ${listSome(skipped)} are too large to check their links before an apply.`);
  return readLinkImpact(api, organization, spaces, session.runtime.signal);
}

/** Writes the links that a plan breaks for a comment on a pull request. */
export function impactMarkdown(impact: LinkImpact): string {
  if (impact.count === 0) return '';
  const cell = (text: string): string => codeSpan(text).replaceAll('|', '\\|');
  const rows = impact.brokenLinks
    .slice(0, maxShownLinks)
    .map((link) => `| ${cell(placeOf(link))} | ${cell(link.href)} | ${escapeMarkdown(link.message)} |\n`);
  const more = impact.count - rows.length;
  const rest = more > 0 ? `\n${more} more links.\n` : '';
  return `\n#### Links\n\n${escapeMarkdown(summarizeImpact(impact))}\n\n| place | link | reason |\n| --- | --- | --- |\n${rows.join('')}${rest}`;
}
