import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
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

describe('config', () => {
  it('sets, gets, lists and unsets settings of the profile', async () => {
    expect(await run('config set org Acme')).toEqual({
      exit: 0,
      stdout: '',
      bytes: Buffer.alloc(0),
      stderr: 'Set org to Acme in profile "default".\n',
    });
    await run('config set ca-file ca.pem');
    expect(profiles()).toEqual({ default: { org: 'Acme', caFile: join(home, 'ca.pem') } });
    expect(statSync(join(home, 'config/config.json')).mode & 0o077).toBe(0);
    expect(await run('config get org')).toMatchObject({ exit: 0, stdout: 'Acme\n' });
    expect((await run('config get org', { DOCSCTL_ORG: 'Other' })).stdout).toBe('Other\n');
    const listed = JSON.parse((await run('config list -o json')).stdout) as { items: object[] };
    expect(listed.items).toContainEqual({ id: 'org', value: 'Acme', from: 'profile default' });
    await run('config unset org');
    expect(await run('config get org')).toMatchObject({ exit: 5, stdout: '' });
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
  });

  it('takes a folder of the name of .docsctl.yaml for no settings', async () => {
    mkdirSync(join(home, '.docsctl.yaml'));
    expect(await run('config list')).toMatchObject({ exit: 0, stderr: '' });
  });

  it.each(['null', '[1]', '"x"', '{"profiles":3}', '{"profiles":{"a":null},"current":"a"}'])(
    'says that the settings file cannot be read: %s',
    async (text) => {
      mkdirSync(join(home, 'config'));
      writeFileSync(join(home, 'config/config.json'), text);
      for (const line of ['config list', 'profiles list'])
        expect(await run(line)).toMatchObject({
          exit: 64,
          stderr: expect.stringContaining('The settings file'),
        });
    },
  );

  it('drops the token of another server, and the store when a server is set', async () => {
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
    ['config set token x', 'docsctl login'],
    ['config get token', 'docsctl config explain'],
    ['config set colour red', 'The settings are'],
    ['config set output xml', 'Choose one of'],
    ['config set server ftp://x', 'https://docs.example.com'],
    ['config set store x --project', 'It can hold profile, org, space, site, output'],
    ['config set profile x', 'docsctl profiles use'],
    ['config set org ""', 'docsctl config unset org'],
    ['orgs list --server https://docs.example.com --ca-file /dev/zero', 'BEGIN CERTIFICATE'],
    ['collections list --profile none', 'docsctl login --name none'],
  ])('refuses %s', async (line, hint) => {
    expect(await run(line)).toMatchObject({ exit: 64, stderr: expect.stringContaining(hint) });
  });
});

describe('default space and site', () => {
  const store = () => ({ DOCSCTL_STORE: `json:${join(home, 'store.json')}` });

  it('are used where a command needs one and none is given', async () => {
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

  it('never choose what is deleted or changed', async () => {
    const env = { DOCSCTL_SPACE: 'Guide', DOCSCTL_SITE: 'Docs', ...store() };
    await run('init --org-title Acme --email ana@acme.test', store());
    await run('spaces create --title Guide', store());
    for (const line of ['spaces delete --yes', 'sites delete --yes', 'spaces update --title X'])
      expect(await run(line, env)).toMatchObject({ exit: 64, stderr: expect.stringContaining('is missing') });
  });
});
