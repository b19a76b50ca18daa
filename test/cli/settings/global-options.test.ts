import { afterEach, beforeEach, expect, it } from 'vitest';
import { wordsOf } from '../../../src/cli/command-words.ts';
import { allCommands } from '../../support/whole-program.ts';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

it('every list command accepts --all, and its help shows it only if there can be further pages', async () => {
  const lists = (await allCommands()).filter(
    (command) => command.name() === 'list' && command.commands.length === 0,
  );
  expect(lists.length).toBeGreaterThan(40);
  expect(lists.filter(({ options }) => !options.some(({ long }) => long === '--all')).map(wordsOf)).toEqual(
    [],
  );
  expect((await desk.run(['spaces', 'list', '--help'])).stdout).toContain('--all');
  expect((await desk.run(['pages', 'list', '--help'])).stdout).not.toContain('--all');
});

it('a list without further pages is the same with --all', async () => {
  await desk.publish(page('Home', 'Welcome'), page('Install', 'Run it'));
  for (const words of [
    ['pages', 'list', 'Guide'],
    ['spaces', 'pages', 'list', 'Guide'],
    ['profiles', 'list'],
    ['spaces', 'permissions', 'list', 'Guide'],
  ])
    for (const format of ['json', 'ndjson', 'table']) {
      const plain = await desk.done([...words, '-o', format]);
      expect(await desk.done([...words, '--all', '-o', format])).toEqual(plain);
    }
  const { stdout } = await desk.done(['pages', 'list', 'Guide', '--all', '-o', 'ndjson']);
  expect(stdout.trim().split('\n')).toHaveLength(2);
});
