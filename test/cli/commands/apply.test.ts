import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeAll(async () => void (desk = await openGuideStore()));
afterAll(() => desk.discard());

const put = (path: string, text: string): void => {
  mkdirSync(dirname(desk.at(path)), { recursive: true });
  writeFileSync(desk.at(path), text);
};
/** Standard output without IDs and paths, which differ from run to run. */
const plain = (text: string) =>
  text.replaceAll(/\b[a-z]+_[0-9A-Z]{26}\b/g, 'ID').replaceAll(desk.home, 'HOME');

describe('docsctl validate', () => {
  it('counts the resources of a manifest without opening a store', async () => {
    put(
      'docsctl.yaml',
      'version: 1\nvars: { name: { required: true } }\nspaces:\n  one: { title: "${var.name}" }\n  two: { title: Two }\nteams: {}\n',
    );
    const env = { DOCSCTL_STORE: 'json:/nowhere/at/all.json' };
    expect(await desk.run(['validate', '--var', 'name=A=B'], { env })).toMatchObject({
      exit: 0,
      stdout: 'Valid: 2 resources in 1 file (2 spaces).\n',
      stderr: '',
    });
    const { stdout } = await desk.done(['validate', '--var', 'name=x', '-o', 'json'], { env });
    expect(JSON.parse(stdout)).toEqual({
      valid: true,
      files: ['docsctl.yaml'],
      resources: 2,
      kinds: { space: 2 },
      folders: [],
      warnings: [],
    });
  });

  it('reports every mistake with its line and column', async () => {
    put('bad.yaml', 'version: 1\nspaces:\n  one: { titel: One }\n  two: { parent: !ref collection.none }\n');
    const ran = await desk.run(['validate', '-f', 'bad.yaml']);
    expect(ran).toMatchObject({ exit: 8, stdout: '' });
    expect(ran.stderr).toContain('bad.yaml:3:10: "titel" is not a known field; did you mean "title"?');
    put('bad.yaml', 'version: 1\nspaces:\n  two: { parent: !ref collection.none }\n');
    expect((await desk.run(['validate', '-f', 'bad.yaml', '-o', 'json'])).stderr).toContain(
      'bad.yaml:3:18: the manifest has no collection.none',
    );
  });

  it.each([
    [
      ['validate'],
      8,
      'docsctl.yaml:2:9: the variable "name" is required but not set; set it with --var name=…',
    ],
    [['validate', '--var', 'name'], 8, '--var takes NAME=VALUE, not "name".'],
    [['validate', '-f', 'none.yaml'], 8, 'none.yaml does not exist'],
    [['validate', '-f', 'sub'], 8, 'sub does not exist'],
    [['plan', '--max-deletes', '3'], 8, 'the variable "name"'],
    [['plan', '--jobs', '0', '--var', 'name=x'], 8, '--jobs takes a whole number from 1 to 64, not "0".'],
    [['plan', '--max-deletes', '3', '--var', 'name=x'], 64, '--max-deletes needs --prune'],
    [['plan', '--out', '-'], 64, '--out needs a file name'],
    [['plan', '--out', 'bad.yaml'], 9, 'The file bad.yaml already exists and is not a plan.'],
    [['apply', 'docsctl.yaml'], 64, 'Run `docsctl apply -f docsctl.yaml`.'],
    [['apply', 'plan.json', '--prune'], 64, 'A saved plan cannot be combined with'],
    [['apply', 'plan.json', '-f', 'docsctl.yaml'], 64, 'A saved plan cannot be combined with'],
    [['apply', 'plan.json', '--var', 'a=b'], 64, 'A saved plan cannot be combined with'],
    [['plan', '-o', 'nonsense'], 8, 'There is no output format "nonsense".'],
  ])('%j', async (words, exit, message) => {
    const ran = await desk.run(words);
    expect(ran.stderr).toContain(message);
    expect(ran.exit).toBe(exit);
  });

  it('requires a manifest if the folder contains none', async () => {
    mkdirSync(desk.at('empty'));
    const cwd = desk.at('empty');
    expect(await desk.run(['plan'], { cwd })).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('Name the manifest with -f FILE'),
    });
    // A file named docsctl is not a folder of manifests.
    writeFileSync(desk.at('empty', 'docsctl'), '');
    expect((await desk.run(['plan'], { cwd })).exit).toBe(64);
  });
});

