import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideServer, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideServer();
});
afterEach(() => desk.discard());

const list = ['spaces', 'list', '--columns', 'title'];

it('--trace prints each request, and changes nothing else', async () => {
  const plain = await desk.done(list);
  expect(plain.stderr).toBe('');
  const traced = await desk.done([...list, '--trace']);
  expect(traced.stdout).toBe(plain.stdout);
  expect(traced.stderr.trimEnd().split('\n').at(-1)).toMatch(
    /^GET \/v1\/orgs\/org_\w+\/spaces(\?\S*)? 200 \d+ ms \S+$/,
  );
});

it('an argument and the option for the same value cannot be used together', async () => {
  await desk.done(['spaces', 'create', '--title', 'Other']);
  for (const words of [
    ['spaces', 'get', 'Guide', '--space', 'Other'],
    ['spaces', 'pdf', 'Guide', '--space', 'Other', '-O', 'out.pdf'],
    ['spaces', 'pages', 'list', 'Guide', '--space', 'Other'],
    ['pages', 'edit', 'Guide', 'start', '--space', 'Other'],
  ])
    expect(await desk.run(words), words.join(' ')).toMatchObject({
      exit: 64,
      stderr:
        'error: The argument "space" ("Guide") and --space cannot be used together.\nhint: Use only one of them.\n',
    });
  expect((await desk.done(['spaces', 'get', '--space', 'Other', '-o', 'json'])).stdout).toContain('"Other"');
});

it('--record saves each request to a file, and prints requests only together with --trace', async () => {
  const file = desk.at('a.har');
  const entriesOf = () => JSON.parse(readFileSync(file, 'utf8')).log.entries;
  expect((await desk.done([...list, '--record', 'a.har'])).stderr).toBe('');
  const { length } = entriesOf();
  expect(length).toBeGreaterThan(0);
  expect(entriesOf().at(-1)).toMatchObject({ request: { method: 'GET' }, response: { status: 200 } });
  const { stderr } = await desk.done([...list, '--record', 'a.har', '--trace']);
  expect(stderr.trimEnd().split('\n')).toHaveLength(length);
  expect(entriesOf()).toHaveLength(length);
});
