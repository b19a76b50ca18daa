import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { docsctl } from '../../support/cli.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-init-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const run = (...words: string[]) =>
  docsctl(words, { home, env: { DOCSCTL_CONFIG_DIR: join(home, 'config') } });
const acme = ['--org-title', 'Acme', '--email', 'ana@acme.test'];

describe.each(['sqlite', 'json'])('docsctl init of a %s store', (scheme) => {
  let store: string;
  beforeEach(() => {
    store = `${scheme}:${join(home, 'sub', `new.${scheme}`)}`;
  });

  it.each([
    [
      'a title that is too short',
      ['--org-title', 'A', '--email', 'ana@acme.test'],
      8,
      '`docsctl init --help`',
    ],
    ['an invalid email', ['--org-title', 'Acme', '--email', 'ana'], 8, '`docsctl init --help`'],
    ['an empty name', [...acme, '--display-name', ''], 8, '`docsctl init --help`'],
    ['a missing email', ['--org-title', 'Acme'], 64, 'docsctl init --org-title TITLE --email EMAIL'],
    ['an invalid query', [...acme, '--query', '[['], 8, '--query'],
    ['an unknown column', [...acme, '--columns', 'nope'], 8, 'administrator'],
    ['a dry run', [...acme, '--dry-run'], 0, 'was not created'],
  ])('creates nothing with %s', async (_, words, exit, hint) => {
    const refused = await run('init', '--store', store, ...words);
    expect(refused).toMatchObject({ exit, stdout: '' });
    expect(refused.stderr).toContain(hint);
    expect(refused.stderr).not.toContain('provision');
    expect(readdirSync(home)).toEqual([]);
    expect(await run('init', '--store', store, ...acme)).toMatchObject({ exit: 0 });
  });

  it('refuses a second organization, and leaves the store unchanged', async () => {
    expect(await run('init', '--store', store, ...acme)).toMatchObject({ exit: 0 });
    const again = await run('init', '--store', store, '--org-title', 'Second', '--email', 'bo@acme.test');
    expect(again).toMatchObject({ exit: 6, stdout: '' });
    expect(again.stderr).toContain('docsctl orgs create --title TITLE --email EMAIL');
    expect(
      JSON.parse((await run('orgs', 'list', '--store', store, '-o', 'json')).stdout).items,
    ).toMatchObject([{ title: 'Acme' }]);
    expect((await run('members', 'list', '--store', store, '-o', 'json')).stdout).not.toContain(
      'bo@acme.test',
    );
  });

  it('notes that the token was not printed with -o none, and how to list it', async () => {
    const made = await run('init', '--store', store, ...acme, '-o', 'none');
    expect(made).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: expect.stringContaining(
        'The token was not shown. Create another with `docsctl tokens create --role ROLE --org org_',
      ),
    });
    const list = (...words: string[]) =>
      run('tokens', 'list', '--store', store, '--columns', 'role', ...words);
    expect(await list()).toMatchObject({
      stdout: 'role\n',
      stderr: expect.stringContaining('are listed only for that user, with --mine'),
    });
    expect(await list('--mine')).toMatchObject({ stdout: 'role\nadmin\n', stderr: '' });
  });
});

it('docsctl init refuses a store in memory, because it would be lost', async () => {
  expect(await run('init', '--store', 'memory:', ...acme)).toMatchObject({
    exit: 64,
    stdout: '',
    stderr: expect.stringContaining('with --store sqlite:docs.db.'),
  });
});
