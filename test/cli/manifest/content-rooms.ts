import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Problem } from '../../../src/errors/problem.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { updateContent } from '../../../src/resources/content/change-request/contract.ts';
import type { PageBody } from '../../../src/resources/content/schemas.ts';
import { listFiles } from '../../../src/resources/content/space-files/contract.ts';
import { listPages } from '../../../src/resources/content/space-pages/contract.ts';
import { getSpace, listSpaces, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { serve } from '../../server/serving.ts';
import { docsctl, type CliOptions, type Ran } from '../../support/cli.ts';
import type { ContentChange } from '../../../src/content/changes.ts';

/** Starts a server with an organization, and creates a folder for manifests. */
export async function openRoom(change?: NonNullable<Parameters<typeof serve>[0]>['change']) {
  const serving = await serve(change === undefined ? {} : { change });
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  const home = mkdtempSync(join(tmpdir(), 'docsctl-room-'));
  const { world } = serving;
  const api = world.as('admin');
  mkdirSync(join(home, 'work'));
  const options = {
    home,
    cwd: join(home, 'work'),
    env: {
      DOCSCTL_SERVER: url,
      DOCSCTL_TOKEN: world.token('admin'),
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
    },
  };
  const run = (...words: string[]): Promise<Ran> => docsctl(words, options);
  return {
    world,
    env: options.env,
    at: (...names: string[]) => join(home, 'work', ...names),
    run,
    runAs: (more: Partial<CliOptions>, ...words: string[]): Promise<Ran> =>
      docsctl(words, { ...options, ...more }),
    done: async (...words: string[]): Promise<Ran> => {
      const ran = await run(...words);
      if (ran.exit !== 0)
        throw new Error(`docsctl ${words.join(' ')}: ${ran.exit} ${ran.stdout}${ran.stderr}`);
      return ran;
    },
    /** Copies a folder without its state file. */
    take: (folder: string, name: string) => {
      cpSync(folder, join(home, 'work', name), { recursive: true });
      for (const lock of ['docsctl.state.json', 'docsctl.state.json.lock'])
        rmSync(join(home, 'work', name, lock), { force: true });
    },
    spaces: async () =>
      (await api.call(listSpaces, { params: { organizationId: world.org }, query: { limit: 100 } })).items,
    /** Merges changes into a space one by one, and ignores changes that are refused. */
    publish: async (spaceId: string, changes: readonly ContentChange[]): Promise<void> => {
      const { mergeRules, editMode } = await api.call(getSpace, { params: { spaceId } });
      await api.call(updateSpace, {
        params: { spaceId },
        body: { mergeRules: { type: 'none' }, editMode: 'live' },
      });
      const { id } = await api.call(createChangeRequest, { params: { spaceId }, body: {} });
      const params = { spaceId, changeRequestId: id };
      const ids = new Map<string, string>();
      for (const change of changes) {
        const into =
          'into' in change && typeof change.into === 'string'
            ? { into: ids.get(change.into) ?? change.into }
            : {};
        try {
          const { pages = [] } = await api.call(updateContent, {
            params,
            query: { compat: false },
            body: { changes: [{ ...change, ...into }] },
          });
          for (const page of pages) if (page.ref !== undefined) ids.set(page.ref, page.id);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
        }
      }
      await api.call(mergeChangeRequest, { params });
      await api.call(updateSpace, { params: { spaceId }, body: { mergeRules, editMode } });
    },
    /** Returns every page with its slug and its parent, and every file. */
    outline: async (spaceId: string): Promise<readonly (readonly unknown[])[]> => {
      const { pages } = await api.call(listPages, { params: { spaceId }, query: { texts: false } });
      const { items } = await api.call(listFiles, { params: { spaceId }, query: { limit: 1000 } });
      const inside = (found: readonly PageBody[], parent: string): unknown[][] =>
        found.flatMap((page) => [[parent, page.id, page.slug], ...inside(page.pages ?? [], page.id)]);
      // The order is ignored, because hidden pages that no table of contents lists move to the end.
      return [...inside(pages, ''), ...items.map(({ id, name }) => [id, name])].sort();
    },
    close: async () => {
      await serving.server.close(0);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
export type Room = Awaited<ReturnType<typeof openRoom>>;

const titles = [
  'Start',
  'start',
  'START',
  'Two  spaces',
  ' padded ',
  '[x](y)',
  '# head',
  'con',
  '../up',
  'a/b',
  'README',
  'SUMMARY',
  'How to configure the authentication provider with single sign on, for all',
  '`code`',
  '*s*',
  '漢字',
  '😀',
  "it's",
  '\\',
  '<b>',
  '&amp;',
  'a|b: c',
  'non\u00a0breaking',
  '.gitbook',
  '-',
  '1. one',
];
const texts = [
  '',
  '# Head\n',
  'text',
  '---\ntitle: T\n---\nbody',
  'crlf\r\nhere\r\n',
  '---\n# only a comment\n---\n',
  '\ufeffmark',
  '![](x.png)\n',
  '---\nhidden: true\n---\n',
  '{% hint %}',
];
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const page = fc.record({
  title: fc.constantFrom(...titles),
  slug: maybe(fc.constantFrom('Start', 'x-y', 'readme', 'con', 'a:b', '漢', '.dot')),
  markdown: fc.constantFrom(...texts),
  description: maybe(fc.constantFrom('Says: "hi"', '# no')),
  emoji: maybe(fc.constant('🐝')),
  hidden: maybe(fc.boolean()),
  type: fc.constantFrom(
    'document' as const,
    'document' as const,
    'document' as const,
    'group' as const,
    'link' as const,
  ),
  under: fc.nat(6),
  git: maybe(fc.constantFrom('a.md', 'docs/b.md', '../x.md', 'README.md', 'plain', 'notes.md')),
});
const file = fc.record({
  name: fc.constantFrom('a.png', 'A.png', 'p q.bin', '../../etc/con', 'x.md'),
  bytes: fc.constantFrom('', 'one', 'two'),
  git: maybe(fc.constantFrom('.gitbook/assets/z.png')),
});

/** Generates pages, groups, links and files. Some of them have a path, as after an import. */
export const contents: fc.Arbitrary<readonly ContentChange[]> = fc
  .tuple(fc.array(page, { maxLength: 7 }), fc.array(file, { maxLength: 3 }))
  .map(([pages, files]) => [
    ...pages.map(
      ({ type, markdown, under, git, slug, description, emoji, hidden, title }, index): ContentChange => {
        const into = type !== 'group' && under < index ? { into: `p${under}` } : {};
        if (type !== 'document')
          return {
            operation: 'insert_page',
            type,
            document: {},
            title,
            ref: `p${index}`,
            ...into,
            ...(type === 'link' ? { href: `https://x.test/${index}(a)` } : {}),
          };
        const fields = { slug, description, emoji, hidden };
        const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
        return {
          operation: 'insert_page',
          document: { markdown },
          title,
          ref: `p${index}`,
          ...into,
          ...given,
          ...(git === undefined ? {} : { git: { path: git } }),
        };
      },
    ),
    ...files.map(({ name, bytes, git }): ContentChange => ({
      operation: 'insert_files',
      files: [
        {
          name,
          contentType: 'image/png',
          base64: Buffer.from(bytes).toString('base64'),
          ...(git === undefined ? {} : { git: { path: git } }),
        },
      ],
    })),
  ]);

/** Generates contents in which no two pages have the same path, as after an import. */
export const soundContents = contents.filter((changes) => {
  const paths = changes.flatMap((change) =>
    'git' in change && change.git !== undefined ? [change.git.path] : [],
  );
  return new Set(paths).size === paths.length;
});
