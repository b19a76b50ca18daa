import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { gitOid } from '../../../src/content/hashing.ts';
import { createTranslation } from '../../../src/resources/translations/contract.ts';
import { filesOf, writeFiles } from '../../content-sync/folder-support.ts';
import { openRoom, type Room } from '../manifest/content-rooms.ts';
import type { ContentChange } from '../../../src/content/changes.ts';

const sample = 'test/samples/handbook';
const product = 'test/samples/product-docs';
const page = (title: string, markdown: string, more: object = {}): ContentChange => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});
const file = (name: string, text: string): ContentChange => ({
  operation: 'insert_files',
  files: [{ name, contentType: 'image/png', base64: Buffer.from(text).toString('base64') }],
});

let room: Room;
/** Runs before each call of a handler on the server. */
let before: (operation: string, params: Record<string, string>) => void;
beforeEach(async () => {
  before = () => {};
  room = await openRoom((core) => ({
    ...core,
    handlerOf: async (operation) => {
      const handler = (await core.handlerOf(operation)) as (
        context: unknown,
        input: { params: Record<string, string> },
      ) => Promise<unknown>;
      const watched = (context: unknown, input: { params: Record<string, string> }) => {
        before(operation.id, input.params);
        return handler(context, input);
      };
      return watched as never;
    },
  }));
});
afterEach(() => room.close());

const idOf = async (title: string): Promise<string> =>
  (await room.spaces()).find((space) => space.title === title)!.id;
const main = () => readFileSync(room.at('acme', 'docsctl.yaml'), 'utf8');
const isPlannedEmpty = async (): Promise<void> =>
  expect(await room.run('plan', '-f', 'acme', '--detailed-exitcode')).toMatchObject({
    exit: 0,
    stdout: 'No changes.\n',
  });
const content = (dir = 'acme') =>
  Object.keys(filesOf(room.at(dir))).filter((path) => path.startsWith('content/'));
const apply = async (spaces: string): Promise<void> => {
  writeFileSync(room.at('org.yaml'), `version: 1\nspaces:\n${spaces}`);
  await room.done('apply', '-f', 'org.yaml', '-y');
};
/** Creates a space with pages and a file, and an empty space. */
const start = async (): Promise<string> => {
  await apply('  guide: { title: Guide }\n  empty: { title: Empty }\n');
  const id = await idOf('Guide');
  await room.publish(id, [page('Start', '# Start\n'), page('More', 'more\n'), file('a.png', 'one')]);
  return id;
};
const pageId = async (spaceId: string, slug: string): Promise<string> =>
  String((await room.outline(spaceId)).find((row) => row[2] === slug)![1]);