describe('docsctl plan and apply', () => {
  it('apply a file to an organization, and then plan no changes', async () => {
    put(
      'small.yaml',
      'version: 1\ncollections:\n  top: { title: Top }\nspaces:\n  guide: { title: Guide, emoji: "📘" }\n  new: { title: "New ☂" }\n',
    );
    const planned = await desk.run(['plan', '-f', 'small.yaml', '--detailed-exitcode']);
    expect(planned).toMatchObject({ exit: 2, stderr: expect.stringMatching(/^Organization "Acme" .*\n$/) });
    expect(plain(planned.stdout)).toMatchInlineSnapshot(`
      "+ collection.top "Top"  small.yaml:3:3
          title: "Top"
      = space.guide "Guide" (ID)  small.yaml:5:3
          emoji: null → "📘"
      + space.new "New ☂"  small.yaml:6:3
          title: "New ☂"

      Plan: 2 to create, 1 to adopt. At most 3 requests.
      "
    `);
    expect(existsSync(desk.at('docsctl.state.json'))).toBe(false);
    const applied = await desk.run(['apply', '-f', 'small.yaml', '-y']);
    expect(plain(applied.stdout)).toMatchInlineSnapshot(`
      "status	action	ref	id	why
      done	create	collection.top	ID	
      done	create	space.new	ID	
      done	adopt	space.guide	ID	
      "
    `);
    expect(applied.exit).toBe(0);
    expect(applied.stderr.trimEnd().split('\n').at(-1)).toBe(
      '3 done, 0 failed, 0 skipped, 0 unsupported; 0 unchanged.',
    );
    expect(applied.stderr).toContain(planned.stdout);
    expect(await desk.run(['plan', '-f', 'small.yaml', '--detailed-exitcode'])).toMatchObject({
      exit: 0,
      stdout: 'No changes.\n',
      stderr: expect.stringMatching(/^Organization "Acme" .*\n$/),
    });
    expect(await desk.run(['apply', '-f', 'small.yaml'])).toMatchObject({ exit: 0, stdout: '' });
  });

  it('show whether the file, the organization or both changed a field', async () => {
    put('moved.yaml', 'version: 1\ncollections:\n  a: { title: A }\n  b: { title: B }\n  c: { title: C }\n');
    await desk.done(['apply', '-f', 'moved.yaml', '-y', '--state', 'moved.json']);
    put(
      'moved.yaml',
      'version: 1\ncollections:\n  a: { title: A2 }\n  b: { title: B }\n  c: { title: C2 }\n',
    );
    await desk.done(['collections', 'update', 'B', '--title', 'B3']);
    await desk.done(['collections', 'update', 'C', '--title', 'C3']);
    const { stdout } = await desk.done(['plan', '-f', 'moved.yaml', '--state', 'moved.json']);
    expect(stdout.match(/title: .*/g)).toEqual([
      'title: "A" → "A2"',
      'title: "B3" → "B" (changed in the organization)',
      'title: "C3" → "C2" (changed in the file and in the organization)',
    ]);
  });

  it('apply needs --yes without a terminal, and changes nothing with --dry-run', async () => {
    const manifest = 'version: 1\ncollections: { asked: { title: Asked } }\n';
    const ran = await desk.run(['apply', '-f', '-', '--state', 'asked.json'], { input: manifest });
    expect(ran).toMatchObject({ exit: 9, stdout: '' });
    expect(ran.stderr).toMatch(/Confirmation is required.*1 to create/);
    const dry = await desk.run(['apply', '-f', '-', '--state', 'asked.json', '--dry-run'], {
      input: manifest,
    });
    expect(dry).toMatchObject({
      exit: 0,
      stderr: expect.stringMatching(/\nDry run: nothing was sent\.\n$/),
      stdout: expect.stringContaining('+ collection.asked "Asked"  <stdin>:2:16'),
    });
    expect(existsSync(desk.at('asked.json'))).toBe(false);
    expect((await desk.done(['collections', 'list', '--all', '-o', 'json'])).stdout).not.toContain('Asked');
  });

  it('print JSON, CSV and IDs for scripts', async () => {
    put('data.yaml', 'version: 1\ncollections: { data: { title: Data } }\n');
    const planned = JSON.parse(
      (await desk.done(['plan', '-f', 'data.yaml', '--state', 'data.json', '-o', 'json'])).stdout,
    );
    expect(planned).toMatchObject({
      version: 1,
      lock: { serial: 0, path: 'data.json' },
      counts: { create: 1 },
      calls: 1,
      steps: [{ key: 'collection.data', action: 'create' }],
    });
    expect(
      (
        await desk.done([
          'plan',
          '-f',
          'data.yaml',
          '--state',
          'data.json',
          '-o',
          'csv',
          '--columns',
          'action,ref,at',
        ])
      ).stdout,
    ).toBe('action,ref,at\r\ncreate,collection.data,data.yaml:2:16\r\n');
    expect((await desk.done(['plan', '-f', 'data.yaml', '--state', 'data.json', '-o', 'id'])).stdout).toBe(
      'collection.data\n',
    );
    expect(
      (
        await desk.done([
          'plan',
          '-f',
          'data.yaml',
          '--state',
          'data.json',
          '-o',
          'json',
          '--query',
          'counts.create',
        ])
      ).stdout,
    ).toBe('1\n');
    const applied = await desk.done(['apply', '-f', 'data.yaml', '--state', 'data.json', '-y', '-o', 'json']);
    expect(JSON.parse(applied.stdout)).toMatchObject({
      rows: [{ key: 'collection.data', status: 'done', id: expect.stringMatching(/^col_/) }],
      counts: { done: 1, failed: 0 },
      interrupted: false,
    });
    expect(applied.stderr).toBe('1 done, 0 failed, 0 skipped, 0 unsupported; 0 unchanged.\n');
  });

  it('use the organization of the manifest, and reject another one in --org', async () => {
    const manifest = 'version: 1\norg: { id: "${env.DOCSCTL_ORG_HERE}" }\n';
    const run = (...words: string[]) =>
      desk.run(['plan', '-f', '-', ...words], { input: manifest, env: { DOCSCTL_ORG_HERE: 'Acme' } });
    expect(await run()).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^No changes\.\n/) as string,
    });
    expect((await run('--org', 'acme')).exit).toBe(0);
    const other = JSON.parse(
      (await desk.done(['orgs', 'create', '--title', 'Other', '--email', 'bo@acme.test', '-o', 'json']))
        .stdout,
    ).organization.id;
    expect(await run('--org', other)).toMatchObject({
      exit: 64,
      stderr: expect.stringMatching(
        new RegExp(
          `but --org names ${other}\\.\nhint: .*\`docsctl export --portable -d FOLDER --org org_\\w+\``,
        ),
      ),
    });
  });
});

