import {
  mkdirSync,
  mkdtempSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificate, rsa } from '../../saml/certificate-maker.ts';
import { docsctl } from '../../support/cli.ts';
import { splitWords } from '../../support/cli.ts';

let home: string;
const run = (line: string, env: Record<string, string> = {}) =>
  docsctl(splitWords(line), { home, env: { DOCSCTL_CONFIG_DIR: join(home, 'config'), ...env } });
const profiles = () =>
  (JSON.parse(readFileSync(join(home, 'config/config.json'), 'utf8')) as { profiles: object }).profiles;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-config-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

describe('docsctl config', () => {
  it('gets and unsets several settings, and none of them if one does not exist', async () => {
    for (const line of ['config set org Acme', 'config set space Guide']) await run(line);
    expect(JSON.parse((await run('config get org space -o json')).stdout)).toMatchObject({
      items: [{ value: 'Acme' }, { value: 'Guide' }],
    });
    expect((await run('config get org site')).exit).toBe(5);
    expect((await run('config unset org nothing')).exit).toBe(64);
    expect(profiles()).toEqual({ default: { org: 'Acme', space: 'Guide' } });
    expect((await run('config unset org space')).exit).toBe(0);
    expect(profiles()).toEqual({ default: {} });
  });

  it('changes the profile in use, even if a variable or a .docsctl.yaml names it', async () => {
    await run('config set org Acme');
    const file = { current: 'default', profiles: { ...profiles(), other: {} } };
    writeFileSync(join(home, 'config/config.json'), JSON.stringify(file));
    await run('config set org Beta', { DOCSCTL_PROFILE: 'other' });
    expect(profiles()).toEqual({ default: { org: 'Acme' }, other: { org: 'Beta' } });
    expect((await run('logout', { DOCSCTL_PROFILE: 'other' })).stderr).toContain('profile "other"');
    writeFileSync(join(home, '.docsctl.yaml'), 'profile: other\n');
    expect((await run('config unset org')).stderr).toBe('Removed the setting "org" from profile "other".\n');
  });

  it('completes only settings that a command accepts, and none of them twice', async () => {
    for (const line of ['config set org Acme', 'config set output json', 'config set site Docs --project'])
      await run(line);
    const completed = async (line: string) =>
      (await run(`__complete config ${line} ''`)).stdout.split('\n').map((word) => word.trim());
    expect(await completed('unset')).toEqual(['org', 'output', '']);
    expect(await completed('unset org')).toEqual(['output', '']);
    expect(await completed('unset --project')).toEqual(['site', '']);
    expect(await completed('get')).toEqual(['store', 'org', 'site', 'profile', 'output', 'color', '']);
    expect(await completed('set --project')).not.toContain('store');
    expect(await completed('set')).not.toContain('token');
  });

  it('sets, gets, lists and unsets settings of the profile', async () => {
    expect(await run('config set org Acme')).toEqual({
      exit: 0,
      stdout: '',
      bytes: Buffer.alloc(0),
      stderr: 'Set org to Acme in profile "default".\n',
    });
    expect(await run('config set ca-file ca.pem')).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining(`There is no file ${join(home, 'ca.pem')} (from ca-file).`),
    });
    writeFileSync(join(home, 'ca.pem'), makeCertificate(rsa()));
    await run('config set ca-file ca.pem');
    expect(profiles()).toEqual({ default: { org: 'Acme', caFile: join(home, 'ca.pem') } });
    expect(statSync(join(home, 'config/config.json')).mode & 0o077).toBe(0);
    expect(await run('config get org')).toMatchObject({ exit: 0, stdout: 'Acme\n' });
    expect((await run('config get org', { DOCSCTL_ORG: 'Other' })).stdout).toBe('Other\n');
    const listed = JSON.parse((await run('config list -o json')).stdout) as { items: object[] };
    expect(listed.items).toContainEqual({ id: 'org', value: 'Acme', from: 'profile default' });
    expect((await run('config unset org')).stderr).toBe(
      'Removed the setting "org" from profile "default".\n',
    );
    expect((await run('config unset org')).stderr).toBe('There is no setting "org" in profile "default".\n');
    expect(await run('config get org')).toMatchObject({ exit: 5, stdout: '' });
    expect(await run('config unset org --project')).toMatchObject({ exit: 0 });
    expect(existsSync(join(home, '.docsctl.yaml'))).toBe(false);
    expect((await run('config unset org', { DOCSCTL_ORG: 'Other' })).stderr).toBe(
      'There is no setting "org" in profile "default".\norg is still set to Other by DOCSCTL_ORG.\n',
    );
  });

  it('names the profile or variable that a missing store comes from', async () => {
    await run('config set store json:none.json');
    const hint = async (line: string, env?: Record<string, string>) =>
      /\nhint: (.*?)\. /.exec((await run(line, env)).stderr)?.[1];
    expect(await hint('spaces list')).toBe('The store comes from profile default');
    expect(await hint('spaces list', { DOCSCTL_STORE: 'b.db' })).toBe('The store comes from DOCSCTL_STORE');
    expect(await hint('spaces list --store c.db')).toMatch(/^Check the path/);
    const migrate = 'store migrate --from sqlite:d.db --to sqlite:e.db';
    expect(await hint(migrate, { DOCSCTL_STORE: 'b.db' })).toMatch(/^Check the path/);
  });

  it('replaces a setting in the first line of .docsctl.yaml', async () => {
    const path = join(home, '.docsctl.yaml');
    writeFileSync(path, 'org: Acme\nspace: Guide\n');
    await run('config set org Labs --project');
    expect(readFileSync(path, 'utf8')).toMatch(/^org: "?Labs"?\nspace: Guide\n$/);
  });

  it('keeps the other lines of .docsctl.yaml', async () => {
    const path = join(home, '.docsctl.yaml');
    writeFileSync(path, '# ours\norg: Acme\n');
    await run('config set space "My guide: 1" --project');
    await run('config set org "Acme Labs" --project');
    expect(readFileSync(path, 'utf8')).toBe('# ours\norg: Acme Labs\nspace: "My guide: 1"\n');
    expect((await run('config get space')).stdout).toBe('My guide: 1\n');
    await run('config unset space --project');
    expect(readFileSync(path, 'utf8')).toBe('# ours\norg: Acme Labs\n');
    const title = `Ana's "C#" guide`;
    await docsctl(['config', 'set', 'space', title, '--project'], { home });
    expect((await run('config get space')).stdout).toBe(`${title}\n`);
  });

  it.each([
    ['a link', 'a symbolic link', (path: string) => symlinkSync(join(home, 'other.yaml'), path)],
    ['a folder', 'not a regular file', (path: string) => mkdirSync(path)],
  ])('does not write .docsctl.yaml if it is %s', async (_, what, make) => {
    writeFileSync(join(home, 'other.yaml'), 'org: Acme\n');
    make(join(home, '.docsctl.yaml'));
    for (const line of ['config set org Other --project', 'config unset org --project'])
      expect(await run(line)).toMatchObject({ exit: 9, stderr: expect.stringContaining(what) });
    expect(readFileSync(join(home, 'other.yaml'), 'utf8')).toBe('org: Acme\n');
  });

  it.each(['spaces list', 'config set org Acme', 'login --store json:store.json --name x', 'history'])(
    'reports that the settings folder is not a folder: %s',
    async (line) => {
      const file = join(home, 'file');
      writeFileSync(file, '');
      for (const env of [{ DOCSCTL_CONFIG_DIR: file }, { DOCSCTL_CONFIG_DIR: '', XDG_CONFIG_HOME: file }])
        expect(await run(line, env)).toMatchObject({
          exit: 8,
          stdout: '',
          stderr: expect.stringMatching(
            /^error: The settings folder \S+ is not a folder\.\nhint: Set DOCSCTL_/,
          ),
        });
    },
  );

  it('reports that the settings file cannot be written', async () => {
    mkdirSync(join(home, 'config/config.json/inner'), { recursive: true });
    for (const line of ['config set org Acme', 'profiles list'])
      expect(await run(line)).toMatchObject({
        exit: 8,
        stderr: expect.stringContaining('config.json cannot be'),
      });
  });

  it('saves the severity of validate rules only in .docsctl.yaml', async () => {
    mkdirSync(join(home, 'docs'));
    writeFileSync(join(home, 'docs/README.md'), '# Start\n\n[x](gone.md)\n');
    expect((await run('validate docs')).exit).toBe(0);
    expect(await run('config set validate-error broken-link,broken-anchor --project')).toMatchObject({
      exit: 0,
    });
    expect((await run('config get validate-error')).stdout).toBe('broken-link,broken-anchor\n');
    expect((await run('validate docs')).exit).toBe(8);
    expect(await run('validate docs --off broken-link')).toMatchObject({ exit: 0, stderr: '' });
    expect((await run('validate docs --warn broken-link')).stderr).toContain('warning: docs/README.md:3');
    await run('config set validate-off broken-link --project');
    expect(await run('validate docs')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining(
        'The rule broken-link is given to validate-error and to validate-off in ',
      ),
    });
    await run('config unset validate-error --project');
    expect(await run('validate docs --deny-warnings')).toMatchObject({ exit: 0, stderr: '' });
    expect((await run('validate docs --error broken-link')).exit).toBe(8);
  });

  it.each([
    ['config set store foo', 8, 'error: "foo" is not the URL or path of a store.'],
    ['config set validate-error broken-links --project', 8, 'hint: Did you mean broken-link'],
    ['config set validate-error broken-link', 64, 'hint: Add --project'],
    ['config set validate-warn "" --project', 8, 'is empty'],
  ] as const)('refuses %s', async (line, exit, text) => {
    expect(await run(line)).toMatchObject({ exit, stderr: expect.stringContaining(text) });
  });

  it('names the settings file that contains an unknown rule', async () => {
    writeFileSync(join(home, '.docsctl.yaml'), 'validate-off: nope\n');
    mkdirSync(join(home, 'docs'));
    expect((await run('validate docs')).stderr).toContain(
      `There is no rule "nope" in ${join(home, '.docsctl.yaml')}.`,
    );
    expect((await run('spaces list')).stderr).not.toContain('nope');
  });

  it('ignores a folder named .docsctl.yaml', async () => {
    mkdirSync(join(home, '.docsctl.yaml'));
    expect(await run('config list')).toMatchObject({ exit: 0, stderr: '' });
  });

  it.each([
    'null',
    '[1]',
    '"x"',
    '{"profiles":3}',
    '{"profiles":{"a":null},"current":"a"}',
    '{"profiles":{"a":{"server":5}},"current":"a"}',
    '{"current":{}}',
  ])('reports that the settings file cannot be read: %s', async (text) => {
    mkdirSync(join(home, 'config'));
    writeFileSync(join(home, 'config/config.json'), text);
    for (const line of ['config list', 'profiles list'])
      expect(await run(line)).toMatchObject({
        exit: 8,
        stderr: expect.stringContaining('The settings file'),
      });
  });

  it('removes the token when the server changes, and keeps only one of server and store', async () => {
    await run('config set store sqlite:a.db');
    writeFileSync(
      join(home, 'config/config.json'),
      JSON.stringify({
        current: 'default',
        profiles: { default: { server: 'https://a.test', token: 'secret' } },
      }),
    );
    expect((await run('config set server https://b.test')).stderr).toContain('Removed the token');
    expect(profiles()).toEqual({ default: { server: 'https://b.test' } });
    await run('config set store sqlite:a.db');
    expect(profiles()).toEqual({ default: { store: 'sqlite:a.db' } });
  });

  it.each([
    ['config set token x', 64, 'docsctl login'],
    ['config get token', 64, 'docsctl config explain'],
    ['config set stor red', 64, 'Did you mean store? Choose one of: store, server, org, space,'],
    ['config set as nobody', 8, 'docsctl members list'],
    ['config set output xml', 8, 'Choose one of'],
    ['config set server ftp://x', 8, 'https://docs.example.com'],
    ['config set store x --project', 64, 'It can hold profile, org, space, site, output'],
    ['config set profile x', 64, 'docsctl profiles use'],
    ['config set org ""', 8, 'docsctl config unset org'],
    ['orgs list --server https://docs.example.com --ca-file /dev/zero', 8, 'BEGIN CERTIFICATE'],
    ['collections list --profile none', 5, 'docsctl login --name none'],
  ] as const)('refuses %s', async (line, exit, hint) => {
    expect(await run(line)).toMatchObject({ exit, stderr: expect.stringContaining(hint) });
  });
});

