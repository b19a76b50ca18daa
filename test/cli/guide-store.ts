import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { serve } from '../server/serving.ts';
import { docsctl, type CliOptions, type Ran } from '../support/cli.ts';
import type { ContentChange } from '../../src/content/changes.ts';

/** The files of a new store with the space, by path. The store is created once for all tests of a process. */
const newStores = new Map<string, readonly (readonly [path: string, bytes: Buffer])[]>();

/**
 * Opens an embedded store with an empty space "Guide", and returns functions that run commands on it. `store` is its kind and
 * file, such as `sqlite:store.db`. All these stores have the same IDs.
 */
export async function openGuideStore(store = 'json:store.json') {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-desk-'));
  const [kind, file = ''] = store.split(':');
  const guide = openGuide(home, { DOCSCTL_STORE: `${kind}:${join(home, file)}` }, async () => {});
  const files = newStores.get(store);
  if (files !== undefined) {
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    for (const [path, bytes] of files) writeFileSync(join(home, path), bytes, { mode: 0o600 });
    return guide;
  }
  await guide.done(['init', '--org-title', 'Acme', '--email', 'ana@acme.test']);
  await guide.done(['spaces', 'create', '--title', 'Guide']);
  const made = readdirSync(home, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(shm|wal)$|\.lock$/.test(entry.name))
    .map((entry) => relative(home, join(entry.parentPath, entry.name)));
  newStores.set(store, made.map((path) => [path, readFileSync(join(home, path))])); // prettier-ignore
  return guide;
}

/** Like `openGuideStore`, but on a server, whose core can be changed. */
export async function openGuideServer(change?: Parameters<typeof serve>[0]) {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-desk-'));
  const { server, world } = await serve(change);
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const place = { DOCSCTL_SERVER: url, DOCSCTL_TOKEN: world.token('admin') };
  const guide = openGuide(home, place, () => server.close(0));
  await guide.done(['spaces', 'create', '--title', 'Guide']);
  return guide;
}

function openGuide(home: string, place: Readonly<Record<string, string>>, close: () => Promise<unknown>) {
  const options: CliOptions = {
    home,
    cwd: join(home, 'work'),
    env: { DOCSCTL_CONFIG_DIR: join(home, 'config'), ...place },
  };
  mkdirSync(join(home, 'work'));
  const run = (words: readonly string[], more: Partial<CliOptions> = {}): Promise<Ran> =>
    docsctl(words, { ...options, ...more, env: { ...options.env, ...more.env } });
  const done = async (words: readonly string[], more: Partial<CliOptions> = {}): Promise<Ran> => {
    const ran = await run(words, more);
    if (ran.exit !== 0) throw new Error(`docsctl ${words.join(' ')}: ${ran.stderr}`);
    return ran;
  };
  const create = async (): Promise<number> =>
    JSON.parse((await done(['cr', 'create', '--space', 'Guide', '--subject', 'Edit', '-o', 'json'])).stdout)
      .number;
  const edit = (number: number, ...changes: ContentChange[]) =>
    done(['cr', 'content', 'update', String(number), '--space', 'Guide', '--body', '-'], {
      input: JSON.stringify({ changes }),
    });
  return {
    home,
    at: (...names: string[]) => join(home, 'work', ...names),
    run,
    done,
    /** Creates a change request with changes, and returns its number. */
    request: async (...changes: ContentChange[]) => {
      const number = await create();
      if (changes.length > 0) await edit(number, ...changes);
      return number;
    },
    edit,
    /** Merges changes into the space. */
    publish: async (...changes: ContentChange[]) => {
      const number = await create();
      await edit(number, ...changes);
      await done(['cr', 'merge', String(number), '--space', 'Guide']);
    },
    /** Returns the ID of a page of the space or of a change request. */
    pageId: async (title: string): Promise<string> =>
      JSON.parse((await done(['pages', 'show', 'Guide', title, '-o', 'json'])).stdout).id,
    options,
    discard: async () => {
      await close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
export type GuideStore = Awaited<ReturnType<typeof openGuideStore>>;

export const page = (title: string, markdown: string, more: object = {}): ContentChange => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});
