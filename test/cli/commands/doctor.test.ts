import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { serve } from '../../server/serving.ts';
import { docsctl } from '../../support/cli.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-doctor-'));
});
afterAll(() => {
  vi.useRealTimers();
  rmSync(home, { recursive: true });
});

it('docsctl doctor wraps long texts on a terminal, and shortens nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-doctor-'));
  try {
    const options = { home: folder, cwd: folder, env: { DOCSCTL_STORE: `sqlite:${folder}/store.db` } };
    await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test'], options);
    const { stdout } = await docsctl(['doctor'], { ...options, tty: true, columns: 40 });
    expect(stdout).not.toContain('…');
    expect(stdout).toMatch(/^versions +✓ docsctl /m);
    expect(stdout.replace(/\s+/g, ' ')).toContain('`docsctl store check` reads every row');
    expect(stdout.split('\n').every((line) => line.length <= 40)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('docsctl doctor lists deleted spaces until they are removed for good', async () => {
  const run = async (words: string): Promise<{ exit: number; stdout: string; stderr: string }> =>
    docsctl(words.split(' '), { home, cwd: home, env: { DOCSCTL_STORE: `sqlite:${home}/store.db` } });
  const removal = async (): Promise<string | undefined> => {
    const { items } = JSON.parse((await run('doctor -o json')).stdout) as {
      items: { id: string; found: string }[];
    };
    return items.find(({ id }) => id === 'removal')?.found;
  };
  await run('init --org-title Acme --email ana@acme.test');
  for (const title of ['Old-canary', 'Kept'])
    expect((await run(`spaces create --title ${title}`)).exit).toBe(0);
  expect(await removal()).toBeUndefined();
  const { stdout } = await run('spaces get Old-canary -o json');
  const { id } = JSON.parse(stdout) as { id: string };
  expect((await run('spaces delete Old-canary --yes')).exit).toBe(0);
  expect(await removal()).toMatch(
    /^1 deleted space will be removed for good: "Old-canary" in \d+ days?; \d+ (?:bytes|KB) of deleted spaces and unused content are left to remove in the whole store$/,
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2.5 * 24 * 60 * 60 * 1000 });
  expect(await removal()).toContain('"Old-canary" in 5 days;');
  vi.useRealTimers();
  const refused = await run(`spaces delete ${id} --now`);
  expect(refused.exit).not.toBe(0);
  expect(refused.stderr).toContain('revisions are removed now and cannot be restored.');
  expect((await run(`spaces delete ${id} --now --yes`)).exit).toBe(0);
  expect(await removal()).toBeUndefined();
  expect((await run(`spaces restore ${id}`)).exit).toBe(5);
  expect((await run(`spaces delete ${id} --now --yes`)).exit).toBe(5);
  expect((await run('spaces list -o json')).stdout).toContain('Kept');
  expect((await run('jobs run --kind removal')).exit).toBe(0);
  const tables = readdirSync(home)
    .filter((name) => name.startsWith('store.db'))
    .map((name) => readFileSync(join(home, name), 'latin1'))
    .join('');
  expect(tables).not.toContain(`"id":"${id}","organization"`);
});

it.each(['admin', 'outsider', 'read'] as const)(
  'docsctl doctor on a server lists only the deleted spaces that the role allows: %s',
  async (who) => {
    const { server, world } = await serve();
    const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
    const isOther = who === 'outsider';
    const docs = (words: string, token: string) =>
      docsctl(words.split(' '), { home, cwd: home, env: { DOCSCTL_SERVER: url, DOCSCTL_TOKEN: token } });
    const author = world.token(isOther ? 'outsider' : 'admin');
    try {
      expect((await docs('spaces create --title Old-canary', author)).exit).toBe(0);
      expect((await docs('spaces delete Old-canary --yes', author)).exit).toBe(0);
      const { items } = JSON.parse((await docs('doctor -o json', world.token(who))).stdout) as {
        items: { id: string; found: string }[];
      };
      const found = items.find(({ id }) => id === 'removal')?.found ?? '';
      if (who === 'read') expect(found).toBe('');
      else
        expect(found).toMatch(
          isOther
            ? /"Old-canary" in \d+ days?; \d+ (?:bytes|KB) of deleted spaces are left to remove in this organization$/
            : /"Old-canary" in \d+ days?; \d+ (?:bytes|KB) of deleted spaces and unused content are left to remove in the whole store$/,
        );
    } finally {
      await server.close(0);
    }
  },
);

it.each([
  [{ DOCSCTL_ALLOW_PRIVATE: 'http://x' }, 'DOCSCTL_ALLOW_PRIVATE has an entry'],
  [{ DOCSCTL_TRUST_HOSTNAMES: 'true' }, 'DOCSCTL_TRUST_HOSTNAMES is "true"'],
  [{ DOCSCTL_SECRET_KEY: 'abc' }, 'DOCSCTL_SECRET_KEY does not contain a key'],
  [{ DOCSCTL_TRANSLATION: 'libretranslate' }, 'DOCSCTL_LIBRETRANSLATE_URL is not set'],
  [{ DOCSCTL_ANALYSIS: 'gpt' }, 'DOCSCTL_ANALYSIS must be embedded or openai, not "gpt"'],
  [
    { DOCSCTL_ANALYSIS: 'openai', DOCSCTL_OPENAI_URL: 'api' },
    'DOCSCTL_OPENAI_URL is not an http or https URL',
  ],
  [{ DOCSCTL_EMBEDDINGS: 'openai' }, 'DOCSCTL_OPENAI_KEY is not set'],
  [{ DOCSCTL_GIT_FOLDER: '/none' }, 'DOCSCTL_GIT_FOLDER is "/none", which is not a folder'],
  [{ DOCSCTL_INTEGRATION_RUNTIME: 'workerd', DOCSCTL_WORKERD: '/none' }, '/none'],
  [{ DOCSCTL_SITES_PORT: 'http' }, 'DOCSCTL_SITES_PORT takes a whole number from 0 to 65535, not "http"'],
  [{ DOCSCTL_ALLOW_REMOTE: 'true' }, 'DOCSCTL_ALLOW_REMOTE takes yes or no, not "true"'],
])('docsctl doctor finds an invalid variable, and serve refuses to start: %s', async (wrong, message) => {
  const env = { DOCSCTL_STORE: `sqlite:${home}/variables.db`, ...wrong };
  const run = async (words: string) => docsctl(words.split(' '), { home, cwd: home, env });
  await run('init --org-title Acme --email ana@acme.test');
  const { items } = JSON.parse((await run('doctor -o json')).stdout) as { items: { id: string }[] };
  expect(items.find(({ id }) => id === 'variables')).toMatchObject({
    ok: false,
    found: expect.stringContaining(message),
  });
  const served = await run('serve --port 0');
  expect(served.exit).toBe(8);
  expect(served.stderr).toContain(message);
});

it('docsctl doctor finds an organization of the settings that does not exist', async () => {
  const options = (org: string) => ({
    home,
    cwd: home,
    env: { DOCSCTL_STORE: `sqlite:${home}/store.db`, DOCSCTL_ORG: org },
  });
  const check = async (org: string) => {
    const { exit, stdout } = await docsctl(['doctor', '-o', 'json'], options(org));
    const { items } = JSON.parse(stdout) as { items: { id: string }[] };
    return { exit, ...items.find(({ id }) => id === 'organization') };
  };
  expect(await check('Acme')).toMatchObject({
    exit: 0,
    ok: true,
    found: expect.stringMatching(/^Acme \(org_\w+\), from DOCSCTL_ORG$/),
  });
  for (const org of ['Acne', 'org_01M8QN382RDBA8P01B9YSJ2M8X'])
    expect(await check(org)).toMatchObject({
      exit: 69,
      ok: false,
      found: expect.stringContaining(`There is no organization "${org}" that you can see.`),
    });
});
