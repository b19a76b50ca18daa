import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createContentEngine, type WaitingContent } from '../../../src/content-sync/manifest-content.ts';
import { withContent, type ContentSource } from '../../../src/manifest/content.ts';
import { space } from '../../../src/manifest/kinds/space.ts';
import { openBackend } from '../../../src/manifest/backend.ts';
import { listChangeRequests, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { submitReview } from '../../../src/resources/change-request-reviews/contract.ts';
import { updateSpace } from '../../../src/resources/spaces/contract.ts';
import { writeFiles } from '../../content-sync/folder-support.ts';
import { folderOf, problemIn } from '../../manifest/read/folder.ts';
import { openDesk, outline, page, type Desk } from '../../resources/content-support.ts';
import { createWorld, type World } from '../../support/world.ts';

const merged: ContentSource = { dir: 'content/guide', via: 'change-request', merge: 'auto' };
const waiting: ContentSource = { ...merged, merge: 'none' };

let world: World;
let desk: Desk;
let folder: string;
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
  folder = folderOf({
    'content/guide/README.md': '# Home\n\n![logo](logo.png)\n',
    'content/guide/start.md': '# Start\n',
    'content/guide/logo.png': 'png',
  });
});

const engine = ({
  api,
  ...more
}: {
  api?: ReturnType<World['as']>;
  signal?: AbortSignal;
  onWarnings?: (dir: string, warnings: readonly unknown[]) => void;
  onWaiting?: (waiting: WaitingContent) => void;
} = {}) =>
  createContentEngine({
    api: async () => api ?? world.as('admin'),
    folder,
    signal: new AbortController().signal,
    ...more,
  });
const requests = async (status: 'draft' | 'archived' | 'merged' | 'open') =>
  (await world.as('admin').call(listChangeRequests, { params: { spaceId: desk.spaceId }, query: { status } }))
    .items;
const approve = (changeRequestId: string) =>
  world
    .as('review')
    .call(submitReview, { params: { spaceId: desk.spaceId, changeRequestId }, body: { status: 'approved' } });

/** The summary of a plan, without the hash of the compared content. */
const withoutHash = (planned: unknown) => String(planned).replace(/ \([0-9a-f]{24}\)$/, '');
const planned = async (source: ContentSource) => withoutHash(await engine().plan(desk.spaceId, source));