describe('docsctl plan and apply --prune', () => {
  it('delete the resources that the file no longer contains, up to --max-deletes', async () => {
    put(
      'prune.yaml',
      `version: 1\nteams: { ${[1, 2, 3, 4, 5, 6].map((n) => `t${n}: { title: T${n} }`).join(', ')} }\n`,
    );
    const words = ['-f', 'prune.yaml', '--state', 'prune.json', '--org', 'Acme'];
    await desk.done(['apply', ...words, '-y']);
    put('prune.yaml', 'version: 1\nteams: {}\n');
    const kept = await desk.run(['plan', ...words, '--detailed-exitcode']);
    expect(kept).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('No longer in the manifest, but kept without --prune: team.t1 ('),
    });
    expect(await desk.run(['plan', ...words, '--prune'])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('This would delete 6 resources'),
    });
    for (const [limit, exit] of [
      ['50%', 9],
      ['101%', 8],
      ['5|10%', 8],
    ] as const)
      expect((await desk.run(['apply', ...words, '--prune', '--max-deletes', limit, '-y'])).exit).toBe(exit);
    const applied = await desk.run(['apply', ...words, '--prune', '--max-deletes', '100%', '-y']);
    expect(applied).toMatchObject({ exit: 0, stderr: expect.stringContaining('- team.t1 "T1" (team_') });
    expect(applied.stdout.match(/^done\tdelete\t/gm)).toHaveLength(6);
  });
});

