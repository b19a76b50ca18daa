import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf } from '../../support/cli.ts';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

describe.each([
  ['on an embedded store', openGuideStore],
  ['on a server', openGuideServer],
])('--watch %s', (_, open) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await open();
  });
  afterEach(() => desk.discard());

  /** Runs a command with --watch, calls `work`, and waits until `isDone` returns true for the output. */
  const watchWhile = async (
    words: readonly string[],
    work: () => Promise<unknown>,
    isDone: (text: string, notes: string) => boolean,
    tty = false,
  ) => {
    const stop = new AbortController();
    const options = { ...desk.options, tty, signal: stop.signal };
    const { runtime, out, err } = runtimeOf([...words, '--watch', '--interval', '0.05'], options);
    const text = () => out.bytes().toString();
    const notes = () => err.bytes().toString();
    const until = async (test: typeof isDone) => {
      for (let tries = 0; !test(text(), notes()); tries++) {
        if (tries === 200) throw new Error(`This did not become the expected output: ${text()}${notes()}`);
        await setTimeout(20);
      }
    };
    const ended = run(runtime);
    await until((now) => now !== '');
    const first = text();
    await work();
    await until(isDone);
    stop.abort('SIGINT');
    return { exit: await ended, first, text: text(), stderr: notes() };
  };
  const create = () => desk.done(['spaces', 'create', '--title', 'News']);

  it('prints new rows of a list', async () => {
    const words = ['spaces', 'list', '-o', 'tsv', '--columns', 'title'];
    const ran = await watchWhile(words, create, (text) => text.includes('News'));
    expect(ran).toEqual({ exit: 0, first: 'title\nGuide\n', text: 'title\nGuide\nNews\n', stderr: '' });
  });

  it('prints a document again when it has changed', async () => {
    const id = (await desk.done(['spaces', 'get', 'Guide', '-o', 'id'])).stdout.trim();
    const rename = () => desk.done(['spaces', 'update', id, '--title', 'Manual']);
    const words = ['spaces', 'get', id, '-o', 'json', '--query', 'title'];
    const ran = await watchWhile(words, rename, (text) => text.includes('Manual'));
    expect(ran.text).toBe('"Guide"\n"Manual"\n');
  });

  it('prints the notes of a list, and again only when they change', async () => {
    const words = ['spaces', 'list', '-o', 'tsv', '--columns', 'title', '--limit', '1'];
    await create();
    const more = () => desk.done(['spaces', 'create', '--title', 'A']);
    const ran = await watchWhile(words, more, (_text, notes) => notes.includes('of 3'));
    expect(ran.stderr.match(/Showing 1 of \d/g)).toEqual(['Showing 1 of 2', 'Showing 1 of 3']);
  });

  it('redraws the screen on a terminal', async () => {
    const words = ['change-requests', 'list', 'Guide', '--status', 'draft'];
    const change = () => desk.request();
    const ran = await watchWhile(words, change, (text) => text.split('\u001b[H').length > 2, true);
    expect(ran.exit).toBe(0);
    expect(ran.text.match(/\u001b\[H\u001b\[J/g)).toHaveLength(2);
  });

  it('exits with the error of the command, and with --timeout', async () => {
    expect(await desk.run(['spaces', 'get', 'Nope', '--watch'])).toMatchObject({ exit: 5 });
    expect(await desk.run(['spaces', 'list', '--watch', '--interval', 'x'])).toMatchObject({ exit: 8 });
    expect(await desk.run(['spaces', 'list', '--interval', '5'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--interval works only with --watch.'),
    });
    expect(await desk.run(['spaces', 'list', '--watch', '--timeout', '0.2'])).toMatchObject({ exit: 69 });
    expect(await desk.run(['spaces', 'create', '--watch'])).toMatchObject({ exit: 64 });
  });
});