describe('docsctl export with content', () => {
  it('writes a folder for each space that has content, and records it in the state file', async () => {
    await start();
    const { stderr, stdout } = await room.done('export', '-d', 'acme', '-o', 'json');
    expect(stderr).toContain('ignore docsctl.state.json.lock and docsctl.runs/');
    expect(stderr).toContain(
      'content of 1 space; files: 5 new, 0 changed, 0 unchanged, 0 deleted; 0 warnings.',
    );
    expect(JSON.parse(stdout)).toMatchObject({ contents: 1, created: 5 });
    expect(main()).toContain(
      '\nspaces:\n  empty: { title: Empty }\n  guide: { title: Guide, content: { dir: content/guide } }\n',
    );
    expect(content()).toEqual(
      ['.gitbook/assets/a.png', 'SUMMARY.md', 'more.md', 'start.md'].map((path) => `content/guide/${path}`),
    );
    const [section] = JSON.parse(readFileSync(room.at('acme', 'docsctl.state.json'), 'utf8')).sections;
    expect(section.resources['space.guide'].fields).toEqual({
      title: 'Guide',
      content: { dir: 'content/guide', via: 'change-request', merge: 'auto' },
    });
    expect(section.resources['space.empty'].fields).toEqual({ title: 'Empty' });
    expect(section.checkpoints.export.files['content/guide/start.md']).toBe(gitOid(Buffer.from('# Start\n')));
    await isPlannedEmpty();
  });

  it('leads to a plan with only the edited page, after pages were moved in the space', async () => {
    await apply('  handbook: { title: Handbook }\n');
    cpSync(sample, room.at('given'), { recursive: true });
    await room.done('spaces', 'import', 'Handbook', 'given', '--unlisted', 'hidden');
    await room.done('pages', 'move', 'quick-start', '--space', 'Handbook', '--before', 'readme', '--merge');
    await room.done('export', '-d', 'acme');
    await isPlannedEmpty();
    const path = room.at('acme', 'content', 'handbook', 'README.md');
    writeFileSync(path, `${readFileSync(path, 'utf8')}\nMore.\n`);
    const { stdout } = await room.done('plan', '-f', 'acme');
    expect(stdout).toContain('1 page changed');
    expect(stdout).not.toContain('SUMMARY.md');
    await room.done('apply', '-f', 'acme', '-y');
    await isPlannedEmpty();
  });

  it('does not export the content of a space that a translation writes', async () => {
    const id = await start();
    const { api, org } = { api: room.world.as('admin'), org: room.world.org };
    await api.call(createTranslation, {
      params: { organizationId: org },
      body: { source: { space: id, language: 'en' }, language: 'fr' },
    });
    const core = { ...room.world.core, env: { DOCSCTL_TRANSLATION: 'pseudo' } };
    await runDueJobs(core, { signal: new AbortController().signal });
    const { stderr } = await room.done('export', '-d', 'acme');
    expect(stderr).toContain(
      'warning: the content of the space "Guide (French)" is not exported, because a translation writes it',
    );
    expect(main()).toMatch(/guide-french: \{ title: Guide \(French\)[^}]*\}/);
    expect(main().match(/content:/g)).toHaveLength(1);
    await isPlannedEmpty();
  });

  it('writes the same folder as spaces export', async () => {
    await apply('  handbook: { title: Handbook }\n');
    cpSync(sample, room.at('given'), { recursive: true });
    await room.done('spaces', 'import', 'Handbook', 'given', '--unlisted', 'hidden');
    await room.done('spaces', 'export', 'Handbook', 'alone');
    await room.done('export', '-d', 'acme');
    expect(filesOf(room.at('acme', 'content', 'handbook'))).toEqual(filesOf(room.at('alone')));
    expect(filesOf(room.at('alone'))).toEqual(filesOf(sample));
    expect(main()).toContain('content: { dir: content/handbook, unlisted: hidden }');
    await isPlannedEmpty();
  });

  it('exports a space that has files but no pages', async () => {
    await apply('  files: { title: Files }\n');
    await room.publish(await idOf('Files'), [file('a.png', 'one')]);
    await room.done('export', '-d', 'acme');
    expect(content()).toEqual(['content/files/.gitbook/assets/a.png']);
    await isPlannedEmpty();
    const next = await openRoom();
    next.take(room.at('acme'), 'given');
    await next.done('apply', '-f', 'given', '-y');
    await next.done('export', '-d', 'acme');
    expect(filesOf(next.at('acme', 'content'))).toEqual(filesOf(room.at('acme', 'content')));
    await next.close();
    // A folder without pages never deletes the pages of a space.
    await room.publish(await idOf('Files'), [page('Start', '')]);
    expect(await room.run('plan', '-f', 'acme')).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('The folder "content/files" has no pages.'),
    });
  });

  it('can be applied elsewhere if a space is locked or requires a review', async () => {
    await apply(
      '  guide: { title: Guide, editMode: locked, mergeRules: { require_at_least_one_review: true } }\n',
    );
    await room.publish(await idOf('Guide'), [page('Start', '# Start\n')]);
    await room.done('export', '-d', 'acme');
    const next = await openRoom();
    next.take(room.at('acme'), 'given');
    expect((await next.done('apply', '-f', 'given', '-y')).stderr).toContain('0 failed');
    expect(await next.run('plan', '-f', 'given', '--detailed-exitcode')).toMatchObject({ exit: 0 });
    const [made] = await next.spaces();
    expect(made).toMatchObject({
      editMode: 'locked',
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
    });
    await next.done('export', '-d', 'acme');
    expect(filesOf(next.at('acme', 'content'))).toEqual({
      'guide/SUMMARY.md': expect.any(String),
      'guide/start.md': '# Start\n',
    });
    await next.close();
  });

  it('gives each space its own folder, whatever its name is, and keeps the folder', async () => {
    await apply('  API: { title: One }\n  api: { title: Two }\n  con: { title: Con }\n');
    for (const title of ['One', 'Two', 'Con']) await room.publish(await idOf(title), [page(title, title)]);
    cpSync(room.at('docsctl.state.json'), room.at('acme', 'docsctl.state.json'), { recursive: true });
    await room.done('export', '-d', 'acme', '--force');
    const dirs = () =>
      [...main().matchAll(/title: (\w+), content: \{ dir: ([^ ]+) \}/g)]
        .map(([, title, dir]) => `${title} ${dir}`)
        .sort();
    expect(dirs()).toEqual(['Con content/_con', 'One content/API-2', 'Two content/api']);
    await isPlannedEmpty();
    const [one, two] = [await idOf('One'), await idOf('Two')];
    await room.done('spaces', 'delete', two, '-y');
    await room.done('export', '-d', 'acme');
    expect(dirs()).toEqual(['Con content/_con', 'One content/API-2']);
    expect(content()).toEqual([
      'content/API-2/SUMMARY.md',
      'content/API-2/one.md',
      'content/_con/SUMMARY.md',
      'content/_con/_con.md',
    ]);
    await room.done('spaces', 'update', one, '--title', 'Three');
    await room.done('export', '-d', 'acme');
    expect(dirs()).toEqual(['Con content/_con', 'Three content/API-2']);
  });
});

