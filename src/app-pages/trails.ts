import { notFound } from '../errors/problem.ts';
import { getOrganization } from '../resources/organizations/contract.ts';
import { getSpace } from '../resources/spaces/contract.ts';
import type { OutputOf } from '../contract/operation.ts';
import type { PageContext, TrailLink } from './page-view.ts';

/**
 * Returns the link to the organization of a page.
 *
 * @throws Problem(not-found), Problem(forbidden)
 */
export async function organizationTrail(context: PageContext, organizationId: string): Promise<TrailLink[]> {
  const { title } = await context.api.call(getOrganization, { params: { organizationId } });
  return [{ title, href: context.href(`/o/${organizationId}`) }];
}

/**
 * Returns a space that belongs to the organization in its address, with the links that lead to it.
 *
 * @throws Problem(not-found), Problem(forbidden)
 */
export async function openSpace(
  context: PageContext,
  organizationId: string,
  spaceId: string,
): Promise<{ readonly space: OutputOf<typeof getSpace>; readonly trail: readonly TrailLink[] }> {
  const trail = await organizationTrail(context, organizationId);
  const space = await context.api.call(getSpace, { params: { spaceId } });
  if (space.organization !== organizationId) throw notFound('space', spaceId);
  return { space, trail };
}
