import { writeFileSync } from 'node:fs';
import { findAdoption } from '../../src/manifest/find-adoption.ts';
import type { Desired } from '../../src/manifest/desired.ts';
import { readDesired } from '../../src/manifest/read-desired.ts';
import { findDrift, type Drift } from '../../src/manifest/find-drift.ts';
import { chooseEntriesToForget } from '../../src/manifest/choose-entries-to-forget.ts';
import { openStateFile, readState } from '../../src/manifest/state-file.ts';
import { ManifestState } from '../../src/manifest/manifest-state.ts';
import { replaceWithRebuilt, rebuildState, type RebuiltState } from '../../src/manifest/rebuild-state.ts';
import { rescueState } from '../../src/manifest/rescue-state.ts';
import { surveyLive } from '../../src/manifest/survey.ts';
import { createBench, type Bench } from './bench.ts';
import { readFolder } from './read/folder.ts';

/** A bench that was brought to a text in memory, whose lock then lies on the disk: one write for many. */
export async function broughtTo(text: string): Promise<Bench> {
  const bench = await createBench();
  bench.keepsLock = false;
  await bench.bring(text);
  if (bench.lock !== undefined)
    writeFileSync(bench.lockOptions.path, JSON.stringify({ version: 1, sections: [bench.lock] }));
  bench.keepsLock = true;
  bench.forget();
  return bench;
}

export async function desiredOf(bench: Bench): Promise<Desired> {
  return readDesired((await readFolder(bench.folder)).root);
}

export function driftOf(bench: Bench): Promise<Drift> {
  return findDrift({ api: bench.api, state: readState(bench.lockOptions), concurrency: 4 });
}

/** `space.guide title: "A" → "B"` for each field, `space.guide gone` for what is no more. */
export function driftLines({ resources }: Drift): string[] {
  return resources.flatMap(({ address, status, because, changes }) =>
    status === 'gone'
      ? [`${address} gone${because === undefined ? '' : ` with ${because}`}`]
      : changes.map(
          ({ field, before, after }) =>
            `${address} ${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
        ),
  );
}

const free = () => Promise.resolve(() => {});

/** Does something with the lock as a command does it. */
export async function withLock(
  bench: Bench,
  work: (lock: ManifestState) => Promise<void> | void,
  isDamaged = false,
): Promise<void> {
  const held = await openStateFile(
    bench.lockOptions,
    free,
    isDamaged ? () => rescueState(bench.lockOptions).file : undefined,
  );
  await work(held.state);
  await held.save();
  await held.release();
}

export function forgetIn(bench: Bench, addresses: readonly string[], force = false): Promise<void> {
  return withLock(bench, (lock) => {
    for (const { address } of chooseEntriesToForget(lock, addresses, { force })) lock.delete(address);
  });
}

export async function adoptIn(bench: Bench, address: string, given: string): Promise<void> {
  const desired = await desiredOf(bench);
  await withLock(bench, async (lock) =>
    lock.set(address, (await findAdoption({ api: bench.api, desired, state: lock, address, given })).owned),
  );
}

/** Makes the lock anew; answers what came of it. */
export async function rebuildIn(bench: Bench): Promise<RebuiltState> {
  const desired = await desiredOf(bench);
  let rebuilt: RebuiltState | undefined;
  await withLock(
    bench,
    async (lock) => {
      const { place, organization } = lock;
      const empty = new ManifestState({ place, organization, key: '0'.repeat(64), serial: 0, resources: {} });
      const survey = await surveyLive({
        api: bench.api,
        organization,
        desired,
        state: empty,
        concurrency: 4,
        formerId: (address) => lock.get(address)?.id,
      });
      rebuilt = rebuildState(desired, survey, lock);
      replaceWithRebuilt(lock, rebuilt);
    },
    true,
  );
  return rebuilt!;
}
