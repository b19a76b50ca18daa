import { expect } from 'vitest';
import { run } from '../../../../src/cli/program.ts';
import { runtimeOf } from '../../../support/cli.ts';
import type { GuideStore } from '../../guide-store.ts';

/** A preview in a browser. */
export interface Browser {
  readonly show: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
  /** Opens a page, and returns a function that waits until the page has to reload. */
  readonly watch: (path: string) => Promise<() => Promise<void>>;
  /** Returns the notes of the command. */
  readonly notes: () => string;
}

/** Runs a preview until `work` has finished, and returns the exit code. */
export async function previewIn(
  desk: GuideStore,
  words: readonly string[],
  work: (browser: Browser) => Promise<void>,
): Promise<number> {
  const stop = new AbortController();
  const options = { ...desk.options, signal: stop.signal };
  const { runtime, out, err } = runtimeOf(
    words[0] === 'sites' ? words : ['sites', 'preview', 'Docs', '-o', 'json', ...words],
    options,
  );
  let onPrinted: () => void = () => {};
  const printed = new Promise<void>((resolve) => (onPrinted = resolve));
  const { stdout } = runtime.terminal;
  const terminal = {
    ...runtime.terminal,
    stdout: { ...stdout, write: (text: string | Uint8Array) => (stdout.write(text), onPrinted()) },
  };
  const ran = run({ ...runtime, terminal });
  const notes = (): string => err.bytes().toString();
  try {
    await Promise.race([printed, ran.then(() => Promise.reject(new Error(notes())))]);
    const { url } = JSON.parse(out.bytes().toString());
    const opened = await fetch(url, { redirect: 'manual' });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const root = new URL(opened.headers.get('location') ?? '', url);
    const get = (path: string) => fetch(new URL(path, root), { headers: { cookie }, redirect: 'manual' });
    const show: Browser['show'] = async (path) => {
      const answer = await get(path);
      return { status: answer.status, text: await answer.text() };
    };
    await work({
      show,
      watch: async (path) => {
        const [, key = ''] = /data-key="([^"]+)"/.exec((await show(path)).text) ?? [];
        const query = new URLSearchParams({ path: new URL(path, root).pathname, key });
        const stream = await get(`/~preview/events?${query.toString()}`);
        return async () => expect(await stream.text()).toContain('event: change');
      },
      notes,
    });
  } finally {
    stop.abort();
  }
  return ran;
}
