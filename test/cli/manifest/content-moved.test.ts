import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContentEngine } from '../../../src/content-sync/manifest-content.ts';
import { listPages } from '../../../src/resources/content/space-pages/contract.ts';
import { updateSpace } from '../../../src/resources/spaces/contract.ts';
import { writeFiles } from '../../content-sync/folder-support.ts';
import { openRoom, type Room } from './content-rooms.ts';

let room: Room;
beforeAll(async () => {
  room = await openRoom();
  writeFiles(room.at(), {
    'docsctl.yaml': `version: 1\ninclude: [parts/spaces.yaml]\norg: { id: ${room.world.org} }\n`,
    'parts/spaces.yaml':
      'version: 1\nspaces:\n  guide: { title: Guide, content: { dir: ../content/guide } }\n',
    'content/guide/README.md': '# Home\n',
    'content/guide/start.md': '# Start\n',
  });
  await room.done('apply', '-y');
}, 60_000);
afterAll(() => room.close());

const guide = async () => (await room.spaces()).find(({ title }) => title === 'Guide')!.id;
const planned = async (...words: string[]) => (await room.done('plan', ...words)).stdout;

it('reads the folder relative to the file that names it, and saves the revision in the state file', async () => {
  const lock = JSON.parse(readFileSync(room.at('docsctl.state.json'), 'utf8')) as {
    sections: { resources: Record<string, { fields: object; left: object }> }[];
  };
  const { fields, left } = lock.sections[0]!.resources['space.guide']!;
  const { revision } = (await room.spaces()).find(({ title }) => title === 'Guide')!;
  expect([fields, left]).toEqual([
    { title: 'Guide', content: { dir: 'content/guide', via: 'change-request', merge: 'auto' } },
    { content: revision },
  ]);
  expect(await planned()).toContain('No changes');
}, 60_000);

it('names the changed pages and the side that changed them, until they are applied', async () => {
  writeFiles(room.at(), {
    'content/guide/README.md': '# Home\n\nNew.\n',
    'content/guide/more.md': '# More\n',
  });
  expect(await planned()).toContain('    content: 1 page changed (README.md), 1 new (more.md)\n');
  expect(await planned('-o', 'markdown')).toContain(
    '+     content: 1 page changed (README.md), 1 new (more.md)\n',
  );
  const spaceId = await guide();
  const { pages } = await room.world
    .as('admin')
    .call(listPages, { params: { spaceId }, query: { texts: false } });
  const start = pages.find(({ title }) => title === 'Start')!;
  await room.publish(spaceId, [
    { operation: 'update_page', page: start.id, document: { markdown: '# By hand\n' } },
  ]);
  expect(await planned()).toContain(
    '(README.md, start.md), 1 new (more.md); overwrites live changes: start.md (changed in the file and in the organization)\n',
  );
  expect(await planned('-o', 'markdown')).toContain(
    'live changes: start.md (changed in the file and in the organization)\n',
  );
  const { stderr } = await room.done('apply', '-y');
  expect(stderr.match(/warning: content\/guide replaces pages [^:]*: start\.md\./g)).toHaveLength(1);
  expect(await planned()).toContain('No changes');
  writeFiles(room.at(), { 'content/guide/start.md': '# Start again\n' });
  expect(await planned()).toContain('content: 1 page changed (start.md)');
}, 60_000);