describe('the default space and site', () => {
  const store = () => ({ DOCSCTL_STORE: `json:${join(home, 'store.json')}` });

  it('are used if a command needs one and none is given', async () => {
    await run('init --org-title Acme --email ana@acme.test', store());
    for (const title of ['Guide', 'Other']) await run(`spaces create --title ${title}`, store());
    for (const title of ['Docs', 'Help']) await run(`sites create --title ${title}`, store());
    await run('config set space Guide');
    await run('config set site Docs --project');
    expect((await run('change-requests create --subject One', store())).exit).toBe(0);
    expect(
      (await run('change-requests list --status draft -o csv --columns subject', store())).stdout,
    ).toContain('One');
    expect((await run('spaces get --query title -o json', store())).stdout.trim()).toBe('"Guide"');
    expect((await run('spaces get Other --query title -o json', store())).stdout.trim()).toBe('"Other"');
    expect((await run('sites sections list', store())).exit).toBe(0);
    expect((await run('sites get --query title -o json', store())).stdout.trim()).toBe('"Docs"');
    expect((await run('spaces links', store())).exit).toBe(0);
    const moved = await run('sites sections move None', store());
    expect(moved.stderr).toMatch(
      /^warning: `docsctl sites sections move` is deprecated\. Use `docsctl sites sort` instead\.\n/,
    );
    expect((await run('sites sections move None --quiet', store())).stderr).not.toContain('warning');
  });

  it('are not used on another store, and errors and config explain say why', async () => {
    const other = ['json:other.json', 'json:store.json'];
    for (const place of other) {
      await run(`init --store ${place} --org-title Acme --email ana@acme.test`);
      await run(`orgs create --store ${place} --title Beta --email bob@acme.test`);
    }
    await run('config set store json:store.json');
    await run('config set org Acme');
    expect((await run('spaces list')).exit).toBe(0);
    const why = 'profile default is for json:store.json';
    expect(await run('spaces list --store json:other.json')).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining(`The default organization is not used here: ${why}.`),
    });
    const explained = await run('config explain --store json:other.json -o json');
    expect((JSON.parse(explained.stdout) as { items: object[] }).items).toContainEqual({
      id: 'org',
      value: null,
      from: `not used: ${why}`,
    });
    const set = await run('config set org Beta --store json:other.json');
    expect(set.stderr).toContain(
      `Commands with the current store or server do not use this setting: ${why}.`,
    );
    expect((await run('config set org Acme')).stderr).not.toContain('do not use this setting');
  });

  it('never select what a command deletes or updates', async () => {
    const env = { DOCSCTL_SPACE: 'Guide', DOCSCTL_SITE: 'Docs', ...store() };
    await run('init --org-title Acme --email ana@acme.test', store());
    await run('spaces create --title Guide', store());
    for (const line of ['spaces delete --yes', 'sites delete --yes', 'spaces update --title X'])
      expect(await run(line, env)).toMatchObject({ exit: 64, stderr: expect.stringContaining('is given') });
  });
});
