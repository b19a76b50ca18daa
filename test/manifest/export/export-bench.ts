import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Desired } from '../../../src/manifest/desired.ts';
import { readDesired } from '../../../src/manifest/read-desired.ts';
import { updateState, knownFromState } from '../../../src/manifest/export/update-state.ts';
import {
  exportOrganization,
  type Exported,
  type ExportRequest,
} from '../../../src/manifest/export/export-organization.ts';
import type { Kind } from '../../../src/manifest/kind.ts';
import { ManifestState } from '../../../src/manifest/manifest-state.ts';
import type { PlanDocument } from '../../../src/manifest/plan-document.ts';
import { makePlan } from '../../../src/manifest/plan.ts';
import { surveyLive } from '../../../src/manifest/survey.ts';
import type { Bench } from '../bench.ts';
import { folderOf, readFolder } from '../read/folder.ts';

type More = Partial<Pick<ExportRequest, 'kinds' | 'known' | 'hadFile' | 'portable' | 'table' | 'api'>>;

export function exportBench(bench: Pick<Bench, 'api' | 'world'>, more: More = {}): Promise<Exported> {
  return exportOrganization({ api: bench.api, organization: bench.world.org, concurrency: 4, ...more });
}

/** A lock that nothing is written into yet. */
export function emptyLock(bench: Pick<Bench, 'api' | 'world'>): ManifestState {
  return new ManifestState({
    place: bench.api.place,
    organization: bench.world.org,
    key: '0'.repeat(64),
    serial: 1,
    resources: {},
  });
}

/** The lock that an export brings along. */
export function lockOf(bench: Pick<Bench, 'api' | 'world'>, exported: Exported): ManifestState {
  const lock = emptyLock(bench);
  updateState(lock, exported.owned, exported.kinds, new Map());
  return lock;
}

export function knownOf(
  bench: Pick<Bench, 'api' | 'world'>,
  exported: Exported,
): NonNullable<ExportRequest['known']> {
  return knownFromState(lockOf(bench, exported));
}

export async function desiredOf({ files }: Exported, table?: readonly Kind[]): Promise<Desired> {
  const folder = folderOf(Object.fromEntries(files));
  return readDesired((await readFolder(folder, { sources: ['.'] })).root, table);
}

/** What a plan of the exported folder says. */
export async function planOf(
  bench: Pick<Bench, 'api' | 'world'>,
  exported: Exported,
  lock: ManifestState = lockOf(bench, exported),
  table?: readonly Kind[],
): Promise<PlanDocument> {
  const desired = await desiredOf(exported, table);
  const more = table === undefined ? {} : { table };
  const survey = await surveyLive({
    api: bench.api,
    organization: bench.world.org,
    desired,
    state: lock,
    concurrency: 4,
    ...more,
  });
  return makePlan({ desired, survey, state: lock, ...more });
}

/** Applies an export to another bench, all of its files in its folder. */
export async function applyTo(bench: Bench, { files }: Exported, jobs: number): Promise<void> {
  for (const [path, text] of files) {
    const target = join(bench.folder, path === 'docsctl.yaml' ? 'org.yaml' : path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const result = await bench.apply({ concurrency: jobs });
  const failed = result.rows.filter(({ status }) => status !== 'done');
  if (failed.length > 0)
    throw new Error(
      failed
        .map(({ key, status, problem, because }) => `${key} ${status} ${problem?.message ?? because}`)
        .join('\n'),
    );
}

export function textOf({ files }: Exported): string {
  return [...files].map(([path, text]) => `### ${path}\n${text}`).join('');
}
