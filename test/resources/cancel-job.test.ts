import { afterEach, beforeEach, expect, it } from 'vitest';
import { enqueue } from '../../src/core/jobs.ts';
import { jobs } from '../../src/core/rows/jobs.ts';
import { cancelJob } from '../../src/resources/jobs/contract.ts';
import { createWorld } from '../support/world.ts';
import { openGuideStore, type GuideStore } from '../cli/guide-store.ts';
import { splitWords } from '../support/cli.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideStore()));
afterEach(() => desk.discard());

const done = async (line: string) => (await desk.done(splitWords(line), { env })).stdout;
const run = (line: string) => desk.run(splitWords(line), { env });
const env = { DOCSCTL_TRANSLATION: '' };
const jobOf = async (kind: string) => (await done(`jobs list --kind ${kind} -o id`)).trim();

it('ends the waiting runs of a Git synchronization and removes the job', async () => {
  await done('spaces git import Guide https://git.example.com/acme/docs.git --ref main');
  await done('spaces git import Guide https://git.example.com/acme/other.git --ref main');
  await done(`jobs cancel ${await jobOf('git-sync')}`);
  expect(await jobOf('git-sync')).toBe('');
  const { items } = JSON.parse(await done('spaces git runs Guide -o json'));
  expect(items).toMatchObject([
    { state: 'failure', problem: { reason: 'interrupted', message: 'The run was canceled.' } },
    { state: 'failure', problem: { reason: 'interrupted', message: 'The run was canceled.' } },
  ]);
  // The repository of a run that read nothing is not stored.
  expect(await done('spaces git info Guide --columns repository -o tsv')).toContain('/acme/docs.git');
  expect(await done('audit list --columns action -o tsv')).toContain('jobs.cancel');
  await done('spaces git import Guide https://git.example.com/acme/docs.git --ref main');
  expect(await jobOf('git-sync')).toMatch(/^git-sync\.spc_/);
});

it('leaves a translation pending until it is run again', async () => {
  await done('translations create --space Guide --from en --language de');
  const job = await jobOf('translation');
  await done(`jobs cancel ${job}`);
  const { items } = JSON.parse(await done('translations list -o json'));
  expect(items).toMatchObject([{ status: 'pending', problem: { message: 'The run was canceled.' } }]);
  await done(`translations run ${items[0].id}`);
  expect(await jobOf('translation')).toBe(job);
});

it('refuses a job that is missing, has failed or is of a kind that cannot be canceled', async () => {
  expect(await run('jobs cancel git-sync.spc_1')).toMatchObject({ exit: 5 });
  await done('translations create --space Guide --from en --language de');
  const job = await jobOf('translation');
  await run('jobs run');
  const failed = await run(`jobs cancel ${job}`);
  expect([failed.exit, failed.stderr]).toEqual([6, expect.stringContaining(`\`docsctl jobs retry ${job}\``)]);
  await done('openapi create billing --text {}');
  const other = await run(`jobs cancel ${await jobOf('openapi')}`);
  expect([other.exit, other.stderr]).toEqual([
    6,
    expect.stringContaining('conversations, git-sync, translation'),
  ]);
});

it('refuses a running job and a job of another organization', async () => {
  const world = await createWorld();
  const id = 'git-sync.spc_1';
  const cancel = (organizationId: string) =>
    world.as('admin').call(cancelJob, { params: { organizationId, jobId: id } });
  await world.core.store.write(async (tx) => {
    const now = new Date(world.core.clock()).toISOString();
    await enqueue(tx, now, { kind: 'git-sync', organization: world.org, subject: 'spc_1' });
    await tx.update(jobs, id, { owner: 'worker' });
  });
  await expect(cancel(world.org)).rejects.toMatchObject({
    reason: 'conflict',
    message: `The job ${id} is running.`,
  });
  await world.core.store.write((tx) => tx.update(jobs, id, { owner: null, organization: 'org_other' }));
  await expect(cancel(world.org)).rejects.toMatchObject({ reason: 'not-found' });
});
