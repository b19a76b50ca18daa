import { previewChanges } from '../../content-sync/send-import.ts';
import { listSome } from '../../contract/values.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { describeSource } from '../../resources/content/links/describe-source.ts';
import {
  maxShownLinks,
  readLinkImpact,
  summarizeImpact,
  type LinkImpact,
  type PlannedChanges,
} from '../results/link-impact.ts';
import type { Session } from '../session/session.ts';
import { brokenMarkdown } from '../results/broken-redirects.ts';
import { movedMarkdown } from '../results/moved-redirects.ts';
import { sourcesIn, withoutStated, type StatedRedirects } from './collect-moved.ts';
import { codeSpan, escapeMarkdown } from './markdown-report.ts';
import { planBrokenRedirects } from './plan-redirects.ts';
import type { LoadedManifest } from './load-manifest.ts';
import type { Target } from './target.ts';

const structureKinds: readonly string[] = ['site', 'section', 'site-space'];

/** Finds the links that a plan breaks: by new content of spaces, and by moving or deleting spaces, sites and sections. */
export async function planLinks(
  session: Session,
  { contents, desired }: LoadedManifest,
  target: Pick<Target, 'api' | 'organization'>,
  { steps }: PlanDocument,
): Promise<LinkImpact | undefined> {
  const { api, organization } = target;
  const isRemote = /^https?:/.test(api.place);
  const spaces: PlannedChanges['spaces'] = [];
  const structure: NonNullable<PlannedChanges['structure']> = [];
  const skipped: string[] = [];
  for (const { kind, action, id, name, changes } of steps) {
    if (id === undefined || action === 'unsupported') continue;
    if (structureKinds.includes(kind)) {
      const path = changes.find(({ field }) => field === 'path')?.after;
      const isDefault = changes.some(({ field, after }) => field === 'default' && after === true);
      if (action === 'delete') structure.push({ id, deleted: true });
      else if (typeof path === 'string' || isDefault)
        structure.push({
          id,
          ...(typeof path === 'string' ? { path } : {}),
          ...(isDefault ? { default: true } : {}),
        });
    }
    if (kind !== 'space') continue;
    if (action === 'delete') spaces.push({ space: id, deleted: true });
    const content = changes.some(({ field }) => field === 'content') ? contents.get(id)?.plan : undefined;
    if (content === undefined || action === 'delete') continue;
    const preview = previewChanges(content, isRemote);
    if (preview === undefined) skipped.push(name);
    else spaces.push({ space: id, changes: preview });
  }
  if (skipped.length > 0)
    session.note(`The changes of ${listSome(skipped)} are too large to check their links before an apply.`);
  const planned = { spaces, ...(structure.length === 0 ? {} : { structure }) };
  const impact = await readLinkImpact(api, organization, planned, session.runtime.signal);
  if (impact === undefined) return undefined;
  const stated = statedRedirects(desired, steps);
  return {
    ...impact,
    redirects: withoutStated(impact.redirects, stated),
    brokenRedirects: await planBrokenRedirects(impact.brokenRedirects, { steps }, desired, target),
    statedSites: new Set(stated.keys()),
  };
}

/** Returns the redirects of each site whose manifest states them. */
function statedRedirects(
  { byAddress }: LoadedManifest['desired'],
  steps: PlanDocument['steps'],
): StatedRedirects {
  return new Map(
    steps.flatMap(({ kind, id, address }) => {
      const value = kind === 'site' ? byAddress.get(address)?.fields.get('redirects')?.value : undefined;
      return id !== undefined && Array.isArray(value) ? [[id, sourcesIn(value)] as const] : [];
    }),
  );
}

/** Writes the links that a plan breaks, and the redirects that it needs, for a comment on a pull request. */
export function impactMarkdown(impact: LinkImpact): string {
  const moved = brokenMarkdown(impact.brokenRedirects) + movedMarkdown(impact.redirects, impact.statedSites);
  if (impact.count === 0) return moved;
  const cell = (text: string) => codeSpan(text).replaceAll('|', '\\|');
  const rows = impact.brokenLinks
    .slice(0, maxShownLinks)
    .map(
      (link) => `| ${cell(describeSource(link))} | ${cell(link.href)} | ${escapeMarkdown(link.message)} |\n`,
    );
  const more = impact.count - rows.length;
  const rest = more > 0 ? `\n${more} more links.\n` : '';
  return `\n#### Links\n\n${escapeMarkdown(summarizeImpact(impact))}\n\n| place | link | reason |\n| --- | --- | --- |\n${rows.join('')}${rest}${moved}`;
}