it('refuses a plan if the page or its file changed after the plan was made', async () => {
  const spaceId = await guide();
  const api = room.world.as('admin');
  const edit = async (text: string) => {
    const { pages } = await api.call(listPages, { params: { spaceId }, query: { texts: false } });
    const { id: page } = pages.find(({ title }) => title === 'Start again')!;
    await room.publish(spaceId, [{ operation: 'update_page', page, document: { markdown: text } }]);
  };
  await room.done('apply', '-y');
  const write = (text: string) => writeFiles(room.at(), { 'content/guide/start.md': text });
  write('# Start again\n\nOne.\n');
  const engine = createContentEngine({
    api: () => Promise.resolve(api),
    folder: room.at(),
    signal: new AbortController().signal,
  });
  const source = { dir: 'content/guide', via: 'change-request', merge: 'auto' } as const;
  expect(await engine.plan(spaceId, source)).toMatch(/^1 page changed \(\w+\)$/);
  await room.done('plan', '--out', 'plan.json');
  await edit('# Start again\n\nIn the browser.\n');
  const refused = {
    exit: 6,
    stderr: expect.stringContaining(`"content" of ${spaceId}, or its folder, has changed`),
  };
  expect(await room.run('apply', 'plan.json', '-y')).toMatchObject(refused);
  await expect(engine.apply(spaceId, source)).rejects.toMatchObject({ reason: 'precondition-failed' });
  await room.done('plan', '--out', 'plan.json');
  write('# Start again\n\nTwo.\n');
  expect(await room.run('apply', 'plan.json', '-y')).toMatchObject(refused);
  await room.done('apply', '-y');
}, 60_000);

it('lists pages that only move as moved, not as changed', async () => {
  const order = (...paths: string[]) =>
    writeFiles(room.at(), {
      'content/guide/SUMMARY.md': paths.map((path) => `* [${path}](${path})\n`).join(''),
    });
  order('README.md', 'start.md', 'more.md');
  await room.done('apply', '-y');
  order('README.md', 'more.md', 'start.md');
  expect(await planned()).toContain('content: 1 page moved (more.md); SUMMARY.md changed\n');
  await room.done('apply', '-y');
}, 60_000);

it('prints the command that approves waiting content, and a rehearsal prints no number', async () => {
  const spaceId = await guide();
  const mergeRules = { type: 'rules' as const, rules: [{ rule: 'require_at_least_one_approved_review' }] };
  await room.world.as('admin').call(updateSpace, { params: { spaceId }, body: { mergeRules } });
  writeFiles(room.at(), { 'content/guide/start.md': '# Start once more\n' });
  const rehearsed = await room.run('rehearse');
  expect([rehearsed.exit, rehearsed.stdout + rehearsed.stderr]).toEqual([
    0,
    expect.stringContaining('would wait in a change request: an approval'),
  ]);
  expect(rehearsed.stdout + rehearsed.stderr).not.toMatch(/change request \d/i);
  const applied = await room.run('apply', '-y');
  expect([applied.exit, applied.stderr]).toEqual([
    0,
    expect.stringMatching(/docsctl change-requests reviews submit \d+ --space \S+ --status approved/),
  ]);
  expect(await planned()).toMatch(/content: 1 page changed \(start\.md\); waits in change request \d+\n/);
}, 60_000);

it('reports the line of every invalid content folder', async () => {
  writeFiles(room.at(), {
    'bad/bad.yaml':
      'version: 1\nspaces:\n  a: { title: A, content: { dir: ../../out } }\n  b:\n    content:\n      dir: nope\n  c: { title: C, content: { dir: empty } }\n',
    'bad/empty/.hidden': '',
  });
  const ran = await room.run('validate', '-f', 'bad/bad.yaml');
  expect(ran.exit).toBe(8);
  expect(ran.stderr).toContain('bad/bad.yaml:6:12');
  expect(ran.stderr).toContain('the folder "nope" does not exist beside this file');
  expect(ran.stderr).toContain('bad/bad.yaml:7:34: the folder "empty" has no files');
  expect(ran.stderr).toMatch(/bad\/bad\.yaml:3:\d+.*is outside the folder of the manifest/);
}, 60_000);

it('knows the exported revision after an export', async () => {
  await room.done('export', '-d', 'out');
  writeFiles(room.at('out'), { 'content/guide/README.md': '# Home\n\nEdited in the export.\n' });
  expect(await planned('-f', 'out')).toMatch(/content: 1 page changed \(README\.md\).*\n/);
}, 60_000);
