import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../server/serving.ts';
import type { CliOptions } from '../../support/cli.ts';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideStore()));
afterEach(() => desk.discard());

const put = (path: string, text: string | Buffer): void => {
  mkdirSync(dirname(desk.at(path)), { recursive: true });
  writeFileSync(desk.at(path), text);
};
const manifest = (text: string): void => put('docsctl.yaml', `version: 1\n${text}`);
const verdictOf = (stderr: string) => stderr.trimEnd().split('\n').at(-1);

/** Returns the hashes of the store and of the state file, as one text. */
function state(): string {
  const paths = [`${desk.home}/store.json`, desk.at('docsctl.state.json')];
  return paths
    .map((path) =>
      existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'none',
    )
    .join(' ');
}

async function rehearse(words: readonly string[] = [], more: Partial<CliOptions> = {}) {
  const before = state();
  const ran = await desk.run(['rehearse', '--no-headers', ...words], more);
  expect(state()).toBe(before);
  return ran;
}

/** Checks that a rehearsal and the following apply have the same rows, and returns them. */
async function bothRows(words: readonly string[] = []) {
  const rehearsed = await rehearse([...words, '-o', 'json']);
  const applied = await desk.run(['apply', ...words, '-y', '-o', 'json']);
  expect(rehearsed.exit).toBe(applied.exit);
  const rowsOf = (text: string) =>
    (JSON.parse(text).rows as { status: string; key: string; problem?: { message: string } }[]).map(
      ({ status, key, problem }) => [status, key, problem?.message],
    );
  // A copy does not know the numbers of change requests.
  const live = applied.stdout.replace(/waits in change request \d+/g, 'would wait in a change request');
  expect(rowsOf(rehearsed.stdout)).toEqual(rowsOf(live));
  return rowsOf(rehearsed.stdout);
}

