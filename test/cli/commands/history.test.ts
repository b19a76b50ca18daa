import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

describe.each([
  ['an embedded store', openGuideStore],
  ['a server', openGuideServer],
])('docsctl history on %s', (_, openStore) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openStore();
  });
  afterEach(() => desk.discard());

  const history = async (...words: string[]): Promise<Record<string, unknown>[]> =>
    JSON.parse((await desk.done(['history', '-o', 'json', ...words])).stdout).items;
  const file = () => join(desk.home, 'config', 'history.ndjson');

  it('lists commands that changed something, newest first, without names of resources', async () => {
    await desk.done(['spaces', 'list']);
    await desk.run(['spaces', 'update', 'Guide', '--icon', 'https://secret.example.com']);
    await desk.run(['spaces', 'update', 'spc_01M8209M65144GQ224RQNNW7QX', '--title', 'Secret']);
    await desk.done(['spaces', 'update', 'Guide', '--title', 'Other', '--dry-run']);
    const [failed, updated, created, ...older] = await history();
    expect(older).toEqual([]);
    expect(created).toMatchObject({ command: 'spaces create', done: 1, failed: 0 });
    expect(updated).toMatchObject({
      command: 'spaces update',
      place: expect.stringMatching(/^(json:|http:)/),
      done: 1,
      requests: [{ method: 'PATCH', path: expect.stringMatching(/^\/v1\/spaces\/spc_/), outcome: 'done' }],
    });
    expect(failed).toMatchObject({ done: 0, failed: 1, requests: [{ outcome: 'not-found' }] });
    expect(readFileSync(file(), 'utf8')).not.toMatch(/secret/i);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await history('--limit', '1')).toEqual([failed]);
  });

  it('redacts the ID of an invite link, with which anyone can join', async () => {
    const invite = JSON.parse(
      (await desk.done(['invites', 'create', '--role', 'read', '-o', 'json'])).stdout,
    );
    await desk.done(['invites', 'accept', invite.id, '--org', 'Acme']);
    await desk.done(['invites', 'delete', invite.id, '--yes']);
    const failed = await desk.run(['invites', 'delete', invite.id, '--yes', '--trace']);
    expect(failed.exit).toBe(5);
    expect(failed.stderr).toContain('has no invite link with this ID');
    expect(failed.stderr).toContain('/[redacted] 404');
    const kept = readFileSync(file(), 'utf8');
    for (const text of [kept, failed.stderr]) expect(text).not.toContain(invite.id);
    expect(kept.match(/invites\/\[redacted\]"/g)).toHaveLength(3);
  });

  it('records nothing if it is off, and commands succeed if the file cannot be written', async () => {
    const [before] = await history();
    await desk.done(['spaces', 'create', '--title', 'A'], { env: { DOCSCTL_HISTORY: 'off' } });
    expect((await history())[0]).toEqual(before);
    mkdirSync(desk.at('blocked', 'history.ndjson'), { recursive: true });
    await desk.done(['spaces', 'create', '--title', 'B'], {
      env: { DOCSCTL_CONFIG_DIR: desk.at('blocked') },
    });
    expect(await desk.run(['history', '--limit', '0'])).toMatchObject({ exit: 8 });
  });

  it('starts a new file after 1 MB, and ignores damaged lines', async () => {
    mkdirSync(join(desk.home, 'config'), { recursive: true });
    writeFileSync(
      file(),
      `${'x'.repeat(1024 * 1024)}\n{"at":"2030-01-01T00:00:00Z","command":"spaces delete"}\n`,
    );
    await desk.done(['spaces', 'create', '--title', 'A']);
    expect(statSync(file()).size).toBeLessThan(1024);
    expect((await history()).map(({ command }) => command)).toEqual(['spaces create', 'spaces delete']);
  });
});
