import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeSettings } from '../../../src/cli/settings/settings-file.ts';
import { resolveSettings, type GlobalFlags, type SettingsFile } from '../../../src/cli/settings/settings.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { runtimeOf } from '../../support/cli.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-settings-'));
  mkdirSync(join(home, 'config'));
  mkdirSync(join(home, 'work/inner'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const put = (name: string, text: string): string => {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
};
const save = (file: SettingsFile) => put('config/config.json', JSON.stringify(file));
const resolved = (flags: GlobalFlags = {}, env: Record<string, string> = {}) => {
  const { runtime } = runtimeOf([], {
    home,
    cwd: join(home, 'work/inner'),
    env: { DOCSCTL_CONFIG_DIR: join(home, 'config'), ...env },
  });
  return resolveSettings(runtime, flags);
};
/** The value of each setting, and where it comes from. */
const shown = (flags?: GlobalFlags, env?: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(resolved(flags, env)).map(([name, { value, from }]) => [name, `${value} from ${from}`]),
  );
const refusal = (flags?: GlobalFlags, env?: Record<string, string>): string => {
  try {
    return JSON.stringify(shown(flags, env));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.reason}: ${error.message}`;
  }
};

it.each([
  ['[]', 'does not contain an object'],
  ['{"current":3}', 'contains "current", which is not a text'],
  ['{"profiles":3}', 'contains "profiles", which is not an object'],
  ['{"profiles":{"a":3}}', 'contains the profile "a", which is not an object'],
  ['{"profiles":{"a":{"org":3}}}', 'contains "org" in the profile "a", which is not a text'],
  ['{', 'is not valid JSON'],
])('resolveSettings refuses a settings file with %s', (text, fault) => {
  const path = put('config/config.json', text);
  expect(refusal()).toBe(`invalid-input: The settings file ${path} ${fault}.`);
});

it('resolveSettings reads files with a byte order mark, which editors of Windows write', () => {
  put('config/config.json', '\ufeff{"current":"a","profiles":{"a":{"space":"Guide"}}}\r\n');
  put('work/.docsctl.yaml', '\ufefforg: Acme\r\n');
  expect(resolved()).toMatchObject({ org: { value: 'Acme' }, space: { value: 'Guide' } });
  const { runtime } = runtimeOf([], { home, env: { DOCSCTL_CONFIG_DIR: join(home, 'config') } });
  changeSettings(runtime, ({ profiles }) => {
    profiles['a'] = { ...profiles['a'], site: 'Docs' };
  });
  expect(resolved()).toMatchObject({ space: { value: 'Guide' }, site: { value: 'Docs' } });
});

describe('a setting', () => {
  it('comes from the option, the variable, the project file or the profile, in this order', () => {
    save({ current: 'main', profiles: { main: { org: 'p', output: 'yaml', space: 'ps' } } });
    expect(shown()).toEqual({
      org: 'p from profile main',
      output: 'yaml from profile main',
      space: 'ps from profile main',
      profile: 'main from settings file',
    });
    const project = put('work/.docsctl.yaml', 'org: f # ours\n\n# site: none\nspace: "Guide #1"\n');
    expect(shown()).toMatchObject({
      org: `f from ${project}`,
      space: `Guide #1 from ${project}`,
      output: 'yaml from profile main',
    });
    expect(shown({}, { DOCSCTL_ORG: 'v' })).toMatchObject({ org: 'v from DOCSCTL_ORG' });
    expect(shown({}, { DOCSCTL_ORG: '' })).toMatchObject({ org: `f from ${project}` });
    expect(shown({ org: 'o' }, { DOCSCTL_ORG: 'v' })).toMatchObject({ org: 'o from --org' });
  });

  it('of a profile is used only with that profile, which must exist', () => {
    save({ current: 'main', profiles: { main: { org: 'm' }, other: { org: 'o' } } });
    expect(shown({ profile: 'other' })).toMatchObject({ org: 'o from profile other' });
    expect(shown({}, { DOCSCTL_PROFILE: 'other' })).toMatchObject({ org: 'o from profile other' });
    expect(shown({}, { DOCSCTL_PROFILE: '' })).toEqual(shown());
    expect(refusal({ profile: 'gone' })).toBe('not-found: There is no profile "gone".');
    expect(refusal({}, { DOCSCTL_PROFILE: 'gone' })).toBe(
      'not-found: There is no profile "gone", which DOCSCTL_PROFILE names.',
    );
    save({ current: 'gone' });
    expect(shown()).toEqual({ profile: 'gone from settings file' });
  });

  it.each([
    ["Ana's guide", "Ana's guide"],
    ['C# # a comment', 'C#'],
    ['5" screens', '5" screens'],
    [`'Ana''s "C#" guide' # ours`, `Ana's "C#" guide`],
    [String.raw`"Ana's \"C#\" guide"`, `Ana's "C#" guide`],
    [String.raw`"C:\docs"`, String.raw`C:\docs`],
    ['[broken-link, missing-page]', 'broken-link, missing-page'],
    ['[Draft] Guide', '[Draft] Guide'],
  ])('in a project file is written like in YAML: %s', (written, value) => {
    const path = put('work/.docsctl.yaml', `space: ${written}\n`);
    expect(shown()['space']).toBe(`${value} from ${path}`);
  });

  it('that could send a token to another server is refused in a project file', () => {
    for (const [line, fault] of [
      ['server: https://evil.test', '"server" cannot be set in this file'],
      ['token: x', '"token" cannot be set in this file'],
      ['org', 'this is not a line like "key: value"'],
      ['org: "a', 'this is not a line like "key: value"'],
      ['org: [', 'this is not a line like "key: value"'],
      ['org: { a: 1 }', 'this is not a line like "key: value"'],
      ['- org: a', 'this is not a line like "key: value"'],
      ['  space: a', 'this line is indented; lines of this file begin with a key'],
    ]) {
      const path = put('work/.docsctl.yaml', `org: a\n${line}\n`);
      expect(refusal()).toBe(`invalid-input: ${path}, line 2: ${fault}.`);
    }
  });
});

