import { expect, it } from 'vitest';
import { enqueue } from '../../../src/core/jobs.ts';
import { jobId, jobs } from '../../../src/core/rows/jobs.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { purgeSpaces } from '../../../src/resources/removal/purge-spaces.ts';
import { createSpace, deleteSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld } from '../../support/world.ts';

it('a space that is purged while it is indexed does not look like a damaged store', async () => {
  const world = await createWorld();
  const { store } = world.core;
  const api = world.as('admin');
  const { id } = await api.call(createSpace, { params: { organizationId: world.org }, body: {} });
  const now = new Date(world.core.clock()).toISOString();
  await store.write(async (tx) => {
    const space = (await tx.get(spaces, id))!;
    const revision = (await tx.get(revisions, space.revision))!;
    // One step cannot remove this many rows, so the space exists longer than the revision that is indexed.
    for (let index = 0; index < 150; index++)
      await tx.insert(revisions, { ...revision, id: `rev_more_${index}` });
    await tx.update(spaces, id, { words: { at: null } });
    await enqueue(tx, now, { kind: 'index', organization: world.org, subject: id });
  });
  await api.call(deleteSpace, { params: { spaceId: id }, query: { now: true } });
  await store.write((tx) => purgeSpaces(tx, now));
  expect(await store.read(async (view) => (await view.get(spaces, id))?.state)).toBe('removed');
  await runDueJobs(world.core, { kind: 'index', signal: new AbortController().signal });
  expect(await store.read((view) => view.get(jobs, jobId('index', id)))).toBeUndefined();
});