describe('the content of a space in a manifest', () => {
  it('is sent and merged, and then nothing is left to do', async () => {
    expect(await planned(merged)).toBe('2 pages new; 1 file new');
    await engine().apply(desk.spaceId, merged);
    expect(outline(await desk.pages())).toEqual(['readme', 'start']);
    expect(await engine().plan(desk.spaceId, merged)).toBeUndefined();
    await engine().apply(desk.spaceId, merged);
    expect((await requests('merged')).map(({ subject }) => subject)).toEqual(['Content of content/guide']);
  });

  it('is summarized with the numbers of changed, new and deleted pages and files', async () => {
    await engine().apply(desk.spaceId, merged);
    writeFiles(folder, {
      'content/guide/README.md': '# Home\n\nNew.\n',
      'content/guide/more.md': '# More\n',
      'content/guide/other.md': '# Other\n',
    });
    rmSync(join(folder, 'content/guide/start.md'));
    expect(await planned(merged)).toBe('1 page changed, 2 new, 1 deleted; 1 file deleted');
    await engine().apply(desk.spaceId, merged);
    expect(await engine().plan(desk.spaceId, merged)).toBeUndefined();
  });

  it('overwrites pages that were edited by hand, and keeps pages that were created by hand', async () => {
    await engine().apply(desk.spaceId, merged);
    const [, start] = await desk.pages();
    await desk.publish(
      { operation: 'update_page', page: start!.id, document: { markdown: '# By hand\n' } },
      page('Own'),
    );
    expect(await planned(merged)).toBe('1 page changed');
    await engine().apply(desk.spaceId, merged);
    expect(outline(await desk.pages())).toEqual(['readme', 'start', 'own']);
    expect(await engine().plan(desk.spaceId, merged)).toBeUndefined();
  });

  it('is collected in one change request with merge: none', async () => {
    await engine().apply(desk.spaceId, waiting);
    expect(await desk.pages()).toEqual([]);
    expect(await engine().plan(desk.spaceId, waiting)).toBeUndefined();
    writeFiles(folder, { 'content/guide/start.md': '# Start here\n' });
    expect(await planned(waiting)).toBe('1 page changed');
    await engine().apply(desk.spaceId, waiting);
    const drafts = await requests('draft');
    expect(drafts.length).toBe(1);
    await world
      .as('review')
      .call(mergeChangeRequest, { params: { spaceId: desk.spaceId, changeRequestId: drafts[0]!.id } });
    expect(await engine().plan(desk.spaceId, waiting)).toBeUndefined();
    expect(await engine().plan(desk.spaceId, merged)).toBeUndefined();
  });

  it('stays in a change request that needs an approval, and the next apply merges it', async () => {
    const mergeRules = { type: 'rules' as const, rules: [{ rule: 'require_at_least_one_approved_review' }] };
    await world.as('admin').call(updateSpace, { params: { spaceId: desk.spaceId }, body: { mergeRules } });
    const problem = await problemIn(engine().apply(desk.spaceId, merged));
    expect([problem.reason, problem.message, problem.hint]).toEqual([
      'changes-pending',
      'The content of content/guide waits in change request 1: an approval by a member who neither created nor edited it is required.',
      `A reviewer approves it with \`docsctl change-requests reviews submit 1 --space ${desk.spaceId} --status approved\`; the next apply merges it.`,
    ]);
    expect([
      (await requests('draft')).length,
      (await requests('archived')).length,
      await desk.pages(),
    ]).toEqual([1, 0, []]);
    expect((await engine().describe(desk.spaceId, merged, undefined)).summary).toBe(
      '2 pages new (README.md, start.md); 1 file new (logo.png); waits in change request 1',
    );
    writeFiles(folder, { 'content/guide/start.md': '# Start here\n' });
    expect((await problemIn(engine().apply(desk.spaceId, merged))).message).toMatch(
      /waits in change request 1:/,
    );
    await approve('1');
    await engine().apply(desk.spaceId, merged);
    expect([
      (await requests('draft')).length,
      (await requests('merged')).length,
      outline(await desk.pages()),
    ]).toEqual([0, 1, ['readme', 'start']]);
    expect(await engine().plan(desk.spaceId, merged)).toBeUndefined();
  });

  it('is merged even if the same page was edited while its change request was waiting', async () => {
    await engine().apply(desk.spaceId, merged);
    const rules = (list: { rule: string }[]) =>
      world.as('admin').call(updateSpace, {
        params: { spaceId: desk.spaceId },
        body: { mergeRules: list.length === 0 ? { type: 'none' } : { type: 'rules', rules: list } },
      });
    await rules([{ rule: 'require_at_least_one_approved_review' }]);
    writeFiles(folder, { 'content/guide/start.md': '# Start\n\nFrom the folder.\n' });
    await problemIn(engine().apply(desk.spaceId, merged));
    await rules([]);
    const [, start] = await desk.pages();
    await desk.publish(
      { operation: 'update_page', page: start!.id, document: { markdown: '# Start\n\nBy hand.\n' } },
      page('Own'),
    );
    await engine().apply(desk.spaceId, merged);
    expect(await engine().plan(desk.spaceId, merged)).toBeUndefined();
    expect([(await requests('draft')).length, outline(await desk.pages())]).toEqual([
      0,
      ['readme', 'start', 'own'],
    ]);
  });

  it('is described with the side that changed since the last apply', async () => {
    await engine().apply(desk.spaceId, merged);
    const left = await engine().fingerprint(desk.spaceId, merged);
    const told = () => engine().describe(desk.spaceId, merged, left);
    await desk.publish(page('Own'));
    writeFiles(folder, { 'content/guide/README.md': '# Home\n\n![logo](logo.png)\n\nNew.\n' });
    expect(await told()).toEqual({ summary: '1 page changed (README.md)', moved: 'file' });
    const [, start] = await desk.pages();
    await desk.publish({ operation: 'update_page', page: start!.id, document: { markdown: '# By hand\n' } });
    expect(await told()).toEqual({
      summary: '2 pages changed (README.md, start.md); overwrites live changes: start.md',
      moved: 'both',
    });
    writeFiles(folder, { 'content/guide/README.md': '# Home\n\n![logo](logo.png)\n' });
    expect(await told()).toEqual({
      summary: '1 page changed (start.md); overwrites live changes: start.md',
      moved: 'live',
    });
    await desk.publish({ operation: 'delete_page', page: start!.id });
    expect(await told()).toEqual({
      summary: '1 page new (start.md); overwrites live changes: start.md',
      moved: 'live',
    });
    expect((await engine().describe(desk.spaceId, merged, 'rev_gone')).moved).toBe('both');
  });

  it('that somebody else merged does not count as a live edit', async () => {
    await engine().apply(desk.spaceId, waiting);
    const left = await engine().fingerprint(desk.spaceId, waiting);
    await world
      .as('review')
      .call(mergeChangeRequest, { params: { spaceId: desk.spaceId, changeRequestId: '1' } });
    writeFiles(folder, { 'content/guide/start.md': '# Start\n\nMore.\n' });
    expect(await engine().describe(desk.spaceId, waiting, left)).toEqual({
      summary: '1 page changed (start.md)',
      moved: 'file',
    });
  });

  it('that stays in a change request is reported with the command that merges it', async () => {
    const told: unknown[] = [];
    await engine().apply(desk.spaceId, waiting);
    expect(await engine({ onWaiting: (one) => told.push(one) }).plan(desk.spaceId, waiting)).toBeUndefined();
    expect(told).toEqual([
      {
        dir: 'content/guide',
        space: desk.spaceId,
        changeRequest: 1,
        merge: `docsctl change-requests merge 1 --space ${desk.spaceId}`,
      },
    ]);
    const left = await engine().fingerprint(desk.spaceId, waiting);
    writeFiles(folder, { 'content/guide/start.md': '# Start here\n' });
    expect(await engine().describe(desk.spaceId, waiting, left)).toEqual({
      summary: '1 page changed (start.md); will be added to change request 1, which waits',
      moved: 'file',
    });
  });

  it('stops between calls when it is interrupted, and archives its change request', async () => {
    const stop = new AbortController();
    const api = world.as('admin');
    const call: typeof api.call = async (operation, input, options) => {
      const answer = await api.call(operation, input, options);
      if (operation.id === 'change-requests.create') stop.abort();
      return answer;
    };
    expect(
      (await problemIn(engine({ api: { ...api, call }, signal: stop.signal }).apply(desk.spaceId, merged)))
        .reason,
    ).toBe('interrupted');
    expect((await requests('archived')).length).toBe(1);
  });

  it('prints the warnings of a folder only once', async () => {
    writeFiles(folder, { 'content/guide/SUMMARY.md': '* [Home](README.md)\n' });
    const told: unknown[] = [];
    const one = engine({ onWarnings: (dir, warnings) => told.push([dir, warnings]) });
    await one.plan(desk.spaceId, merged);
    await one.apply(desk.spaceId, merged);
    expect(told).toEqual([
      [
        'content/guide',
        [
          {
            file: 'start.md',
            line: 0,
            rule: 'unlisted-page',
            message: 'is not in the table of contents and is skipped',
          },
        ],
      ],
    ]);
  });

  it('is refused if its folder is outside the folder of the manifest', () => {
    mkdirSync(join(folder, 'inside'));
    symlinkSync('/', join(folder, 'link'));
    expect(['content/guide', 'inside', '.'].map((dir) => engine().refusal(dir))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(engine().refusal('../other')).toMatch(/is outside the folder of the manifest/);
    expect(engine().refusal('.git')).toMatch(/^"\.git" is hidden or in a hidden folder/);
    expect(engine().refusal('/etc')).toMatch(/is absolute/);
    expect(engine().refusal('link')).toBe(
      '"link" is behind a symbolic link; symbolic links are not followed',
    );
    expect(engine().refusal('content/none')).toBe(
      'the folder "content/none" does not exist beside this file',
    );
    expect(engine().refusal('content/guide/README.md')).toBe('"content/guide/README.md" is not a folder');
  });
});

describe('the field content of a space', () => {
  it('is equal to the manifest if nothing is left to send, and otherwise a summary of changes', async () => {
    const [kind] = withContent([space], engine());
    const { fields, calls } = kind!;
    const content = fields['content']!;
    const faults: string[] = [];
    const stated = content.normalize!({ dir: 'content/guide' }, undefined as never, (message) =>
      faults.push(message),
    );
    expect(stated).toEqual(merged);
    content.normalize!({ dir: 'nowhere' }, undefined as never, (message) => faults.push(message));
    expect(faults).toEqual(['the folder "nowhere" does not exist beside this file']);
    const backend = await openBackend(world.as('admin'), world.org, { withPeople: false });
    const at = { kind: 'space', id: desk.spaceId };
    const fetch = content.fetch as (...given: unknown[]) => Promise<unknown>;
    expect(withoutHash(await fetch(backend, at, stated))).toBe('2 pages new; 1 file new');
    await calls['content']!.send(backend, at, { content: stated });
    expect(await fetch(backend, at, stated)).toBe(stated);
    const refused = { ...merged, dir: 'nowhere' };
    expect(await fetch(backend, at, refused)).toBe(refused);
  });
});
