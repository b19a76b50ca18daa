import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
let ids: Record<string, string>;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.publish(page('A', 'a\n'), page('B', 'b\n'), page('C', 'c\n'));
  ids = { a: await desk.pageId('A'), b: await desk.pageId('B'), c: await desk.pageId('C') };
});
afterEach(() => desk.discard());

const write = (name: string, markdown: string) => ({
  operation: 'update_page' as const,
  page: ids[name]!,
  document: { markdown },
});
const all = (side: string) => ['a', 'b', 'c'].map((name) => write(name, `${name} ${side}\n`));
const shown = async (title: string) => (await desk.done(['pages', 'show', 'Guide', title])).stdout;

/** Creates a change request that conflicts with the space on all three pages, and returns the arguments of a command for it. */
const clashing = async (verb: 'merge' | 'sync') => {
  const number = await desk.request(...all('ours'));
  await desk.publish(...all('theirs'));
  return ['cr', verb, String(number), '--space', 'Guide'];
};

describe('change-requests merge and sync', () => {
  it('report conflicts, and resolve each page as the options say', async () => {
    const merge = await clashing('merge');
    const refused = await desk.run(merge);
    expect(refused.exit).toBe(6);
    expect(refused.stderr).toContain('3 conflicts in 3 pages');
    expect(refused.stderr).toContain('/b:1');
    expect(refused.stderr).toContain('ours: "b ours"; theirs: "b theirs"');
    expect(refused.stderr).toContain('--theirs /a');
    writeFileSync(desk.at('b.md'), 'b both\n');
    await desk.done([
      ...merge,
      '--ours',
      '/a',
      '--edited',
      `${ids['b']}=@${desk.at('b.md')}`,
      '--theirs',
      'c',
    ]);
    expect([await shown('A'), await shown('B'), await shown('C')]).toEqual([
      'a ours\n',
      'b both\n',
      'c theirs\n',
    ]);
  });

  it.each(['merge', 'sync'] as const)(
    '%s nothing while a text of --edited has conflict markers',
    async (verb) => {
      const merge = await clashing(verb);
      const send = (text: string) => {
        writeFileSync(desk.at('a.md'), text);
        return desk.run([...merge, '--take', 'ours', '--edited', `a=@${desk.at('a.md')}`]);
      };
      const marked = `<<<<<<< change request ${merge[2]}\na\n=======\nb\n>>>>>>> space\n`;
      expect(await send(marked)).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining('The text of a still has conflict markers, so nothing was merged.'),
      });
      const ofGit = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n';
      expect(await send(ofGit)).toMatchObject({ exit: 6 });
      expect(await send(`~~~\n${ofGit}~~~\n`)).toMatchObject({ exit: 0 });
    },
  );

  it('quote page paths in suggested commands, because a shell would run a part of them', async () => {
    await desk.publish(page('D', 'd\n', { slug: '$(id)' }));
    const id = await desk.pageId('D');
    const edit = (markdown: string) =>
      ({ operation: 'update_page', page: id, document: { markdown } }) as const;
    const number = await desk.request(edit('ours\n'));
    await desk.publish(edit('theirs\n'));
    const { stderr } = await desk.run(['cr', 'merge', String(number), '--space', 'Guide']);
    expect(stderr).toContain("--ours '/$(id)'`, `--theirs '/$(id)'` or `--edited '/$(id)=@FILE'`.");
  });

  it('explain the sides of a conflict, with the line of the file and a command that works', async () => {
    await desk.publish(page('D', '---\ndescription: x\n---\none\ntwo\n', { git: { path: 'd.md' } }));
    const id = await desk.pageId('D');
    const edit = (text: string) => ({
      operation: 'update_page' as const,
      page: id,
      document: { markdown: `one\n${text}\n` },
    });
    const number = String(await desk.request(edit('ours')));
    await desk.publish(edit('theirs'));
    const merge = await desk.run(['cr', 'merge', number, '--space', 'Guide']);
    expect(merge.stderr).toMatch(/^  \/d:5: /m);
    expect(merge.stderr).toContain('Ours is the change request, theirs is the space.');
    const [, hint] = /`docsctl (change-requests merge \d+ --space \S+ --ours \/d)`/.exec(merge.stderr)!;
    expect((await desk.run(['cr', 'sync', number, '--space', 'Guide'])).stderr).toContain(
      `docsctl change-requests sync ${number}`,
    );
    await desk.done(hint!.split(' '));
    expect(await shown('D')).toBe('---\ndescription: x\n---\none\nours\n');
  });

  it('ask for a side of a file if only a file has conflicts', async () => {
    const folder = desk.at('pictures');
    mkdirSync(folder);
    writeFileSync(join(folder, 'README.md'), '# Pictures\n\n![](logo.png)\n');
    const send = async (bytes: string, ...more: string[]) => {
      writeFileSync(join(folder, 'logo.png'), bytes);
      return desk.done(['spaces', 'import', 'Guide', folder, '-o', 'id', ...more]);
    };
    await send('one');
    const { stdout } = await send('two', '--change-request');
    await send('three');
    const merge = await desk.run(['cr', 'merge', stdout.trim(), '--space', 'Guide']);
    expect(merge.stderr).toContain('Choose a side for each file: ');
    await desk.done(['cr', 'merge', stdout.trim(), '--space', 'Guide', '--ours', 'logo.png']);
  });

  it('accept an option several times, or one side for all pages', async () => {
    const sync = await clashing('sync');
    const ran = await desk.done([...sync, '--ours', '/a', '--ours', '/b', '--take', 'theirs', '-o', 'json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ result: 'update' });
    await desk.done(['cr', 'merge', sync[2]!, '--space', 'Guide']);
    expect([await shown('A'), await shown('B'), await shown('C')]).toEqual([
      'a ours\n',
      'b ours\n',
      'c theirs\n',
    ]);
  });

  it('explain the form of an option that is wrong', async () => {
    const merge = await clashing('merge');
    expect(await desk.run([...merge, '--edited', '/a'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('takes PAGE=@FILE'),
    });
    expect(await desk.run([...merge, '--edited', '/a=a.md'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('Did you mean `--edited /a=@a.md`?'),
    });
    expect(await desk.run([...merge, '--ours', '/nowhere'])).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('"/nowhere" has no conflict'),
    });
  });

  it('show what a change request changes', async () => {
    const number = await desk.request(write('a', 'new\n'));
    const ran = await desk.done(['cr', 'changes', String(number), '--space', 'Guide']);
    expect(ran.stdout).toBe('type\tpath\ttitle\tdetails\npage_edited\ta\tA\ttext\n');
  });
});

