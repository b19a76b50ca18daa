import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['an embedded store', openGuideStore],
  ['a server', openGuideServer],
])('docsctl audit on %s', (place, openStore) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openStore();
  });
  afterEach(() => desk.discard());

  const list = async (...words: string[]): Promise<Record<string, never>[]> =>
    JSON.parse((await desk.done(['audit', 'list', '-o', 'json', ...words])).stdout).items;

  it('lists changes, with filters', async () => {
    await desk.done(['spaces', 'update', 'Guide', '--title', 'Handbook']);
    const [updated] = await list('--action', 'spaces.update', '--details');
    expect(updated).toMatchObject({
      action: 'spaces.update',
      source: place === 'a server' ? 'api' : 'script',
      target: { type: 'space', label: 'Handbook' },
      payload: {
        before: { title: 'Guide' },
        after: { title: 'Handbook' },
        origin: { kind: place === 'a server' ? 'remote' : 'local' },
      },
    });
    const { id, actor, target } = updated as unknown as Record<'id', string> & Record<'actor' | 'target', { id: string; label: string }>; // prettier-ignore
    expect(
      await list('--actor', actor.label, '--target', target.id, '--since', '2020-01-01', '--limit', '1'),
    ).toEqual([expect.objectContaining({ id })]);
    expect(await list('--actor', 'docsctl')).toEqual([]);
    const shown = JSON.parse((await desk.done(['audit', 'get', id, '-o', 'json'])).stdout);
    expect(shown).toMatchObject({ id, payload: { chain: { hash: expect.stringMatching(/^[\da-f]{64}$/) } } });
    const table = await desk.done(['audit', 'list', '--since', '2020-01-01']);
    expect(table.stdout).toContain('spaces.update');
  });

  it('refuses an action that does not exist, and notes that no event has the given target', async () => {
    const refused = await desk.run(['audit', 'list', '--action', 'space.update']);
    expect([refused.exit, refused.stdout]).toEqual([8, '']);
    expect(refused.stderr).toContain('There is no action "space.update".');
    expect(refused.stderr).toContain(
      'Did you mean spaces.update? To list the actions, run `docsctl audit actions`.',
    );
    expect((await desk.run(['audit', 'export', '--action', 'spaces.*'])).exit).toBe(8);
    expect(await list('--action', 'teams.delete')).toEqual([]);
    const { stderr } = await desk.done(['audit', 'list', '--target', 'Guide']);
    expect(stderr).toContain('No event has the target "Guide". --target takes the ID of a resource.');
  });

  it('notes that there are more events if the total is unknown', async () => {
    await desk.done(['teams', 'create', '--title', 'Writers']);
    const { stderr } = await desk.done(['audit', 'list', '--since', '2020-01-01', '--limit', '1']);
    expect(stderr).toContain('Showing 1; there are more. Add --all to show the rest');
  });

  it('gives all events of one command the same request ID', async () => {
    await desk.done(['collections', 'create', '--title', 'Other']);
    const manifest = join(desk.home, 'docsctl.yaml');
    writeFileSync(manifest, 'version: 1\ncollections:\n  one: { title: One }\n  two: { title: Two }\n');
    await desk.done(['apply', '-f', manifest, '--yes']);
    const created = await list('--action', 'collections.create', '--details');
    const [two, one, other] = created.map((event) => String(event['correlationId']));
    expect(two).toMatch(/^run_[\da-f]{24}$/);
    expect(one).toBe(two);
    expect(other).not.toBe(two);
    const labels = (await list('--request', two!)).map(
      (event) => (event['target'] as unknown as { label: string }).label,
    );
    expect(labels).toEqual(['Two', 'One']);
    const exported = await desk.done(['audit', 'export', '--request', two!]);
    expect(exported.stdout.trim().split('\n').length).toBe(2);
  });

  describe('verify', () => {
    const verified = async (...words: string[]): Promise<Record<string, unknown>> =>
      JSON.parse((await desk.done(['audit', 'verify', '-o', 'json', ...words])).stdout);
    const exported = async (): Promise<{ path: string; lines: string[] }> => {
      const path = join(desk.home, 'audit.ndjson');
      await desk.done(['audit', 'export', '-O', path, '--force']);
      return { path, lines: readFileSync(path, 'utf8').trim().split('\n') };
    };
    const refused = async (lines: readonly string[], ...words: string[]) => {
      const path = join(desk.home, 'changed.ndjson');
      writeFileSync(path, lines.join('\n'));
      const { exit, stderr } = await desk.run(['audit', 'verify', path, ...words]);
      return `${exit} ${stderr}`;
    };

    it('reports that the chain of the store and of its export is intact, and returns a checkpoint', async () => {
      for (const title of ['A', 'B', 'C']) await desk.done(['collections', 'create', '--title', title]);
      const first = await verified();
      const { path, lines } = await exported();
      expect(first).toMatchObject({ object: 'audit-verification', events: lines.length, first: 1 });
      expect(first['last']).toBe(lines.length);
      expect(await verified(path)).toEqual(first);
      const checkpoint = String(first['checkpoint']);
      const { number, hash } = JSON.parse(lines[0]!).payload.chain;
      expect(checkpoint).toBe(`${number}:${hash}`);
      await desk.done(['collections', 'create', '--title', 'D']);
      const next = await verified('--checkpoint', checkpoint);
      expect(next['last']).toBe(lines.length + 1);
      const said = await desk.done(['audit', 'verify']);
      expect(said.stderr).toContain(`The chain of ${lines.length + 1} events is intact.`);
      // The checkpoint is not in a file that ends before it.
      expect(await refused(lines.slice(1), '--checkpoint', checkpoint)).toMatch(
        /^69 .*later events were removed/s,
      );
      const { lines: now } = await exported();
      expect(await refused(now.slice(0, 1), '--checkpoint', checkpoint)).toMatch(
        /^5 .*the events cannot be compared with the checkpoint/s,
      );
      const other = `${number}:${'0'.repeat(64)}`;
      expect(await refused(now, '--checkpoint', other)).toMatch(
        /^69 .*its hash differs from the checkpoint/s,
      );
    });

    it('finds events that were changed, removed or reordered', async () => {
      for (const title of ['A', 'B', 'C']) await desk.done(['collections', 'create', '--title', title]);
      const { lines } = await exported();
      const changed = lines.map((line, at) => (at === 1 ? line.replaceAll('"B"', '"X"') : line));
      expect(changed).not.toEqual(lines);
      expect(await refused(changed)).toMatch(
        /^69 .*broken at event \d+ \(.*its content does not match its hash/s,
      );
      expect(await refused(lines.filter((_, at) => at !== 1))).toMatch(
        /^69 .*events are missing or out of order/s,
      );
      expect(await refused([...lines].reverse())).toMatch(/^69 .*events are missing or out of order/s);
      expect(await refused(lines.slice(2))).toMatch(/^0 /);
    });

    it('refuses invalid exports and invalid checkpoints', async () => {
      expect(await refused(['{"a":1}'])).toMatch(
        /^8 .*changed\.ndjson, line 1: this is not a complete audit event/s,
      );
      expect(await refused(['', 'x'])).toMatch(/^8 .*line 2/s);
      expect(await refused([], '--checkpoint', '12')).toMatch(/^8 .*--checkpoint is "12"/s);
      expect((await desk.run(['audit', 'verify', join(desk.home, 'none')])).stderr).toContain('none');
    });
  });

  it('lists all events with --all, although a page holds at most 100', async () => {
    for (let at = 0; at < 22; at++) await desk.done(['collections', 'create', '--title', `C${at}`]);
    const page = await desk.done(['audit', 'list', '--action', 'collections.create']);
    expect(page.stderr).toContain('Showing 20 of 22.');
    expect((await list('--action', 'collections.create', '--all')).length).toBe(22);
  });

  it('export escapes control characters on a terminal, and keeps them in a pipe', async () => {
    await desk.done(['spaces', 'update', 'Guide', '--title', 'A\u009b2J\u202eB']);
    const words = ['audit', 'export', '--action', 'spaces.update'];
    const shown = await desk.done(words, { tty: true });
    expect(shown.stdout).toContain('"title":"A\\u009b2J\\u202eB"');
    expect(shown.stdout).not.toMatch(/[\u009b\u202e]/);
    expect((await desk.done(words)).stdout).toContain('"title":"A\u009b2J\u202eB"');
  });

  it('exports events as NDJSON to a file that only its owner can read', async () => {
    await desk.done(['spaces', 'update', 'Guide', '--title', 'Handbook']);
    const { stdout } = await desk.done(['audit', 'export', '--since', '2020-01-01']);
    expect((await desk.done(['audit', 'export', '--from', '2020-01-01', '--to', '0d'])).stdout).toBe(stdout);
    expect((await desk.done(['audit', 'export', '--since', '2020-01-01', '-O', '-'])).stdout).toBe(stdout);
    const lines = stdout.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>); // prettier-ignore
    expect(lines[0]).toMatchObject({ action: 'spaces.update', payload: { after: { title: 'Handbook' } } });
    const path = join(desk.home, 'audit.ndjson');
    const saved = await desk.done(['audit', 'export', '-O', path]);
    expect(saved.stderr).toContain(`events to ${path}.`);
    expect(readFileSync(path, 'utf8').split('\n').length - 1).toBeGreaterThanOrEqual(lines.length);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const again = await desk.run(['audit', 'export', '-O', path]);
    expect(again).toMatchObject({ exit: 9, stderr: expect.stringContaining('already exists.') });
    await desk.done(['audit', 'export', '-O', path, '--force', '--action', 'teams.delete']);
    expect(readFileSync(path, 'utf8')).toBe('');
    mkdirSync(join(desk.home, 'empty'));
    const failed = await desk.run(['audit', 'export', '--actor', 'nobody@acme.test', '-O', join(desk.home, 'empty', 'x')]); // prettier-ignore
    expect(failed.exit).toBe(5);
    expect(readdirSync(join(desk.home, 'empty'))).toEqual([]);
  });

  it('refuses invalid periods, and folders and paths that cannot be written', async () => {
    const refused = async (...words: string[]) => (await desk.run(['audit', ...words])).stderr;
    expect(await refused('list', '--since', 'yesterday')).toContain('--since takes a period such as 7d');
    expect(await refused('list', '--since', '7d', '--from', '2026-01-01T00:00:00Z')).toContain(
      '--since and --from',
    );
    expect(await refused('list', '--actor', 'nobody@acme.test')).toContain('nobody@acme.test');
    expect(await refused('export', '-O', desk.home)).toContain('is a folder.');
    writeFileSync(join(desk.home, 'file'), '');
    expect(await refused('export', '-O', join(desk.home, 'file', 'x'))).toContain('cannot be written');
    expect(await refused('keep', '0')).toContain('must be at least 1');
  });

  it('changes how long audit events are kept', async () => {
    await desk.done(['audit', 'keep', '90']);
    const { stdout } = await desk.done(['audit', 'retention', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ days: 90 });
    const [kept] = await list('--action', 'audit.keep', '--details');
    expect(kept).toMatchObject({ payload: { before: { auditDays: null }, after: { auditDays: 90 } } });
    const actions = JSON.parse((await desk.done(['audit', 'actions', '-o', 'json'])).stdout);
    expect(actions.items).toContainEqual({ object: 'audit-event-action', id: 'saml.sign-in', label: 'Sign in with single sign-on' }); // prettier-ignore
  });
});