describe('docsctl rehearse', () => {
  it('prints the plan, the results and a summary, and changes neither the store nor the state file', async () => {
    manifest('spaces:\n  one: { title: One }\nsites: { docs: { title: Docs, published: true } }\n');
    const ran = await rehearse();
    expect(ran.exit).toBe(3);
    expect(ran.stdout).toBe(
      'done\tcreate\tspace.one\tnew\t\ndone\tcreate\tsite.docs\tnew\t\nfailed\tupdate\tsite.docs (last)\tnew\tThe site "Docs" has no spaces yet, so there is nothing to publish. Add a space first: `docsctl sites site-spaces add SPACE --site site.docs`\n',
    );
    expect(ran.stderr).toContain('+ space.one "One"  docsctl.yaml:3:3\n');
    expect(ran.stderr).toContain(
      'error: An apply would not succeed: site.docs (at the end) at docsctl.yaml:4:10: The site "Docs" has no',
    );
    expect(verdictOf(ran.stderr)).toMatch(
      /^ {2}2 would be done, 1 would fail, 0 would be skipped, 0 unsupported; 0 unchanged\. The rehearsal made \d+ read requests and changed nothing\.$/,
    );
    manifest('spaces:\n  one: { title: One }\n');
    const good = await rehearse();
    expect([good.exit, verdictOf(good.stderr)]).toEqual([
      0,
      expect.stringMatching(/\. 1 would be done, 0 would fail, /),
    ]);
    await desk.done(['apply', '-y']);
    expect(await rehearse()).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^Organization [^\n]*\nNo changes\.\nRehearsed with 1 read request; .*; 1 unchanged\.\n$/,
      ),
    });
  });

  it('notes that imports are not rehearsed', async () => {
    manifest(
      'spaces: { one: { title: One } }\nimports:\n  conversations:\n    - { files: support/*.ndjson }\n',
    );
    put('support/a.ndjson', '{"id":"1","messages":[]}\n');
    const { stderr, exit } = await rehearse();
    expect([exit, stderr.split('\n').filter((line) => line.includes('import'))]).toEqual([
      0,
      ['1 import of the manifest is not rehearsed. See what is new with `docsctl plan`.'],
    ]);
  });

  it('prints the plan and the results as JSON', async () => {
    manifest('spaces:\n  guide: { title: Guide, emoji: "📘" }\n  new: { title: New }\n');
    const { stdout, exit } = await rehearse(['-o', 'json']);
    const { plan, rows, counts, unchanged, unsettled, notCopied, reads } = JSON.parse(stdout);
    expect([exit, plan.counts.adopt, unchanged, unsettled, notCopied]).toEqual([0, 1, 0, [], []]);
    expect(rows).toMatchObject([
      { key: 'space.guide', status: 'done', action: 'adopt', id: expect.stringMatching(/^spc_/) },
      { key: 'space.new', status: 'done' },
    ]);
    expect(rows[1].id).toBeUndefined();
    expect(counts).toEqual({
      done: 2,
      waiting: 0,
      failed: 0,
      skipped: 0,
      unsupported: 0,
      stopped: 0,
      unrehearsed: 0,
    });
    expect(reads).toBeGreaterThan(5);
  });

  it('refuses the same options, limits and files as plan and apply', async () => {
    manifest('spaces:\n  one: { title: One }\n  two: { title: Two }\n');
    await desk.done(['apply', '-y']);
    manifest('spaces: {}\n');
    expect(await rehearse(['--prune', '--max-deletes', '1'])).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('This would delete 2 resources'),
    });
    expect(await rehearse(['--max-deletes', '1'])).toMatchObject({ exit: 64 });
    expect((await rehearse(['--prune'])).stdout).toMatch(
      /^done\tdelete\tspace\.one\tspc_\w+\t\ndone\tdelete\tspace\.two\tspc_/,
    );
    expect(await rehearse(['-f', 'none.yaml'])).toMatchObject({ exit: 8 });
  });

  it('uses the permissions of the member in --as', async () => {
    await desk.done(['members', 'invite', 'bo@acme.test', '--role', 'read']);
    manifest('spaces:\n  one: { title: One }\n');
    const ran = await rehearse(['--as', 'bo@acme.test']);
    expect(ran.exit).toBe(3);
    expect(ran.stdout).toContain(
      'failed\tcreate\tspace.one\tnew\tTo create an empty space, you need the create role in the organization; you have the read role.',
    );
    expect((await desk.run(['apply', '-y', '--as', 'bo@acme.test'])).stdout).toContain(
      'you need the create role in the organization; you have the read role',
    );
  });
});