describe('a store and a server', () => {
  it('cannot be combined, except that an option overrides variables and the profile', () => {
    const both = { DOCSCTL_STORE: 'memory:', DOCSCTL_SERVER: 'https://a.test' };
    expect(refusal({ store: 'memory:', server: 'https://a.test' })).toBe(
      'usage: --store and --server cannot be used together.',
    );
    expect(refusal({}, both)).toBe(
      'usage: Both a store (from DOCSCTL_STORE) and a server (from DOCSCTL_SERVER) are set.',
    );
    expect(shown({ store: 'json:a' }, both)).toEqual({ store: 'json:a from --store' });
    expect(shown({ server: 'https://b.test' }, both)).toEqual({ server: 'https://b.test from --server' });
    save({ current: 'main', profiles: { main: { server: 'https://c.test', token: 't' } } });
    expect(shown()).toMatchObject({ server: 'https://c.test from profile main' });
    expect(shown({}, { DOCSCTL_STORE: 'memory:' })).toEqual({
      store: 'memory: from DOCSCTL_STORE',
      profile: 'main from settings file',
    });
  });
});

describe('the token, organization, space and site of a profile', () => {
  const defaults = { org: 'Acme', space: 'Guide', site: 'Docs', token: 't' };
  const all = {
    org: 'Acme from profile main',
    space: 'Guide from profile main',
    site: 'Docs from profile main',
    token: 't from profile main',
  };
  const used = (flags?: GlobalFlags, env?: Record<string, string>) => {
    const { store: _store, server: _server, profile, output, ...rest } = shown(flags, env);
    expect([profile, output]).toEqual(['main from settings file', 'yaml from profile main']);
    return rest;
  };

  it('are used only with its server, in any spelling', () => {
    const server = 'https://a.test/docs';
    save({ current: 'main', profiles: { main: { ...defaults, output: 'yaml', server } } });
    expect(used()).toEqual(all);
    for (const same of [server, `${server}/`, 'HTTPS://A.test/docs/v1', `${server}/v1/`]) {
      expect(used({ server: same })).toEqual(all);
      expect(used({}, { DOCSCTL_SERVER: same })).toEqual(all);
    }
    for (const other of ['https://b.test/docs', 'https://a.test', 'http://a.test/docs', 'no address'])
      expect(used({ server: other })).toEqual({});
    expect(used({}, { GITBOOK_ENDPOINT: 'https://b.test' })).toEqual({});
    expect(used({}, { DOCSCTL_STORE: 'docs.db', DOCSCTL_ORG: 'Beta' })).toEqual({
      org: 'Beta from DOCSCTL_ORG',
    });
  });

  it('are used only with its store, in any spelling', () => {
    const store = `sqlite:${join(home, 'work/docs.db')}`;
    save({ current: 'main', profiles: { main: { ...defaults, output: 'yaml', store } } });
    for (const same of ['../docs.db', 'sqlite:../docs.db', join(home, 'work/docs.db')])
      expect(used({ store: same })).toEqual(all);
    for (const other of ['docs.db', 'memory:', 'postgres://a@b/docs'])
      expect(used({ store: other })).toEqual({});
    expect(used({ server: 'https://a.test' })).toEqual({});
  });

  it('are used with the store of the variables or the default store if the profile names none', () => {
    save({ current: 'main', profiles: { main: { ...defaults, output: 'yaml' } } });
    expect(used()).toEqual(all);
    expect(used({}, { DOCSCTL_STORE: 'docs.db' })).toEqual(all);
    expect(used({ store: './docs.db' }, { DOCSCTL_STORE: 'docs.db' })).toEqual(all);
    expect(used({ store: join(home, '.local/share/docsctl/docsctl.db') })).toEqual(all);
    expect(used({ store: 'docs.db' })).toEqual({});
    expect(used({ store: 'other.db' }, { DOCSCTL_STORE: 'docs.db' })).toEqual({});
  });
});

