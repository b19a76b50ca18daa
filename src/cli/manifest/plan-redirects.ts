import { isDeepStrictEqual } from 'node:util';
import { comparable } from '../../core/redirect-paths.ts';
import { nameOf } from '../../manifest/address.ts';
import { openBackend } from '../../manifest/backend.ts';
import type { Desired } from '../../manifest/desired.ts';
import { places, type Place, type StatedRedirect } from '../../manifest/kinds/redirects.ts';
import { callStructure, type Structure } from '../../manifest/kinds/structure.ts';
import type { PlanDocument, Step } from '../../manifest/plan-document.ts';
import { isReference } from '../../manifest/value.ts';
import type { Broken } from '../results/broken-redirects.ts';
import type { Target } from './target.ts';

/** The redirects of a site whose manifest states them: the current ones in the form of the manifest, and the stated ones. */
interface StatedRedirects {
  readonly site: Broken['site'];
  readonly before: readonly StatedRedirect[];
  readonly after: readonly StatedRedirect[];
  /** The spaces that the plan adds to the site. */
  readonly newSpaces: readonly unknown[];
}

/**
 * Completes the list of current redirects that a plan breaks. For sites whose manifest states all redirects, it leaves out those
 * that the apply moves to another place of their space, and checks those that it adds.
 */
export async function planBrokenRedirects(
  live: readonly Broken[],
  { steps }: Pick<PlanDocument, 'steps'>,
  { byAddress }: Desired,
  { api, organization }: Pick<Target, 'api' | 'organization'>,
): Promise<Broken[]> {
  const stated = statedBySite(steps, byAddress);
  const broken = live.filter(({ site }) => !stated.has(site.id));
  const deleted = new Set(steps.flatMap(({ action, id }) => (action === 'delete' ? (id ?? []) : [])));
  const spaceIds = new Map(steps.map(({ address, id }) => [address, id]));
  for (const { site, before, after, newSpaces } of stated.values()) {
    const lost = live.filter((one) => one.site.id === site.id);
    if (deleted.has(site.id) || (lost.length === 0 && (deleted.size === 0 || before === after))) continue;
    const backend = await openBackend(api, organization, { withPeople: false });
    const structure = await callStructure(backend, { kind: 'site', id: site.id });
    const isThere = staysIn(structure, deleted);
    for (const one of after) {
      const { section, source, draft = false } = one;
      const isKept = before.some((old) => isDeepStrictEqual(old, one));
      const found = lost.find((other) => isKept && keyOf(other) === keyOf({ source, draft }));
      if (isKept && found === undefined) continue;
      const space = isReference(one.space) ? spaceIds.get(one.space['docsctl:ref']) : one.space;
      const isMoved = section === undefined && newSpaces.some((added) => isDeepStrictEqual(added, one.space));
      const message = isMoved ? undefined : whatIsDeleted({ section, space }, structure, deleted);
      const { destination } = found ?? {};
      const isPageLost =
        destination?.kind === 'site-page' &&
        places(structure).some((place) => place.siteSpace.id === destination.siteSpaceId && isThere(place));
      if (found !== undefined && (message !== undefined || isPageLost)) broken.push(found);
      else if (message !== undefined)
        broken.push({ object: 'broken-redirect', site, source, draft, message });
    }
  }
  return broken;
}

function keyOf({ source, draft }: Pick<Broken, 'source' | 'draft'>): string {
  return `${draft} ${comparable(source)}`;
}

function statedBySite(
  steps: readonly Step[],
  byAddress: Desired['byAddress'],
): ReadonlyMap<string, StatedRedirects> {
  const found = new Map<string, StatedRedirects>();
  for (const { kind, id, address, name } of steps) {
    const value = kind === 'site' ? byAddress.get(address)?.fields.get('redirects')?.value : undefined;
    if (id === undefined || !Array.isArray(value)) continue;
    const change = steps
      .filter((step) => step.address === address)
      .flatMap(({ changes }) => changes)
      .find(({ field }) => field === 'redirects');
    const after = (change?.after ?? value) as StatedRedirect[];
    const before = change === undefined ? after : ((change.before ?? []) as StatedRedirect[]);
    const newSpaces = steps
      .filter((step) => step.action === 'create' && step.address.startsWith(`site-space.${nameOf(address)}/`))
      .flatMap(({ changes }) => changes)
      .flatMap((one) => (one.field === 'space' ? [one.after] : []));
    found.set(id, { site: { id, title: name }, before, after, newSpaces });
  }
  return found;
}

/** Returns a function that tells whether a place of a site remains after the deletes of a plan. */
function staysIn({ sections }: Structure, deleted: ReadonlySet<string>): (place: Place) => boolean {
  const paths = new Set(sections.flatMap(({ id, path }) => (deleted.has(id) ? path : [])));
  return ({ siteSpace: { id, space }, section = '' }) =>
    !deleted.has(id) && !deleted.has(space.id) && !paths.has(section);
}

/** Describes the section or space of a redirect that the plan deletes. */
function whatIsDeleted(
  { section: path, space }: { section: string | undefined; space: string | undefined },
  structure: Structure,
  deleted: ReadonlySet<string>,
): string | undefined {
  const section = structure.sections.find((one) => one.path === path);
  if (section !== undefined && deleted.has(section.id)) return `The section "${section.title}" is deleted.`;
  const shown = places(structure).filter(
    (place) => place.siteSpace.space.id === space && (path === undefined || place.section === path),
  );
  const [first] = shown;
  return first === undefined || shown.some(staysIn(structure, deleted))
    ? undefined
    : `The site no longer shows the space "${first.siteSpace.title}".`;
}