describe('a change that the API does not support', () => {
  it('fails in the plan with exit 10, or is left out with --skip-unsupported', async () => {
    put('type.yaml', 'version: 1\nsites: { docs: { title: Docs, type: basic } }\n');
    const words = ['-f', 'type.yaml', '--state', 'type.json', '--org', 'Acme'];
    await desk.done(['apply', ...words, '-y']);
    put('type.yaml', 'version: 1\nsites: { docs: { title: Docs 2, type: ultimate } }\n');
    const planned = await desk.run(['plan', ...words, '--detailed-exitcode']);
    expect(planned).toMatchObject({
      exit: 10,
      stdout: expect.stringContaining(
        '! site.docs (type) "Docs 2"  type.yaml:2:10\n    "type" can be set only when a site is created',
      ),
    });
    expect(await desk.run(['apply', ...words])).toMatchObject({ exit: 10, stdout: '' });
    expect((await desk.run(['plan', ...words, '--detailed-exitcode', '--skip-unsupported'])).exit).toBe(2);
    const applied = await desk.run(['apply', ...words, '-y', '--skip-unsupported']);
    expect(applied.exit).toBe(0);
    expect(applied.stderr.trimEnd().split('\n').at(-1)).toBe(
      '1 done, 0 failed, 0 skipped, 1 unsupported; 0 unchanged.',
    );
  });
});

describe('a saved plan', () => {
  it('is applied once, with the state file beside its manifest', async () => {
    put('org/docsctl.yaml', 'version: 1\nteams: { saved: { title: Saved } }\n');
    await desk.done(['plan', '-f', 'org', '--org', 'Acme', '--out', 'plan.json']);
    await desk.done(['plan', '-f', 'org', '--org', 'Acme', '--out', 'plan.json']);
    const applied = await desk.run(['apply', 'plan.json', '-y']);
    expect(applied).toMatchObject({ exit: 0, stdout: expect.stringContaining('done\tcreate\tteam.saved') });
    expect(existsSync(desk.at('org', 'docsctl.state.json'))).toBe(true);
    expect(await desk.run(['apply', 'plan.json', '-y'])).toMatchObject({ exit: 6, stdout: '' });
  });

  it('is refused if the organization changed after the plan was made', async () => {
    put('org/docsctl.yaml', 'version: 1\nteams: { saved: { title: Saved 2 } }\n');
    await desk.done(['plan', '-f', 'org', '--org', 'Acme', '--out', 'plan.json']);
    await desk.done(['teams', 'update', 'Saved', '--title', 'Elsewhere', '--org', 'Acme']);
    const ran = await desk.run(['apply', 'plan.json', '-y']);
    expect(ran).toMatchObject({
      exit: 6,
      stdout: '',
      stderr: expect.stringContaining(
        'Resources or folders of the plan have changed since it was made: team.saved.',
      ),
    });
    expect((await desk.run(['apply', 'plan.json', '-y'], { env: { DOCSCTL_STORE: 'memory:' } })).exit).toBe(
      6,
    );
  });

  it('is refused for an organization other than the one it was made for', async () => {
    put('org/docsctl.yaml', 'version: 1\nteams: { saved: { title: Saved 3 } }\n');
    await desk.done(['orgs', 'create', '--title', 'Second', '--org', 'Acme']);
    await desk.done(['plan', '-f', 'org', '--org', 'Acme', '--out', 'plan.json']);
    expect(await desk.run(['apply', 'plan.json', '-y', '--org', 'Second'])).toMatchObject({
      exit: 64,
      stdout: '',
      stderr: expect.stringMatching(
        /The plan plan\.json is for organization org_\S+, but --org names Second\./,
      ),
    });
    expect(await desk.run(['apply', 'plan.json', '-y', '--org', 'Acme'])).toMatchObject({ exit: 0 });
  });

  it('is refused if the file is not a plan', async () => {
    put('other.json', '{}');
    expect(await desk.run(['apply', 'other.json', '-y'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('The plan other.json was not made by this version'),
    });
    expect(readFileSync(desk.at('other.json'), 'utf8')).toBe('{}');
  });
});
