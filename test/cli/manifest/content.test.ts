import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { docsctl } from '../../support/cli.ts';
import { openGuideStore } from '../guide-store.ts';

const home = mkdtempSync(join(tmpdir(), 'docsctl-manifest-content-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('imports a folder of Markdown into a space, and then plans no changes', async () => {
  const run = (...words: string[]) =>
    docsctl(words, {
      home,
      cwd: home,
      env: { DOCSCTL_STORE: `sqlite:${join(home, 's.db')}`, DOCSCTL_CONFIG_DIR: join(home, 'config') },
    });
  mkdirSync(join(home, 'content'));
  writeFileSync(join(home, 'content', 'SUMMARY.md'), '* [Start](README.md)\n');
  writeFileSync(join(home, 'content', 'README.md'), '# Start\n');
  writeFileSync(
    join(home, 'docsctl.yaml'),
    'version: 1\nspaces:\n  guide: { title: Guide, content: { dir: content } }\n',
  );
  expect((await run('init', '--org-title', 'Acme', '--email', 'a@acme.test')).exit).toBe(0);
  const applied = await run('apply', '-y');
  expect([applied.exit, applied.stderr]).toEqual([0, expect.stringContaining('1 done')]);
  expect((await run('pages', 'show', 'Guide', 'readme')).stdout).toBe('# Start\n');
  expect((await run('plan', '--detailed-exitcode')).exit).toBe(0);
  writeFileSync(join(home, 'content', 'README.md'), '# Start\n\nMore.\n');
  const plan = await run('plan', '--detailed-exitcode');
  expect([plan.exit, plan.stdout]).toEqual([2, expect.stringContaining('1 page changed')]);
  const again = await run('apply', '-y');
  expect([again.exit, again.stderr]).toEqual([
    0,
    expect.stringContaining('content: 1 page changed; merged as change request 2.'),
  ]);
  expect((await run('pages', 'show', 'Guide', 'readme')).stdout).toBe('# Start\n\nMore.\n');
  writeFileSync(
    join(home, 'docsctl.yaml'),
    'version: 1\nspaces:\n  guide: { title: Guide, content: { dir: ../content } }\n',
  );
  const refused = await run('plan');
  expect([refused.exit, refused.stderr]).toEqual([8, expect.stringContaining('docsctl.yaml:3:')]);
}, 30_000);

it('denies a new space to people before it has content, and locks it afterwards', async () => {
  const desk = await openGuideStore();
  try {
    await desk.done(['members', 'invite', 'bob@acme.test', '--role', 'read']);
    mkdirSync(desk.at('content'));
    writeFileSync(desk.at('content', 'README.md'), '# Plan\n');
    const space = `title: Plans, editMode: locked, access: [{ email: bob@acme.test, role: none }], content: { dir: content }`;
    writeFileSync(desk.at('docsctl.yaml'), `version: 1\nspaces:\n  plans: { ${space} }\n`);
    await desk.done(['apply', '-y']);
    const { stdout } = await desk.done(['audit', 'list', '-o', 'json', '--query', 'items[].action']);
    const actions: string[] = JSON.parse(stdout);
    const [denied, merged] = ['spaces.permissions.set', 'change-requests.merge'].map((action) =>
      actions.indexOf(action),
    );
    expect(denied).toBeGreaterThan(merged!);
    expect(merged).toBeGreaterThanOrEqual(0);
    expect(actions.filter((action) => action === 'spaces.permissions.set')).toHaveLength(1);
  } finally {
    await desk.discard();
  }
});

