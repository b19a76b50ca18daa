import { listRevisions } from '../../../resources/content/revision/contract.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import { readRedirects } from '../../results/link-impact.ts';
import { makeMoved } from '../../results/make-moved.ts';
import type { Moved } from '../../results/moved-redirects.ts';
import type { Session } from '../../session/session.ts';

/**
 * Finds the redirects that the latest change of a space needs because it was made without --redirects, and creates them unless
 * this is a dry run.
 */
export async function catchUpRedirects(session: Session, spaceId: string): Promise<readonly Moved[]> {
  const { organization, revision } = await session.call(getSpace, { params: { spaceId } });
  const { items } = await session.call(listRevisions, {
    params: { spaceId },
    query: { type: 'merge', limit: 1 },
  });
  const since = items.find(({ id }) => id === revision)?.parents[0];
  if (since === undefined) return [];
  const moved = await readRedirects(session, organization, { space: spaceId, since });
  if (session.flags.dryRun === true || moved.length === 0) return moved;
  const made = await makeMoved(session, organization, moved);
  return moved.map((one) => (made.has(one) ? { ...one, done: true } : one));
}