describe('a token file', () => {
  it('overrides the profile, and as an option also the variable for a token', () => {
    save({ current: 'main', profiles: { main: { token: 'of-profile' } } });
    const path = put('token', ' of-file\n');
    const env = { DOCSCTL_TOKEN_FILE: path };
    expect(shown({}, env)).toMatchObject({ token: `of-file from ${path}` });
    expect(shown({}, { ...env, DOCSCTL_TOKEN: 'of-variable' })).toMatchObject({
      token: 'of-variable from DOCSCTL_TOKEN',
    });
    expect(shown({ tokenFile: path }, { DOCSCTL_TOKEN: 'of-variable' })).toMatchObject({
      token: `of-file from ${path}`,
    });
  });

  it('is refused if it is missing, a folder, empty or larger than 64 KiB', () => {
    const gone = join(home, 'gone');
    expect(refusal({ tokenFile: gone })).toBe(`invalid-input: The token file ${gone} does not exist.`);
    for (const [path, why] of [
      [join(home, 'config'), 'is a folder, not a file'],
      [put('large', 'x'.repeat(65_537)), 'is larger than 64 KiB'],
      ['/dev/null', 'is not a regular file'],
    ] as const)
      expect(refusal({ tokenFile: path })).toBe(`invalid-input: The token file ${path} ${why}.`);
    const largest = put('largest', 'x'.repeat(65_536));
    expect(shown({ tokenFile: largest })['token']).toBe(`${'x'.repeat(65_536)} from ${largest}`);
    const empty = put('empty', ' \n');
    expect(refusal({ tokenFile: empty })).toBe(`invalid-input: The token file ${empty} is empty.`);
  });
});
