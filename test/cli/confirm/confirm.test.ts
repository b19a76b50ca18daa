import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf, splitWords } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

/** Returns the question of a command on a terminal, without spaces, because it is wrapped. */
async function questionOf(line: string): Promise<string> {
  const { runtime } = runtimeOf(splitWords(line), {
    ...desk.options,
    attended: true,
    columns: 300,
    input: 'n\n',
  });
  const drawn = new PassThrough();
  expect(await run({ ...runtime, promptOutput: drawn })).toBe(9);
  return stripVTControlCharacters(String(drawn.read())).replace(/\s+/g, '');
}

it('the question before a deletion names the store and the organization', async () => {
  const named = /DeleteGuide\(space\)onjson:[^,]*,organizationAcme\?/;
  expect(await questionOf('spaces delete Guide')).toMatch(named);
  const { stdout: id } = await desk.done(['orgs', 'list', '-o', 'id']);
  expect(await questionOf(`spaces delete Guide --org ${id.trim()}`)).toMatch(named);
});

it('the question names no organization if there are several and none is chosen', async () => {
  const { stdout: space } = await desk.done(['spaces', 'get', 'Guide', '-o', 'id']);
  await desk.done(['orgs', 'create', '--title', 'Other', '--email', 'ana@acme.test']);
  expect(await questionOf(`spaces delete ${space.trim()}`)).not.toContain('organization');
  expect(await questionOf('spaces delete Guide --org Acme')).toContain(',organizationAcme?');
});
