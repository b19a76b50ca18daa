import type { Api } from '../../contract/api.ts';
import type { InputOf } from '../../contract/operation.ts';
import { plural } from '../../contract/values.ts';
import type { Reason } from '../../errors/catalog.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { describeSource } from '../../resources/content/links/describe-source.ts';
import type { BrokenLinkBody } from '../../resources/content/links/schemas.ts';
import { findBrokenLinks } from '../../resources/organizations/contract.ts';
import { getSpace } from '../../resources/spaces/contract.ts';
import { drawBroken, type Broken } from './broken-redirects.ts';
import { drawMoved, type Moved, type StatedSites } from './moved-redirects.ts';
import type { Session } from '../session/session.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Styler } from '../output/style.ts';

/** Planned changes of spaces and of the structure of sites. */
export type PlannedChanges = NonNullable<InputOf<typeof findBrokenLinks>['body']>;

/** The links that planned changes would break, and new broken links. */
export interface LinkImpact {
  /** The number of these links. `brokenLinks` contains at most 1000 of them, new ones last. */
  readonly count: number;
  /** The number of new ones. */
  readonly brokenNew: number;
  readonly brokenLinks: readonly BrokenLinkBody[];
  /** The number of links in the changed spaces that are already broken. */
  readonly brokenBefore: number;
  /** The redirects that keep the old addresses of moved pages on published sites working. */
  readonly redirects: readonly Moved[];
  /** The redirects whose destination would be removed. */
  readonly brokenRedirects: readonly Broken[];
  readonly statedSites?: StatedSites;
}

/** Maximum number of links that one call returns. */
const maxListed = 1000;
export const maxShownLinks = 20;

/** Errors of a server that cannot check links, or not for this caller. The check is skipped then. */
const uncheckable: readonly Reason[] = [
  'not-found',
  'not-implemented',
  'method-not-allowed',
  'forbidden',
  'too-large',
];

/** Reads which links changes would break. Undefined if the server cannot tell. */
export async function readLinkImpact(
  api: Api,
  organizationId: string,
  changes: PlannedChanges,
  signal: AbortSignal,
): Promise<LinkImpact | undefined> {
  if (changes.spaces.length === 0 && changes.structure === undefined)
    return { count: 0, brokenNew: 0, brokenLinks: [], brokenBefore: 0, redirects: [], brokenRedirects: [] };
  try {
    const {
      count,
      items,
      brokenNew = 0,
      brokenBefore,
      redirects = [],
      brokenRedirects = [],
    } = await api.call(
      findBrokenLinks,
      { params: { organizationId }, query: { limit: maxListed }, body: changes },
      { signal },
    );
    return {
      count: count ?? items.length,
      brokenNew,
      brokenLinks: items,
      brokenBefore,
      redirects,
      brokenRedirects,
    };
  } catch (error) {
    if (error instanceof Problem && uncheckable.includes(error.reason)) return undefined;
    throw error;
  }
}

/** Returns an impact as data. */
export function impactData({
  brokenLinks,
  redirects,
  brokenRedirects,
}: LinkImpact): Pick<LinkImpact, 'brokenLinks' | 'redirects' | 'brokenRedirects'> {
  return { brokenLinks, redirects, brokenRedirects };
}

/** Describes how many links would break, how many new ones are broken, and how many are already broken. */
export function summarizeImpact({ count, brokenNew, brokenBefore }: LinkImpact): string {
  const broken = count - brokenNew;
  return [
    ...(broken === 0 && brokenNew > 0
      ? []
      : [`${broken === 0 ? 'No link' : plural(broken, 'link')} would break.`]),
    ...(brokenNew === 0
      ? []
      : [`${plural(brokenNew, 'new link leads', 'new links lead')} to no page or anchor.`]),
    ...(brokenBefore === 0 ? [] : [`${plural(brokenBefore, 'link is', 'links are')} already broken.`]),
  ].join(' ');
}

/** Returns the redirects that a change request would need; none if the server cannot tell. */
export async function readMoved(
  session: Session,
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId: string },
): Promise<readonly Moved[]> {
  const { organization } = await session.call(getSpace, { params: { spaceId } });
  return readRedirects(session, organization, { space: spaceId, changeRequest: changeRequestId });
}

/** Returns the redirects that a planned change of a space needs; none if the server cannot tell. */
export async function readRedirects(
  session: Session,
  organization: string,
  planned: PlannedChanges['spaces'][number],
): Promise<readonly Moved[]> {
  const changes = { spaces: [planned], links: false };
  try {
    const impact = await readLinkImpact(await session.api(), organization, changes, session.runtime.signal);
    return impact?.redirects ?? [];
  } catch (error) {
    // A server of an earlier version does not support earlier revisions, or always checks links, which would take too long for an
    // edit.
    if (isProblem(error, 'invalid-input')) return [];
    throw error;
  }
}

/**
 * Draws the effect of a change on links and addresses: a line for each broken link with its place, with the reason below; then
 * the redirects that would break, and those for changed addresses.
 */
export function drawImpact(impact: LinkImpact, style: Styler): string {
  return (
    drawLinks(impact, style) +
    drawBroken(impact.brokenRedirects, style) +
    drawMoved(impact.redirects, style, impact.statedSites)
  );
}

function drawLinks(impact: LinkImpact, style: Styler): string {
  const { count, brokenNew, brokenLinks } = impact;
  if (count === 0) return '';
  const isNew = (link: BrokenLinkBody) => link.new === true;
  const broken = brokenLinks.filter((link) => !isNew(link));
  const listed = listLinks(broken, count - brokenNew, style);
  const added = listLinks(brokenLinks.filter(isNew), brokenNew, style);
  // If there are links of both kinds, each list gets a title.
  const title = listed !== '' && added !== '' ? `${style('New links:', ['yellow'])}\n` : '';
  return `${style(summarizeImpact(impact), ['yellow'])}\n${listed}${title}${added}`;
}

/** Lists the first links of `count`, each with its place and the reason. */
function listLinks(links: readonly BrokenLinkBody[], count: number, style: Styler): string {
  const lines = links
    .slice(0, maxShownLinks)
    .map(
      (link) =>
        `  ${style(escapeControls(describeSource(link)), ['bold'])}  ${style(escapeControls(link.href), ['red'])}\n    ${escapeControls(link.message)}\n`,
    );
  const more = count - lines.length;
  const rest = more > 0 ? `  … and ${more} more; -o json lists up to ${maxListed}.\n` : '';
  return `${lines.join('')}${rest}`;
}