describe.each([
  { name: 'the sample', dir: sample, left: ['notes.md'], count: 15 },
  { name: 'a documentation with a root', dir: product, left: [], count: 13 + 2 + 4 },
])('docsctl export of $name', ({ dir, left, count }) => {
  it('writes the files that were applied, also after it is applied elsewhere', async () => {
    cpSync(dir, room.at('docs'), { recursive: true });
    writeFileSync(
      room.at('org.yaml'),
      'version: 1\nspaces: { docs: { title: Docs, content: { dir: docs } } }\n',
    );
    await room.done('apply', '-f', 'org.yaml', '-y');
    await room.done('export', '-d', 'acme');
    const given = filesOf(room.at('docs'));
    const written = filesOf(room.at('acme', 'content', 'docs'));
    expect(Object.keys(written).filter((path) => given[path] !== written[path])).toEqual([]);
    expect(Object.keys(written)).toHaveLength(count);
    if (left !== undefined)
      expect(Object.keys(given).filter((path) => written[path] === undefined)).toEqual(left);
    await isPlannedEmpty();
    const next = await openRoom();
    try {
      next.take(room.at('acme'), 'given');
      await next.done('apply', '-f', 'given', '-y');
      await next.done('export', '-d', 'acme');
      expect(filesOf(next.at('acme', 'content'))).toEqual(filesOf(room.at('acme', 'content')));
      expect(readFileSync(next.at('acme', 'docsctl.yaml'), 'utf8')).toBe(main());
    } finally {
      await next.close();
    }
  }, 60_000);
});

