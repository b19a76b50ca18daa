import type { ResolveHost } from '../../../src/content-sync/git-sync/connect.ts';
import type { OutputOf } from '../../../src/contract/operation.ts';
import { defined } from '../../../src/contract/values.ts';
import type { Core } from '../../../src/core/embedded.ts';
import { listGitRuns } from '../../../src/resources/git-sync/contract.ts';
import { syncGitRepository } from '../../../src/resources/git-sync/sync/contract.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';

export type Run = OutputOf<typeof listGitRuns>['items'][number];

/** Creates a world that can run git. */
export function createSyncWorld(env: Core['env'] = {}, resolveHost?: ResolveHost): Promise<World> {
  return createWorld('memory:', { env: { PATH: process.env['PATH'], ...env }, ...defined({ resolveHost }) });
}

/** Synchronizes a space, and returns the run after it ended. */
export async function synchronize(
  world: World,
  spaceId: string,
  body: object,
  who: Who = 'owner',
): Promise<Run> {
  const { id } = await world.as(who).call(syncGitRepository, { params: { spaceId }, body });
  return endedRun(world, spaceId, id);
}

/** Runs the queued jobs of a space, and returns one of the runs (default: the latest). */
export async function endedRun(world: World, spaceId: string, id?: string): Promise<Run> {
  await world
    .as('owner')
    .work?.({ kind: 'git-sync', signal: new AbortController().signal, onEvent: () => {} });
  const { items } = await world.as('owner').call(listGitRuns, { params: { spaceId } });
  const run = id === undefined ? items.at(-1) : items.find((one) => one.id === id);
  if (run === undefined) throw new Error('the run is not listed');
  return run;
}
