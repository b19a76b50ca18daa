import { isDeepStrictEqual } from 'node:util';
import { comparable } from '../../core/redirect-paths.ts';
import { openBackend } from '../../manifest/backend.ts';
import type { Desired } from '../../manifest/desired.ts';
import { places, type StatedRedirect } from '../../manifest/kinds/redirects.ts';
import { callStructure, type Structure } from '../../manifest/kinds/structure.ts';
import type { PlanDocument, Step } from '../../manifest/plan-document.ts';
import { isReference } from '../../manifest/value.ts';
import type { Broken } from '../results/broken-redirects.ts';
import type { Target } from './target.ts';

/** The redirects that a manifest states for a site: those of now, as it would state them, and those that it wants. */
interface StatedRedirects {
  readonly site: Broken['site'];
  readonly before: readonly StatedRedirect[];
  readonly after: readonly StatedRedirect[];
}

/**
 * Completes the redirects of now that a plan leaves without a destination. For sites whose manifest states all redirects,
 * those that it changes are left out, and those that it adds are looked at.
 */
export async function planBrokenRedirects(
  live: readonly Broken[],
  { steps }: Pick<PlanDocument, 'steps'>,
  { byAddress }: Desired,
  { api, organization }: Pick<Target, 'api' | 'organization'>,
): Promise<Broken[]> {
  const stated = statedBySite(steps, byAddress);
  const broken = live.filter(({ site, source, draft }) => {
    const found = stated.get(site.id);
    const isThis = (one: StatedRedirect): boolean =>
      comparable(one.source) === comparable(source) && (one.draft ?? false) === draft;
    return (
      found === undefined ||
      found.after.some((one) => isThis(one) && found.before.some((old) => isDeepStrictEqual(old, one)))
    );
  });
  const deleted = new Set(steps.flatMap(({ action, id }) => (action === 'delete' ? (id ?? []) : [])));
  if (deleted.size === 0) return broken;
  const spaceIds = new Map(steps.map(({ address, id }) => [address, id]));
  for (const { site, before, after } of stated.values()) {
    const added = after.filter((one) => !before.some((old) => isDeepStrictEqual(old, one)));
    if (added.length === 0 || deleted.has(site.id)) continue;
    const backend = await openBackend(api, organization, { withPeople: false });
    const structure = await callStructure(backend, { kind: 'site', id: site.id });
    for (const one of added) {
      const space = isReference(one.space) ? spaceIds.get(one.space['docsctl:ref']) : one.space;
      const message = whatIsDeleted({ section: one.section, space }, structure, deleted);
      if (message === undefined) continue;
      const { source, draft = false } = one;
      broken.push({ object: 'broken-redirect', site, source, draft, message });
    }
  }
  return broken;
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
    found.set(id, { site: { id, title: name }, before, after });
  }
  return found;
}

/** Says what becomes of the section or space that a redirect leads to, if the plan deletes it. */
function whatIsDeleted(
  { section: path, space }: { section: string | undefined; space: string | undefined },
  structure: Structure,
  deleted: ReadonlySet<string>,
): string | undefined {
  const isGone = (id: string | undefined): boolean => id !== undefined && deleted.has(id);
  const section = structure.sections.find((one) => one.path === path);
  if (isGone(section?.id)) return `The section "${section?.title ?? ''}" is deleted.`;
  if (space === undefined) return undefined;
  const shown = places(structure).find(
    (place) => place.siteSpace.space.id === space && (path === undefined || place.section === path),
  );
  const within = structure.sections.find((one) => one.path === shown?.section);
  return shown !== undefined && (isGone(shown.siteSpace.id) || isGone(within?.id))
    ? `The site no longer shows the space "${shown.siteSpace.title}".`
    : undefined;
}
