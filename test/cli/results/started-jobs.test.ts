import { afterAll, beforeAll, expect, it } from 'vitest';
import { splitWords } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

const runIt =
  'A job is queued. If a server uses this store, the server runs it. Otherwise, run `docsctl jobs run`.\n';

it.each(['import', 'export --commit-message Publish'])('spaces git %s names its job', async (words) => {
  const [verb = '', ...more] = splitWords(words);
  const address = 'https://git.example.com/acme/docs.git';
  const line = ['spaces', 'git', verb, 'Guide', address, '--ref', 'main', ...more];
  const { stdout, stderr } = await desk.done(line);
  const [job] = (await desk.done(splitWords('jobs list --kind git-sync -o id'))).stdout.split('\n');
  expect([stdout, stderr]).toEqual([
    '',
    `The run is part of job ${job}. \`docsctl spaces git runs Guide\` shows its state and result.\n${runIt}`,
  ]);
  await desk.done(['jobs', 'get', String(job)]);
  expect((await desk.done(splitWords('spaces git runs Guide'))).stdout).toContain(verb);
  expect((await desk.done([...line, '--dry-run'])).stderr).not.toContain('job');
});
