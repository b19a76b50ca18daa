import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesOf } from '../../content-sync/folder-support.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['teams', 'create', 'Writers']);
  await desk.done(['collections', 'create', '--title', 'Product: one']);
  await desk.done(['spaces', 'create', '--title', 'API', '--parent', 'Product: one']);
  await desk.done(['sites', 'create', '--title', 'Docs', '--spaces', 'Guide']);
});
afterEach(() => desk.discard());

const main = () => readFileSync(desk.at('acme', 'docsctl.yaml'), 'utf8');
const organization = async (): Promise<string> =>
  (JSON.parse((await desk.done(['orgs', 'list', '-o', 'json'])).stdout) as { items: { id: string }[] })
    .items[0]!.id;

describe('docsctl export', () => {
  it('writes no IDs with --portable, so that another organization can apply the folder', async () => {
    expect((await desk.done(['export', '-d', 'acme', '--portable'])).stderr).toContain('; 0 warnings.');
    expect(main()).not.toMatch(/\b(org|spc|site|col|team)_[0-9A-Z]{26}\b|hostname/);
    expect(existsSync(desk.at('acme', 'docsctl.state.json'))).toBe(false);
    await desk.done(['orgs', 'create', '--title', 'Labs', '--email', 'lee@labs.test']);
    const there = ['--org', 'Labs', '--as', 'lee@labs.test'];
    const labs = ['-f', 'acme', ...there];
    expect(await desk.run(['apply', ...labs, '-y'])).toMatchObject({ exit: 0 });
    expect(await desk.run(['plan', ...labs, '--detailed-exitcode'])).toMatchObject({ exit: 0 });
  });

  it('leaves out settings of the organization itself with --portable', async () => {
    await desk.done(['orgs', 'update', '--logo', 'https://acme.test/logo.png', '--default-role', 'comment']);
    await desk.done(['orgs', 'update', '--email-domains', 'acme.test']);
    const { stderr } = await desk.done(['export', '-d', 'acme', '--portable']);
    // Every organization has a title and a hostname of its own, so only these two are lost.
    expect(stderr.split('\n').filter((line) => line.startsWith('warning: '))).toEqual(
      ['emailDomains', 'logo'].map(
        (name) => `warning: "${name}" of org.settings was not exported: it belongs to this organization only`,
      ),
    );
    const settings = /^org:\n(?: .*\n)+/m.exec(main())?.[0];
    expect(settings).toBe('org:\n  settings:\n    defaultRole: comment\n');
    await desk.done(['orgs', 'create', '--title', 'Labs', '--email', 'lee@labs.test']);
    const there = ['--org', 'Labs', '--as', 'lee@labs.test'];
    const labs = async () =>
      JSON.parse((await desk.done(['orgs', 'get', 'Labs', ...there, '-o', 'json'])).stdout) as Record<
        string,
        unknown
      >;
    const before = await labs();
    await desk.done(['apply', '-f', 'acme', ...there, '-y']);
    expect(await labs()).toEqual({ ...before, defaultRole: 'comment' });
  });

  it('writes a folder with an empty plan, and later rewrites only what changed', async () => {
    const { stderr } = await desk.done(['export', '-d', 'acme']);
    expect(stderr).toContain('files: 1 new, 0 changed, 0 unchanged, 0 deleted; 0 warnings.');
    expect(main()).toBe(`version: 1

org:
  id: ${await organization()}
  settings:
    title: Acme
    hostname: acme

teams:
  writers:
    title: Writers
    members:
      - { email: ana@acme.test, role: owner }

members:
  ana@acme.test: { role: admin }

collections:
  product-one: { title: "Product: one" }

spaces:
  guide: { title: Guide }
  api: { title: API, parent: !ref collection.product-one }

sites:
  docs:
    title: Docs
    basename: docs
    siteSpaces:
      - { path: guide, space: !ref space.guide, default: true }
`);
    expect(await desk.run(['plan', '-f', 'acme', '--detailed-exitcode'])).toMatchObject({ exit: 0 });
    const seen = () =>
      ['docsctl.yaml', 'docsctl.state.json']
        .map((name) => statSync(desk.at('acme', name), { bigint: true }))
        .map(({ ino, mtimeNs }) => [ino, mtimeNs]);
    const before = seen();
    expect((await desk.done(['export', '-d', 'acme'])).stderr).toContain('0 new, 0 changed, 1 unchanged');
    expect(seen()).toEqual(before);
    await desk.done(['spaces', 'update', 'API', '--title', 'Reference']);
    expect((await desk.done(['export', '-d', 'acme'])).stderr).toContain('0 new, 1 changed, 0 unchanged');
    expect(main()).toContain('  api: { title: Reference, parent: !ref collection.product-one }\n');
    expect(await desk.run(['plan', '-f', 'acme', '--detailed-exitcode'])).toMatchObject({ exit: 0 });
  });

  it('refuses a folder that it cannot use before it reads the organization', async () => {
    writeFileSync(desk.at('notes.txt'), 'mine');
    for (const [dir, exit, why] of [
      ['notes.txt/acme', 8, 'a part of its path is a file'],
      ['.', 9, 'has files that are not from an earlier export'],
    ] as const) {
      const ran = await desk.run(['export', '-d', dir, '--record', desk.at(`${exit}.har`)]);
      expect(ran).toMatchObject({ exit, stderr: expect.stringContaining(why) });
      expect(readFileSync(desk.at(`${exit}.har`), 'utf8')).not.toContain('/teams');
    }
  });

  it('refuses a folder with other files or edits, unless --force is given', async () => {
    mkdirSync(desk.at('acme'));
    writeFileSync(desk.at('acme', 'notes.txt'), 'mine');
    expect(await desk.run(['export', '-d', 'acme'])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('has files that are not from an earlier export'),
    });
    expect(filesOf(desk.at('acme'))).toEqual({ 'notes.txt': 'mine' });
    writeFileSync(desk.at('acme', 'more.yaml'), 'version: 1\n');
    expect((await desk.done(['export', '-d', 'acme', '--force'])).stderr).toContain(
      'A plan of this folder also reads: more.yaml.',
    );
    writeFileSync(desk.at('acme', 'docsctl.yaml'), `${main()}# mine\n`);
    expect(await desk.run(['export', '-d', 'acme'])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('docsctl.yaml'),
    });
    expect(main()).toContain('# mine');
    expect((await desk.done(['export', '-d', 'acme', '--dry-run'])).stderr).toContain(
      'would not replace docsctl.yaml',
    );
    await desk.done(['export', '-d', 'acme', '--force']);
    expect(main()).not.toContain('# mine');
    expect(readFileSync(desk.at('acme', 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('never writes through a symbolic link', async () => {
    await desk.done(['export', '-d', 'acme']);
    const victim = join(desk.home, 'victim.yaml');
    writeFileSync(victim, 'keep');
    for (const name of ['docsctl.yaml', 'docsctl.state.json']) {
      mkdirSync(desk.at(`linked-${name}`));
      symlinkSync(victim, desk.at(`linked-${name}`, name));
      expect(await desk.run(['export', '-d', `linked-${name}`, '--force'])).not.toMatchObject({ exit: 0 });
      expect(lstatSync(desk.at(`linked-${name}`, name)).isSymbolicLink()).toBe(true);
    }
    expect(readFileSync(victim, 'utf8')).toBe('keep');
  });

  it('deletes no files that a state file names outside the folder', async () => {
    await desk.done(['export', '-d', 'acme']);
    const path = desk.at('acme', 'docsctl.state.json');
    writeFileSync(join(desk.home, 'work', 'victim.yaml'), 'keep');
    const lock = readFileSync(path, 'utf8').replace(
      '"docsctl.yaml":',
      '"../victim.yaml": "2fa992c0b8b1b8e0ea4fbbd9b1ab6dfb5a6a4e2c", "docsctl.yaml":',
    );
    writeFileSync(path, lock);
    await desk.done(['export', '-d', 'acme', '--force']);
    expect(readFileSync(desk.at('victim.yaml'), 'utf8')).toBe('keep');
  });

  it('writes large kinds into their own files, and deletes these files when they are no longer needed', async () => {
    const lines = Array.from({ length: 120 }, (_, index) =>
      `  t${index}: { title: Team ${index}, members: [ana@acme.test, { email: ana@acme.test }] }`.replace(
        ', { email: ana@acme.test }',
        '',
      ),
    );
    writeFileSync(
      desk.at('many.yaml'),
      `version: 1\nteams:\n${lines.join('\n')}\nspaces:\n${lines.map((_, index) => `  s${index}: { title: Space ${index} }`).join('\n')}\n`,
    );
    await desk.done(['apply', '-f', 'many.yaml', '-y']);
    await desk.done(['export', '-d', 'acme']);
    expect(Object.keys(filesOf(desk.at('acme'))).filter((name) => name.endsWith('.yaml'))).toEqual([
      'docsctl.yaml',
      'spaces.yaml',
      'teams.yaml',
    ]);
    expect(main()).toMatch(/^version: 1\ninclude: \[teams.yaml, spaces.yaml\]\n/);
    expect(await desk.run(['plan', '-f', 'acme', '--detailed-exitcode'])).toMatchObject({ exit: 0 });
    expect(await desk.run(['plan', '-f', 'acme/docsctl.yaml', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
    });
    await desk.done(['export', '-d', 'acme', '--kinds', 'org,spaces']);
    expect(existsSync(desk.at('acme', 'teams.yaml'))).toBe(false);
    expect(await desk.run(['plan', '-f', 'acme', '--detailed-exitcode'])).toMatchObject({ exit: 0 });
  });

  it('writes no state file with --no-lock, and plan then adopts the resources', async () => {
    await desk.done(['export', '-d', 'acme', '--no-lock']);
    expect(Object.keys(filesOf(desk.at('acme')))).toEqual(['docsctl.yaml']);
    expect((await desk.done(['plan', '-f', 'acme'])).stdout).toContain('= space.guide');
    expect((await desk.done(['export', '-d', 'acme', '--no-lock'])).stderr).toContain('1 unchanged');
  });

  it('writes nothing with --dry-run, and prints the counts as JSON', async () => {
    const { stdout, stderr } = await desk.done(['export', '-d', 'acme', '--dry-run', '-o', 'json']);
    expect(stderr).toContain('would write docsctl.yaml');
    expect(JSON.parse(stdout)).toMatchObject({
      folder: desk.at('acme'),
      created: 1,
      kinds: { team: 1, collection: 1, space: 2, site: 1, 'site-space': 1, org: 1 },
    });
    expect(existsSync(desk.at('acme'))).toBe(false);
  });

  it('reports missing and invalid options', async () => {
    expect(await desk.run(['export'])).toMatchObject({ exit: 64 });
    const misspelled = await desk.run(['export', '-d', 'acme', '--kinds', 'teems']);
    expect(misspelled.exit).toBe(8);
    const [, kinds] = /--kinds takes (teams, .*)\./.exec(misspelled.stderr) ?? [];
    expect((await desk.done(['export', '--help'])).stdout.replace(/\s+/g, ' ')).toContain(
      `: ${kinds} (default`,
    );
    expect(await desk.run(['export', '-d', 'acme', '--kinds', 'section'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('with its site'),
    });
    expect(await desk.run(['export', '-d', 'acme', '--jobs', '0'])).toMatchObject({ exit: 8 });
    expect(existsSync(desk.at('acme'))).toBe(false);
  });
});