it('takes a space off a site before it sends new content to the space', async () => {
  const desk = await openGuideStore();
  try {
    const write = (siteSpaces: string, text: string) => {
      mkdirSync(desk.at('content'), { recursive: true });
      writeFileSync(desk.at('content', 'README.md'), text);
      writeFileSync(
        desk.at('docsctl.yaml'),
        `version: 1
spaces:
  open: { title: Open }
  plans: { title: Plans, content: { dir: content } }
sites:
  docs: { title: Docs, published: true, siteSpaces: [{ path: open, space: !ref space.open }${siteSpaces}] }
`,
      );
    };
    write(', { path: plans, space: !ref space.plans }', '# Public\n');
    await desk.done(['apply', '-y']);
    write('', '# Secret\n');
    await desk.done(['apply', '-y', '--prune']);
    const { stdout } = await desk.done(['audit', 'list', '-o', 'json', '--query', 'items[].action']);
    const actions: string[] = JSON.parse(stdout);
    // The newest action comes first.
    expect(actions.indexOf('sites.site-spaces.delete')).toBeGreaterThan(
      actions.indexOf('change-requests.merge'),
    );
    expect((await desk.done(['plan', '--prune'])).stdout).toBe('No changes.\n');
  } finally {
    await desk.discard();
  }
}, 30_000);

it('deletes pages that are not in the table of contents when `unlisted` changes to skip', async () => {
  const desk = await openGuideStore();
  try {
    mkdirSync(desk.at('content'));
    writeFileSync(desk.at('content', 'SUMMARY.md'), '* [Start](README.md)\n');
    writeFileSync(desk.at('content', 'README.md'), '# Start\n');
    writeFileSync(desk.at('content', 'more.md'), '# More\n');
    const state = (unlisted: string) =>
      writeFileSync(
        desk.at('docsctl.yaml'),
        `version: 1\nspaces:\n  new: { title: New, content: { dir: content, unlisted: ${unlisted} } }\n`,
      );
    const plan = async () => (await desk.done(['plan'])).stdout;
    state('hidden');
    await desk.done(['apply', '-y']);
    expect(await plan()).toBe('No changes.\n');
    state('skip');
    expect(await plan()).toContain('content: 1 page deleted (more.md)');
    await desk.done(['apply', '-y']);
    expect((await desk.done(['pages', 'list', '--space', 'New', '-o', 'json'])).stdout).not.toContain('More');
    expect(await plan()).toBe('No changes.\n');
  } finally {
    await desk.discard();
  }
}, 30_000);

it('prints the change request of content that waits for a merge, even if nothing is left to send', async () => {
  const desk = await openGuideStore();
  try {
    mkdirSync(desk.at('content'));
    const write = (text: string) => writeFileSync(desk.at('content', 'README.md'), text);
    write('# Start\n');
    writeFileSync(
      desk.at('docsctl.yaml'),
      'version: 1\nspaces:\n  new: { title: New, content: { dir: content, merge: none } }\n',
    );
    const applied = await desk.done(['apply', '-y', '-o', 'json']);
    const { waiting } = JSON.parse(applied.stdout);
    const { items } = JSON.parse((await desk.done(['spaces', 'list', '-o', 'json'])).stdout) as {
      items: { id: string; title: string }[];
    };
    const space = items.find(({ title }) => title === 'New')!.id;
    const merge = `docsctl change-requests merge 1 --space ${space}`;
    expect(waiting).toEqual([{ dir: 'content', space, changeRequest: 1, merge }]);
    expect(applied.stderr.split('is in change request 1').length).toBe(2);
    // A run with nothing left to send still reports the change request.
    const again = await desk.done(['apply', '-y', '-o', 'json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: [], waiting });
    write('# Begin\n');
    await desk.done(['plan', '--out', 'plan.json']);
    expect(JSON.parse((await desk.done(['apply', 'plan.json', '-y', '-o', 'json'])).stdout)).toMatchObject({
      rows: [{ status: 'done' }],
      waiting,
    });
    await desk.done(merge.split(' ').slice(1));
    expect(JSON.parse((await desk.done(['apply', '-y', '-o', 'json'])).stdout)).not.toHaveProperty('waiting');
  } finally {
    await desk.discard();
  }
}, 30_000);
