import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

/** Commands that change files of this machine also print their result as JSON. */
describe('commands that change only this machine', () => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openGuideStore();
    await desk.done(['login', '--store', 'json:other.json', '--name', 'other']);
  });
  afterEach(() => desk.discard());

  const number = expect.any(Number) as number;
  it.each<[string, object, string]>([
    ['config set org Acme', { id: 'org', value: 'Acme', place: 'profile "other"' }, 'id'],
    ['config unset org', { id: 'org', value: null }, 'id'],
    ['profiles use other', { id: 'other', current: true }, 'id'],
    ['profiles delete other --yes', { id: 'other', deleted: true }, 'id'],
    ['login --store json:a.json --name a', { profile: 'a', store: 'json:a.json' }, 'profile'],
    ['logout --profile other', { profile: 'other' }, 'profile'],
    ['spaces pdf Guide -O guide.pdf --force', { path: 'guide.pdf', bytes: number }, 'path'],
    ['store backup a.ndjson --force', { rows: number }, 'path'],
    ['audit export -O audit.ndjson --force', { events: number }, 'path'],
  ])('print their result as JSON: %s', async (line, outcome, idField) => {
    const words = line.split(' ');
    const shown = JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);
    expect(shown).toMatchObject(outcome);
    if (line.startsWith('profiles delete'))
      await desk.done(['login', '--store', 'json:other.json', '--name', 'other']);
    // The command had its effect already, so -o id must not fail.
    expect((await desk.done([...words, '-o', 'id'])).stdout).toBe(`${shown[idField]}\n`);
  });

  it('delete several profiles, also if the store of the profile in use is gone', async () => {
    await desk.done(['login', '--store', 'json:other.json', '--name', 'more']);
    writeFileSync(
      join(desk.home, 'config', 'config.json'),
      readFileSync(join(desk.home, 'config', 'config.json'), 'utf8').replaceAll('other.json', 'gone.json'),
    );
    const words = ['profiles', 'delete', 'other', 'more'];
    const env = { DOCSCTL_STORE: '' };
    expect(await desk.run([...words, 'none', '--yes'], { env })).toMatchObject({ exit: 5 });
    expect(await desk.run(words, { env })).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('required to delete other, more (profiles), but there is no terminal'),
    });
    const { runtime, err } = runtimeOf(words, {
      ...desk.options,
      env: { ...desk.options.env, ...env },
      attended: true,
      input: 'y\n',
    });
    expect(await run({ ...runtime, promptOutput: new PassThrough() })).toBe(0);
    expect(String(err.bytes())).toContain('Deleted 2 profiles.');
    expect(await desk.done(['profiles', 'list', '-o', 'id'])).toMatchObject({ stdout: '' });
  });

  it('keep the other settings of a profile at another login to the same store', async () => {
    await desk.done(['config', 'set', 'space', 'Guide', '--profile', 'other']);
    await desk.done(['profiles', 'use', 'other']);
    const saved = async (...words: string[]) => {
      const name = (await desk.done(['login', ...words, '-o', 'id'])).stdout.trim();
      const file = JSON.parse(readFileSync(join(desk.home, 'config', 'config.json'), 'utf8'));
      return [name, file.profiles[name].space];
    };
    expect(await saved('--store', 'json:other.json')).toEqual(['other', 'Guide']);
    expect(await saved('--store', 'json:third.json')).toEqual(['default', undefined]);
    expect(await saved('--store', 'json:third.json', '--name', 'other')).toEqual(['other', undefined]);
  });

  it('can create and list the profile that a project file names', async () => {
    writeFileSync(desk.at('.docsctl.yaml'), 'profile: team\n');
    expect(await desk.run(['spaces', 'list'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining(`There is no profile "team", which ${desk.at('.docsctl.yaml')} names.`),
    });
    await desk.done(['profiles', 'list']);
    await desk.done(['login', '--name', 'team', '--store', 'json:other.json']);
    await desk.done(['spaces', 'list']);
  });

  it('print errors as JSON if a profile or project file sets this output', async () => {
    await desk.done(['config', 'set', 'output', 'json', '--profile', 'other']);
    const failing = ['spaces', 'get', 'Missing'];
    const printed = async (...words: string[]) => (await desk.run([...failing, ...words])).stderr;
    expect(JSON.parse(await printed('--profile', 'other'))).toMatchObject({ error: { reason: 'not-found' } });
    expect(await printed('--profile', 'other', '-o', 'table')).toMatch(/^error: There is no space/);
    writeFileSync(desk.at('.docsctl.yaml'), 'output: json\n');
    expect(JSON.parse(await printed())).toMatchObject({ error: { reason: 'not-found' } });
  });

  it('note that nobody was signed in at logout', async () => {
    const { stderr } = await desk.done(['logout', '--profile', 'other']);
    expect(stderr).toContain('Nobody was signed in: profile "other" has no token.');
  });

  it('print nothing on stdout if no output format is given', async () => {
    expect(await desk.done(['config', 'set', 'org', 'Acme'])).toMatchObject({ stdout: '' });
    expect(await desk.done(['spaces', 'pdf', 'Guide', '-O', 'guide.pdf'])).toMatchObject({ stdout: '' });
    expect(existsSync(desk.at('guide.pdf'))).toBe(true);
  });
});