describe('a second docsctl export', () => {
  const seen = () =>
    Object.fromEntries(
      ['docsctl.yaml', 'docsctl.state.json', ...content()].map((path) => [
        path,
        statSync(room.at('acme', path), { bigint: true }).ino,
      ]),
    );

  it('writes nothing, then only changed files, and deletes files of deleted pages', async () => {
    const id = await start();
    await room.done('export', '-d', 'acme');
    const first = seen();
    expect((await room.done('export', '-d', 'acme')).stderr).toContain(
      'files: 0 new, 0 changed, 5 unchanged, 0 deleted',
    );
    expect(seen()).toEqual(first);
    await room.publish(id, [
      { operation: 'update_page', page: await pageId(id, 'start'), document: { markdown: '# New\n' } },
    ]);
    expect((await room.done('export', '-d', 'acme')).stderr).toContain(
      'files: 0 new, 1 changed, 4 unchanged, 0 deleted',
    );
    const second = seen();
    expect(Object.keys(second).filter((path) => second[path] !== first[path])).toEqual([
      'docsctl.state.json',
      'content/guide/start.md',
    ]);
    writeFiles(room.at('acme', 'content', 'guide'), { 'own.md': 'mine' });
    await room.publish(id, [{ operation: 'delete_page', page: await pageId(id, 'more') }]);
    expect((await room.done('export', '-d', 'acme')).stderr).toContain(
      'files: 0 new, 1 changed, 3 unchanged, 1 deleted',
    );
    expect(content()).toEqual(
      ['.gitbook/assets/a.png', 'SUMMARY.md', 'own.md', 'start.md'].map((path) => `content/guide/${path}`),
    );
  });

  it('does not replace or delete edited files, unless --force is given', async () => {
    const id = await start();
    await room.done('export', '-d', 'acme');
    writeFileSync(room.at('acme', 'content', 'guide', 'start.md'), 'mine\n');
    writeFileSync(room.at('acme', 'content', 'guide', 'more.md'), 'mine too\n');
    await room.publish(id, [
      { operation: 'update_page', page: await pageId(id, 'start'), document: { markdown: '# Theirs\n' } },
      { operation: 'delete_page', page: await pageId(id, 'more') },
      page('Third', 'third\n'),
    ]);
    const left = filesOf(room.at('acme'));
    const refused = await room.run('export', '-d', 'acme');
    expect(refused).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining(
        '1 file in acme would be replaced, but was edited since the last export: content/guide/start.md.',
      ),
    });
    expect((await room.done('export', '-d', 'acme', '--dry-run')).stderr).toContain(
      'would not replace content/guide/start.md',
    );
    expect(filesOf(room.at('acme'))).toEqual(left);
    writeFileSync(room.at('acme', 'content', 'guide', 'start.md'), '# Start\n');
    expect((await room.done('export', '-d', 'acme')).stderr).toContain(
      'kept because they were edited: content/guide/more.md. Use --force to delete them.',
    );
    expect(content()).toContain('content/guide/more.md');
    writeFileSync(room.at('acme', 'content', 'guide', 'start.md'), 'mine\n');
    await room.done('export', '-d', 'acme', '--force');
    expect(readFileSync(room.at('acme', 'content', 'guide', 'start.md'), 'utf8')).toBe('# Theirs\n');
    expect(content()).not.toContain('content/guide/more.md');
    await isPlannedEmpty();
  });

  it('changes no file after an edit was applied', async () => {
    await start();
    await room.done('export', '-d', 'acme');
    writeFileSync(room.at('acme', 'content', 'guide', 'start.md'), '# Mine\n');
    await room.done('apply', '-f', 'acme', '-y');
    await isPlannedEmpty();
    expect((await room.done('export', '-d', 'acme')).stderr).toContain(
      'files: 0 new, 0 changed, 5 unchanged, 0 deleted',
    );
  });

  it('leaves content folders unchanged with --no-content, and with --kinds that exclude spaces', async () => {
    const id = await start();
    await room.done('export', '-d', 'acme');
    const left = content();
    await room.publish(id, [{ operation: 'delete_page', page: await pageId(id, 'more') }]);
    expect((await room.done('export', '-d', 'acme', '--no-content')).stderr).toContain(
      '2 spaces, the organization; files: 0 new, 1 changed, 0 unchanged, 0 deleted',
    );
    expect(main()).toContain('  guide: { title: Guide }\n');
    expect(content()).toEqual(left);
    await isPlannedEmpty();
    await room.done('export', '-d', 'acme', '--kinds', 'teams');
    expect(main()).not.toContain('spaces:');
    expect(content()).toEqual(left);
    // The export still knows which files it wrote earlier.
    expect((await room.done('export', '-d', 'acme')).stderr).toContain('1 deleted');
    expect(content()).not.toContain('content/guide/more.md');
  });
});

