import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newFolder, writeFiles } from '../../content-sync/folder-support.ts';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';
import { openRoom } from '../manifest/content-rooms.ts';
import type { Ran } from '../../support/cli.ts';
import { mockBusyClock } from '../../support/busy-clock.ts';

const paragraph = `${'Some words that fill a page, with a [link](p1.md#x). '.repeat(8)}\n\n`;
const folderOf = (count: number, text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `p${index}.md`,
      `# P${index}\n\n${paragraph.repeat(10)}${text}\n`,
    ]),
  );

describe.each([
  ['embedded', openGuideStore],
  ['remote', openGuideServer],
])('Ctrl-C on the %s store', (_, open) => {
  let desk: GuideStore;
  let dir: string;
  beforeEach(async () => {
    desk = await open();
    dir = newFolder(folderOf(150, 'one'));
    mockBusyClock();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await desk.discard();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Interrupts a command at the first turn of the event loop in which `isTime` returns true. */
  const interrupted = async (isTime: () => boolean, ...words: string[]): Promise<Ran> => {
    const stop = new AbortController();
    let hasEnded = false;
    const watch = (): void => {
      if (isTime()) stop.abort('SIGINT');
      else if (!hasEnded) void setImmediate().then(watch);
    };
    void setImmediate().then(watch);
    const ran = await desk.run(words, { signal: stop.signal });
    hasEnded = true;
    return ran;
  };
  const afterTurns = (count: number) => {
    let left = count;
    return () => left-- <= 0;
  };
  const last = (stderr: string): string => stderr.trim().split('\n').at(-1) ?? '';

  it('stops an import while it reads its folder, and leaves no change request', async () => {
    const stopped = await interrupted(afterTurns(10), 'spaces', 'import', 'Guide', dir);
    expect(stopped).toMatchObject({
      exit: 130,
      stdout: '',
      stderr: 'error: Interrupted. Nothing was changed.\n',
    });
    const { stdout } = await desk.done(['cr', 'list', 'Guide', '-o', 'json', '--all']);
    expect((JSON.parse(stdout) as { items: unknown[] }).items).toEqual([]);
  });

  it('stops a plan', async () => {
    await desk.done(['spaces', 'import', 'Guide', dir]);
    await desk.done(['export', '-d', 'acme']);
    for (const [path, text] of Object.entries(folderOf(150, 'two')))
      writeFileSync(desk.at('acme', 'content', 'guide', path), text);
    const stopped = await interrupted(afterTurns(30), 'plan', '-f', 'acme');
    expect(stopped).toMatchObject({ exit: 130, stdout: '' });
    expect(last(stopped.stderr)).toBe('error: Interrupted. Nothing was changed.');
  });

  it.each([
    ['export', ['export', '-d', 'out'], 'content/guide'],
    ['spaces export', ['spaces', 'export', 'Guide', 'out'], ''],
  ])('stops %s between two files, and reports how many were written', async (_name, words, below) => {
    await desk.done(['spaces', 'import', 'Guide', dir]);
    const folder = desk.at('out', below);
    const count = (): number => (existsSync(folder) ? readdirSync(folder).length : 0);
    const stopped = await interrupted(() => count() > 0, ...words);
    expect(stopped.exit).toBe(130);
    const [, written] =
      /^error: Interrupted after (\d+) of 15[01] files were written\.$/m.exec(stopped.stderr) ?? [];
    expect(Number(written)).toBe(count());
    expect(count()).toBeLessThan(150);
    await desk.done(words);
    expect(count()).toBe(150);
  });

  it('stops an export that has only read so far, and writes nothing', async () => {
    await desk.done(['spaces', 'import', 'Guide', dir]);
    const stopped = await interrupted(afterTurns(1), 'export', '-d', 'out');
    expect(stopped).toMatchObject({ exit: 130, stderr: 'error: Interrupted. Nothing was changed.\n' });
    expect(existsSync(desk.at('out'))).toBe(false);
  });
});

describe('Ctrl-C during one call', () => {
  let desk: GuideStore;
  let dir: string;
  beforeEach(async () => {
    desk = await openGuideStore('sqlite:store.db');
    dir = newFolder(folderOf(150, '[One](p2.md) and [none](gone.md)'));
    mockBusyClock();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await desk.discard();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Runs a command, and interrupts it after the given number of turns of the event loop. */
  const runFor = async (turns: number, ...words: string[]): Promise<Ran> => {
    const stop = new AbortController();
    const work = desk.run(words, { signal: stop.signal });
    for (let left = turns; left > 0; left--) await setImmediate();
    stop.abort('SIGINT');
    return work;
  };
  const nothing = { exit: 130, stdout: '', stderr: 'error: Interrupted. Nothing was changed.\n' };
  const totals = async (): Promise<unknown> =>
    JSON.parse((await desk.done(['spaces', 'links', 'Guide', '-o', 'json'])).stdout).stats;

  it('changes nothing while a merge is applied, and the merge can be repeated', async () => {
    await desk.done(['spaces', 'import', 'Guide', dir, '--change-request']);
    const before = await totals();
    const stopped = await runFor(60, 'cr', 'merge', '1', '--space', 'Guide', '--yes');
    expect(stopped).toMatchObject(nothing);
    expect(await totals()).toEqual(before);
    await desk.done(['cr', 'merge', '1', '--space', 'Guide', '--yes']);
    expect(await totals()).toMatchObject({ total: 150 * 82 });
  });
});

it('Ctrl-C archives the unfinished change request of an import that is sending', async () => {
  const stop = new AbortController();
  const room = await openRoom((core) => ({
    ...core,
    handlerOf: (operation) => {
      if (operation.id === 'change-requests.content.batch') stop.abort('SIGINT');
      return core.handlerOf(operation);
    },
  }));
  writeFiles(room.at('docs'), { 'README.md': '# Start\n' });
  await room.done('spaces', 'create', '--title', 'Guide');
  const stopped = await room.runAs({ signal: stop.signal }, 'spaces', 'import', 'Guide', 'docs');
  expect(stopped).toMatchObject({
    exit: 130,
    stdout: '',
    stderr:
      'error: Interrupted. The space was not changed, and the unfinished change request 1 was archived.\n',
  });
  await room.close();
});