describe('change-requests merge', () => {
  const merge = (number: number) => desk.done(['cr', 'merge', String(number), '--space', 'Guide']);
  const ask = (number: number, ...emails: string[]) =>
    desk.done(`cr reviewers request ${number} --space Guide --users ${emails.join(' --users ')}`.split(' '));
  const review = (number: number, as: string, status: string) =>
    desk.done(`cr reviews submit ${number} --space Guide --status ${status} --as ${as}`.split(' '));
  beforeEach(() => desk.done(['members', 'invite', 'ben@acme.test', 'cara@acme.test', '--role', 'review']));

  it('notes which requested reviewers have not submitted a review', async () => {
    const number = await desk.request(write('a', 'new\n'));
    await ask(number, 'ben@acme.test', 'cara@acme.test');
    const { stderr, exit } = await merge(number);
    expect(exit).toBe(0);
    expect(stderr).toBe(
      `Change request ${number} was merged without a review by ben and cara, who were asked for one.\n`,
    );
  });

  it('notes reviews of an earlier version and reviews that ask for changes', async () => {
    const number = await desk.request(write('a', 'new\n'));
    await ask(number, 'ben@acme.test');
    await review(number, 'ben@acme.test', 'approved');
    await desk.edit(number, write('a', 'newer\n'));
    await review(number, 'cara@acme.test', 'changes-requested');
    expect((await merge(number)).stderr.split('\n')).toEqual([
      `Change request ${number} was merged without a new review by ben, who reviewed an earlier version.`,
      `Change request ${number} was merged although cara asked for changes.`,
      '',
    ]);
  });

  it('notes nothing if the latest reviews approve, and nothing with --quiet', async () => {
    const number = await desk.request(write('a', 'new\n'));
    await ask(number, 'ben@acme.test');
    await review(number, 'ben@acme.test', 'changes-requested');
    await review(number, 'ben@acme.test', 'approved');
    expect((await merge(number)).stderr).toBe('');
    const other = await desk.request(write('b', 'new\n'));
    await ask(other, 'ben@acme.test');
    const quiet = await desk.done(['cr', 'merge', String(other), '--space', 'Guide', '--quiet']);
    expect(quiet.stderr).toBe('');
  });
});

describe('change-requests content update --insert-page', () => {
  it('sends a list with one page', async () => {
    const number = await desk.request();
    await desk.done([
      'cr',
      'content',
      'update',
      String(number),
      '--space',
      'Guide',
      '--insert-page',
      'New one',
    ]);
    expect(
      JSON.parse(
        (
          await desk.done([
            'cr',
            'pages',
            'list',
            '--change-request',
            String(number),
            '--space',
            'Guide',
            '-o',
            'json',
          ])
        ).stdout,
      ).pages.at(-1),
    ).toMatchObject({
      title: 'New one',
    });
  });
});
