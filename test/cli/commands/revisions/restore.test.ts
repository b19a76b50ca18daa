import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('docsctl revisions restore %s', (_, open) => {
  let desk: GuideStore;
  let first: string;
  beforeEach(async () => {
    desk = await open();
    mkdirSync(desk.at('docs'));
    writeFileSync(desk.at('docs', 'README.md'), '---\ndescription: Old\n---\n\n# Start  \r\n\n![x](x.png)\n');
    writeFileSync(desk.at('docs', 'SUMMARY.md'), '# Summary\n\n* [Start](README.md)\n* [Two](two.md)\n');
    writeFileSync(desk.at('docs', 'two.md'), '# Two\n');
    writeFileSync(desk.at('docs', 'x.png'), Buffer.from([0, 1, 2, 255]));
    await desk.done(['spaces', 'import', 'Guide', 'docs']);
    first = await latest();
  });
  afterEach(() => desk.discard());

  const latest = async () =>
    (
      await desk.done(['revisions', 'list', 'Guide', '--type', 'merge', '--limit', '1', '-o', 'id'])
    ).stdout.trim();
  const content = async () => {
    const { stdout } = await desk.done(['spaces', 'content', 'get', 'Guide', '-o', 'json']);
    const { pages, files } = JSON.parse(stdout);
    const { stdout: texts } = await desk.done(['spaces', 'content', 'texts', 'Guide', '-o', 'json']);
    return { pages, files, texts };
  };
  const spoil = async () => {
    await desk.done(['pages', 'delete', 'Guide', 'two', '--merge', '--yes']);
    await desk.publish(page('More', 'more\n'));
    writeFileSync(desk.at('new.md'), 'other\n');
    await desk.done(['pages', 'edit', 'Guide', 'Start', '--file', 'new.md', '--merge']);
  };
  const restore = (...words: string[]) => desk.run(['revisions', 'restore', ...words, '--space', 'Guide']);

  it('restores exactly the content of the revision, and can be undone by another restore', async () => {
    const before = await content();
    await spoil();
    const spoilt = [await content(), await latest()] as const;
    const ran = await restore(first, '--merge', '-o', 'json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ merged: true, revision: first, changed: 3 });
    expect(await content()).toEqual(before);
    await restore(spoilt[1], '--merge');
    expect(await content()).toEqual(spoilt[0]);
  });

  it('leaves a change request without --merge, with a command that merges it', async () => {
    const before = await content();
    await spoil();
    const spoilt = await content();
    const { stderr } = await restore(first, '--subject', 'Go back');
    expect(stderr).toContain('Changed 3 pages and files: ');
    expect(await content()).toEqual(spoilt);
    const [, command = ''] = /`docsctl (change-requests merge .+)`/.exec(stderr) ?? [];
    await desk.done(command.split(' '));
    expect(await content()).toEqual(before);
  });

  it('changes nothing with --dry-run or if the content is the same', async () => {
    expect(await restore(first)).toMatchObject({
      exit: 0,
      stderr: 'Nothing changed: the space already has the content of the revision.\n',
    });
    await spoil();
    const spoilt = await content();
    const dry = await restore(first, '--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'POST', body: { revision: first } });
    expect(dry.stderr).toContain('Would change 3 pages and files: ');
    expect(await content()).toEqual(spoilt);
    const drafts = await desk.done(['cr', 'list', 'Guide', '--status', 'draft', '-o', 'id']);
    expect(drafts.stdout).toBe('');
  });

  it.each([
    [
      ['rev_01M81SDKA6NQS1Z0X1TAQRR45K', '--space', 'Guide'],
      5,
      'There is no revision "rev_01M81SDKA6NQS1Z0X1TAQRR45K"',
    ],
    [['--space', 'Guide'], 64, 'No revision is given.'],
    [['rev_1'], 64, 'No space is given.'],
    [['rev_1', '--space', 'Nowhere'], 5, 'There is no space "Nowhere".'],
  ] as const)('%j exits with %i', async (words, exit, message) => {
    const ran = await desk.run(['revisions', 'restore', ...words]);
    expect(ran.stderr).toContain(message);
    expect(ran.exit).toBe(exit);
  });
});
