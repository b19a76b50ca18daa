import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../../guide-store.ts';

interface Token {
  readonly id: string;
  readonly name: string | null;
  readonly role: string;
  readonly token: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly user: { readonly id: string };
}

describe.each([
  ['on a store', openGuideStore, false],
  ['on a server', openGuideServer, true],
])('docsctl tokens rotate %s', (_, open, isServer) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
  });
  afterEach(() => desk.discard());

  const create = async (...words: string[]): Promise<Token> =>
    JSON.parse((await desk.done(['tokens', 'create', '--name', 'ci', '-o', 'json', ...words])).stdout);
  const list = async (): Promise<Token[]> =>
    JSON.parse((await desk.done(['tokens', 'list', '-o', 'json'])).stdout).items.filter(
      ({ name }: Token) => name === 'ci',
    );
  const works = async (token: string): Promise<boolean> =>
    (await desk.run(['spaces', 'list'], { env: { DOCSCTL_TOKEN: token } })).exit === 0;

  it('creates a token with the same name, role and lifetime, and deletes the old one', async () => {
    const before = await create('--role', 'read', '--expires-at', '90d');
    const { stdout, stderr } = await desk.done(['tokens', 'rotate', 'ci', '--yes', '-o', 'json']);
    const after = JSON.parse(stdout) as Token;
    expect(after).toMatchObject({ name: 'ci', role: 'read', user: { id: before.user.id } });
    // In tests, the server and the command line have different clocks.
    const lifetime = Date.parse(before.expiresAt ?? '') - Date.parse(before.createdAt);
    expect(Math.abs(Date.parse(after.expiresAt ?? '') - Date.now() - lifetime)).toBeLessThan(60_000);
    expect(stderr).toBe(`Save the token now: it cannot be shown again.\nDeleted token ${before.id}.\n`);
    expect((await list()).map(({ id }) => id)).toEqual([after.id]);
    if (isServer) expect([await works(before.token), await works(after.token)]).toEqual([false, true]);
  });

  it('replaces several tokens after one question, and deletes that of the caller last', async () => {
    const [one, other] = [await create('--role', 'admin'), await create('--role', 'read')];
    const ids = [one.id, other.id];
    const asked = await desk.run(['tokens', 'rotate', ...ids]);
    expect([asked.exit, asked.stderr]).toEqual([
      9,
      expect.stringContaining('The existing tokens will stop working immediately.'),
    ]);
    const env = isServer ? { DOCSCTL_TOKEN: one.token } : {};
    const words = ['tokens', 'rotate', '-', '--yes', '-o', 'json'];
    const { stdout, stderr } = await desk.done(words, { input: ids.join('\n'), env });
    const { items } = JSON.parse(stdout) as { items: Token[] };
    expect(items).toMatchObject([{ role: 'admin' }, { role: 'read' }]);
    expect(stderr).toContain('Save the tokens now: they cannot be shown again.\n');
    expect(stderr.match(/Deleted token \S+\./g)).toEqual(
      (isServer ? ids.toReversed() : ids).map((id) => `Deleted token ${id}.`),
    );
    expect((await list()).map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort());
  });

  it('keeps the old token with --keep, and the expiry "never"', async () => {
    const before = await create('--role', 'edit');
    const { stdout, stderr } = await desk.done(['tokens', 'rotate', before.id, '--keep', '-o', 'json']);
    const after = JSON.parse(stdout) as Token;
    expect(after).toMatchObject({ role: 'edit', expiresAt: null });
    expect(stderr).toContain(`\`docsctl tokens delete ${before.id}\``);
    expect([await works(before.token), await works(after.token)]).toEqual([true, true]);
    await desk.done(['tokens', 'delete', after.id, '--yes']);
    // Both tokens have this name now.
    const named = await desk.done(['tokens', 'rotate', 'ci', '--keep']);
    expect(named.stderr).toContain(`\`docsctl tokens delete ${before.id}\``);
    expect((await desk.run(['tokens', 'rotate', 'ci', '--yes'])).exit).toBe(5);
  });

  it.runIf(isServer)(
    'warns that commands still use the deleted token, with the setting that contains it',
    async () => {
      const { id, token } = await create('--role', 'admin');
      const env = { DOCSCTL_TOKEN: token };
      const { stderr } = await desk.done(['tokens', 'rotate', 'ci', '--yes'], { env });
      expect(stderr).toMatch(
        new RegExp(
          `Deleted token ${id}\\. It is the token from DOCSCTL_TOKEN\\. Set DOCSCTL_TOKEN to the new token\\.\\n$`,
        ),
      );
    },
  );

  it('asks first, sends nothing with --dry-run, and reports tokens that do not exist', async () => {
    const { id } = await create('--role', 'read');
    const asked = await desk.run(['tokens', 'rotate', 'ci']);
    expect([asked.exit, asked.stderr]).toEqual([
      9,
      expect.stringContaining('The existing token will stop working immediately.'),
    ]);
    const dry = await desk.done(['tokens', 'rotate', 'ci', '--dry-run']);
    expect(dry.stderr).toBe(
      `Dry run: a token ci with the role read that never expires would be created, and ${id} would be deleted. Nothing was sent.\n`,
    );
    expect(await list()).toMatchObject([{ id }]);
    expect((await desk.run(['tokens', 'rotate', 'none', '--yes'])).exit).toBe(5);
    expect((await desk.run(['tokens', 'rotate'])).exit).toBe(64);
  });
});

it('tokens rotate refuses a token for all organizations', async () => {
  const desk = await openGuideStore();
  try {
    const { stdout } = await desk.done(['tokens', 'list', '--mine', '-o', 'json']);
    const [own] = JSON.parse(stdout).items;
    const { exit, stderr } = await desk.run(['tokens', 'rotate', own.id, '--yes']);
    expect([exit, stderr]).toEqual([
      6,
      expect.stringContaining(`The token ${own.id} works for all organizations of its user`),
    ]);
  } finally {
    await desk.discard();
  }
});