describe('docsctl export without content', () => {
  it('requests no content', async () => {
    await start();
    const asked: string[] = [];
    before = (operation) => void asked.push(operation);
    await room.done('export', '-d', 'one', '--no-content');
    await room.done('export', '-d', 'two', '--kinds', 'teams');
    expect(asked.filter((operation) => /pages|files|content/.test(operation))).toEqual([]);
    expect([content('one'), content('two')]).toEqual([[], []]);
  });
});

describe('a failure of docsctl export', () => {
  it('with one space stops the export, names the space, and leaves no files behind', async () => {
    await start();
    const empty = await idOf('Empty');
    await room.publish(empty, [page('One', 'one')]);
    before = (operation, { spaceId }) => {
      if (operation.includes('pages') && spaceId === empty) throw new Problem('forbidden', 'Not for you.');
    };
    const { exit, stderr } = await room.run('export', '-d', 'acme');
    expect({ exit, stderr }).toMatchObject({
      exit: 11,
      stderr: expect.stringContaining(
        'The content of the space "Empty" (content/empty) could not be exported: Not for you.',
      ),
    });
    expect(stderr).toContain('--no-content');
    expect(existsSync(room.at('acme'))).toBe(false);
  });

  it('while files are written keeps the old manifest, and the next export continues', async () => {
    const id = await start();
    await room.done('export', '-d', 'acme');
    const [text, lock] = [
      main(),
      JSON.parse(readFileSync(room.at('acme', 'docsctl.state.json'), 'utf8')).sections[0].resources,
    ];
    await room.publish(id, [
      { operation: 'update_page', page: await pageId(id, 'start'), document: { markdown: '# Two\n' } },
      page('New', 'new'),
      file('b.png', 'two'),
    ]);
    await room.done('spaces', 'update', id, '--title', 'Manual');
    before = (operation) => {
      if (operation.includes('download') && !existsSync(room.at('again')))
        throw new Problem('not-found', 'No such file.');
    };
    // Existing files are compared first, and this would download them.
    rmSync(room.at('acme', 'content', 'guide', '.gitbook'), { recursive: true });
    expect(await room.run('export', '-d', 'acme')).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining(
        'The content of the space "Manual" (content/guide) could not be exported: No such file.',
      ),
    });
    expect(main()).toBe(text);
    expect(
      JSON.parse(readFileSync(room.at('acme', 'docsctl.state.json'), 'utf8')).sections[0].resources,
    ).toEqual(lock);
    mkdirSync(room.at('again'));
    await room.publish(id, [
      { operation: 'update_page', page: await pageId(id, 'start'), document: { markdown: '# Three\n' } },
    ]);
    await room.done('export', '-d', 'acme');
    expect(main()).toContain('guide: { title: Manual, content: { dir: content/guide } }');
    expect(readFileSync(room.at('acme', 'content', 'guide', 'start.md'), 'utf8')).toBe('# Three\n');
    await isPlannedEmpty();
  });

  it('writes and deletes nothing through links or at paths outside the folder in a state file', async () => {
    const id = await start();
    await room.done('export', '-d', 'acme');
    mkdirSync(room.at('outside'));
    writeFiles(room.at('outside'), { 'more.md': 'more\n' });
    writeFiles(room.at('acme'), { 'victim.md': 'more\n', 'content/.git/hooks/x': 'more\n' });
    const oid = gitOid(Buffer.from('more\n'));
    const path = room.at('acme', 'docsctl.state.json');
    const named = [
      'content/../victim.md',
      '../outside/more.md',
      'content/.git/hooks/x',
      'content/guide/../../victim.md',
    ]
      .map((name) => `"${name}":"${oid}",`)
      .join('');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"files":{', `"files":{${named}`));
    await room.publish(id, [page('Third', 'third\n')]);
    await room.done('export', '-d', 'acme', '--force');
    expect([
      existsSync(room.at('acme', 'victim.md')),
      existsSync(room.at('outside', 'more.md')),
      existsSync(room.at('acme', 'content', '.git', 'hooks', 'x')),
    ]).toEqual([true, true, true]);
    rmSync(room.at('acme', 'content', 'guide'), { recursive: true });
    symlinkSync(room.at('outside'), room.at('acme', 'content', 'guide'));
    expect(await room.run('export', '-d', 'acme', '--force')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('content/guide exists and is a symbolic link'),
    });
    expect(filesOf(room.at('outside'))).toEqual({ 'more.md': 'more\n' });
    expect(lstatSync(room.at('acme', 'content', 'guide')).isSymbolicLink()).toBe(true);
  });

  it('with a folder that contains other files happens before anything is written', async () => {
    await start();
    writeFiles(room.at(), { 'acme/content/guide/start.md': 'mine' });
    expect(await room.run('export', '-d', 'acme')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('has files that are not from an earlier export'),
    });
    expect(Object.keys(filesOf(room.at('acme')))).toEqual(['content/guide/start.md']);
    // Files of an interrupted export do not count as other files.
    writeFiles(room.at(), { 'half/content/guide/start.md': '# Start\n' });
    expect((await room.done('export', '-d', 'half')).stderr).toContain(
      'files: 4 new, 0 changed, 1 unchanged',
    );
  });

  it('is predicted by a warning if apply elsewhere would skip written files', async () => {
    await apply('  guide: { title: Guide }\n');
    await room.publish(await idOf('Guide'), [
      page('Start', '', { git: { path: 'start.md' } }),
      {
        operation: 'insert_files',
        files: [{ name: 'a.png', contentType: 'image/png', base64: 'AAAA', git: { path: 'pics/a.png' } }],
      },
    ]);
    expect((await room.done('export', '-d', 'acme')).stderr).toContain(
      'warning: an apply to another place skips files that no page links to and files that are too large: content/guide/pics/a.png',
    );
    await isPlannedEmpty();
  });
});

describe('docsctl export on a terminal', () => {
  it('shows progress, and removes it at the end', async () => {
    await start();
    const { stderr, exit } = await room.runAs({ attended: true, tty: true }, 'export', '-d', 'acme');
    expect(exit).toBe(0);
    expect(stderr).toContain('\r\u001b[2Kreading the content of spaces 0 of 2 (0 %) content/');
    expect(stderr).toContain('\r\u001b[2Kwritten 1 of 5 (20 %)');
    expect(stderr).toMatch(/\r\u001b\[2K[^\r]*\n$/);
    expect((await room.run('export', '-d', join('acme', 'other'))).stderr).not.toContain('read the content');
  });

  it('stops between files when it is interrupted', async () => {
    await start();
    const stop = new AbortController();
    before = (operation) => {
      if (operation.includes('pages')) stop.abort();
    };
    const { exit } = await room.runAs({ signal: stop.signal }, 'export', '-d', 'acme');
    expect(exit).toBe(130);
    expect(existsSync(room.at('acme'))).toBe(false);
  });
});