describe('docsctl rehearse with content', () => {
  const image = Buffer.from('89504e470d0a1a0a', 'hex');
  const folder = (start: string, more: Readonly<Record<string, string>> = {}): void => {
    rmSync(desk.at('content'), { recursive: true, force: true });
    const files = {
      'start.md': start,
      'sub/inner.md': '---\ndescription: Within\n---\n\n# Inner\n\nSee [start](../start.md).\n',
      ...more,
    };
    put(
      'content/SUMMARY.md',
      `# Table of contents\n\n* [Start](start.md)\n  * [Inner](sub/inner.md)\n${Object.keys(more)
        .map((name) => `* [${name}](${name})\n`)
        .join('')}`,
    );
    for (const [name, text] of Object.entries(files)) put(`content/${name}`, text);
    put('content/.gitbook/assets/a.png', image);
  };
  const guide = (fields = '') =>
    manifest(`spaces:\n  guide: { title: Guide, ${fields}content: { dir: content } }\n`);

  it('merges it into a copy of the space, and predicts that nothing is left to change', async () => {
    folder('# Start\n');
    guide();
    expect(await bothRows()).toEqual([['done', 'space.guide', undefined]]);
    // Add a page that the folder does not have, and edit one in the space.
    await desk.publish(page('By hand', 'Mine.'), {
      operation: 'update_page',
      page: await desk.pageId('Start'),
      document: { markdown: '# Start\n\nEdited there.\n' },
    });
    folder('# Start\n\nEdited here.\n', { 'more.md': '# More\n' });
    put('content/.gitbook/assets/b.png', Buffer.concat([image, image]));
    expect(await bothRows()).toEqual([['done', 'space.guide', undefined]]);
    expect((await desk.done(['plan', '--detailed-exitcode'])).stdout).toBe('No changes.\n');
    expect((await rehearse()).stderr).toContain('No changes.');
  });

  it.each([
    ['requires a review', 'mergeRules: { require_at_least_one_review: true }, ', /review/, 'waiting'],
    ['is locked', 'editMode: locked, ', /locked/, 'failed'],
  ])('predicts the result of apply if the space %s', async (_, fields, message, expected) => {
    folder('# Start\n');
    guide();
    await desk.done(['apply', '-y']);
    guide(fields);
    expect((await bothRows())[0]![0]).toBe('done');
    folder('# Start\n\nMore.\n');
    const [[status, , why] = []] = await bothRows();
    expect([status, why]).toEqual([expected, expect.stringMatching(message)]);
  });

  it('predicts that apply leaves a change request if the manifest sets merge to none', async () => {
    folder('# Start\n');
    manifest('spaces:\n  guide: { title: Guide, content: { dir: content, merge: none } }\n');
    expect(await bothRows()).toEqual([['done', 'space.guide', undefined]]);
    folder('# Start\n\nMore.\n');
    expect(await bothRows()).toEqual([['done', 'space.guide', undefined]]);
    expect(
      (await desk.done(['cr', 'list', '--space', 'Guide', '--status', 'draft', '-o', 'json'])).stdout.match(
        /"subject"/g,
      ),
    ).toHaveLength(1);
  });

  it('does not read the content of spaces whose content is unchanged', async () => {
    folder('# Start\n');
    guide();
    await desk.done(['apply', '-y']);
    guide('emoji: "📘", ');
    const { stdout, stderr } = await rehearse(['-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      rows: [{ key: 'space.guide', status: 'done' }],
      unsettled: [],
      notCopied: [],
    });
    expect(stderr).toContain('1 would be done');
  });
});

it('docsctl rehearse on a server sends only GET requests', async () => {
  const asked: string[] = [];
  const serving = await serve({
    change: (core) => ({
      ...core,
      handlerOf: (operation) => {
        asked.push(operation.method);
        return core.handlerOf(operation);
      },
    }),
  });
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  const env = { DOCSCTL_STORE: '', DOCSCTL_SERVER: url, DOCSCTL_TOKEN: serving.world.token('create') };
  put('content/README.md', '# Start\n');
  manifest(
    'org: { id: org_acme }\nspaces:\n  one: { title: One, content: { dir: content } }\n  two: { title: Two, mergeRules: { allow_bypass: [edit@acme.test] } }\n',
  );
  const ran = await rehearse([], { env });
  expect(ran.stderr).toContain('1 would be done, 1 would fail');
  expect(ran.stdout.split('\n').map((line) => line.split('\t').slice(0, 4).join(' '))).toEqual([
    'done create space.one new',
    'failed create space.two new',
    '',
  ]);
  expect(new Set(asked)).toEqual(new Set(['GET']));
  const applied = await desk.run(['apply', '-y', '--no-headers'], { env });
  expect(applied.stdout.match(/^\w+\t\w+\t\S+/gm)!.sort()).toEqual([
    'done\tcreate\tspace.one',
    'failed\tcreate\tspace.two',
  ]);
  await serving.server.close(0);
}, 30_000);

it('docsctl rehearse exits with 9 like apply if a protected resource would be deleted', async () => {
  manifest('spaces: { safe: { title: Safe, protect: true } }\n');
  await desk.done(['apply', '-y']);
  manifest('spaces: {}\n');
  const { exit, stderr } = await rehearse(['--prune']);
  expect(exit).toBe(9);
  expect(stderr).toContain('The rehearsal made ');
  expect(stderr).toContain('Not deleted: space.safe');
  const applied = await desk.run(['apply', '--prune', '-y']);
  expect(applied.exit).toBe(9);
  expect(applied.stderr).toContain('Not deleted: space.safe');
});
