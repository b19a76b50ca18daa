import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

describe('docsctl pages show', () => {
  it('prints the stored Markdown in a pipe, by path, title or ID', async () => {
    const stored = '---\ndescription: How\r\nicon: bolt\n---\n\n# Start\r\n\n* a\n+ b\n\ntail without end';
    await desk.publish(page('Start here', stored));
    const id = await desk.pageId('start-here');
    for (const name of ['start-here', 'Start here', id])
      expect((await desk.done(['pages', 'show', 'Guide', name])).stdout).toBe(stored);
    expect((await desk.done(['pages', 'show', 'Start here', '--space', 'Guide'])).stdout).toBe(stored);
  });

  it('prints several pages, and continues after one that does not exist', async () => {
    await desk.publish(page('One', 'first'), page('Two', 'second\n'));
    const show = (...words: string[]) => desk.run(['pages', 'show', ...words]);
    expect((await show('Guide', 'one', 'two')).stdout).toBe('first\nsecond\n');
    expect((await show('two', 'one', '--space', 'Guide')).stdout).toBe('second\nfirst');
    const { items } = JSON.parse((await show('Guide', 'two', 'one', '-o', 'json')).stdout);
    expect(items).toMatchObject([{ title: 'Two' }, { title: 'One' }]);
    const { exit, stdout, stderr } = await show('Guide', 'none', 'two');
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: 'second\n' });
    expect(stderr).toContain('error: none: There is no page "none".');
    const drawn = await desk.done(['pages', 'show', 'Guide', 'one', 'two'], { tty: true });
    expect(drawn.stdout).toBe('One\n═══\n\nfirst\n\nTwo\n═══\n\nsecond\n');
  });

  it('shows fields that were changed or cleared after the text was written', async () => {
    const markdown = '---\ndescription: How\nicon: bolt\n---\n\nText\n';
    await desk.publish(page('Start', markdown));
    const id = await desk.pageId('start');
    await desk.publish({ operation: 'update_page', page: id, description: '', icon: 'rocket' });
    expect((await desk.done(['pages', 'show', 'Guide', 'start'])).stdout).toBe(
      '---\nicon: rocket\n---\n\nText\n',
    );
  });

  it('formats the page on a terminal, and escapes control characters', async () => {
    await desk.publish(page('Start', '## Steps\n\n1. one \u001b[2J\n2. two\n', { description: 'How to' }));
    expect((await desk.done(['pages', 'show', 'Guide', 'start'], { tty: true })).stdout).toBe(
      'Start\n═════\n\nHow to\n\nSteps\n─────\n\n1. one \\u001b[2J\n2. two\n',
    );
  });

  it('formats the page in a pipe with --color always', async () => {
    await desk.publish(page('Start', '## Steps\n'));
    const { stdout } = await desk.done(['pages', 'show', 'Guide', 'start', '--color', 'always']);
    expect(stdout).toContain('\u001b[');
    expect(stdout).toContain('─────');
    expect((await desk.done(['pages', 'show', 'Guide', 'start', '--color', 'never'])).stdout).toBe(
      '## Steps\n',
    );
  });

  it('shows a page that is nested too deeply as escaped Markdown, with a note', async () => {
    await desk.publish(page('Deep', `${'> '.repeat(150)}\u0007x`));
    const { stdout, stderr } = await desk.done(['pages', 'show', 'Guide', 'deep'], { tty: true });
    expect(stdout).toBe(`${'> '.repeat(150)}\\u0007x\n`);
    expect(stderr).toContain('The page is shown as Markdown, because it cannot be formatted.');
  });

  it('prints the object of the API with -o json and -o yaml', async () => {
    await desk.publish(page('Start', 'Hello\n', { description: 'How to' }));
    const shown = JSON.parse(
      (await desk.done(['pages', 'show', 'Guide', 'start', '-o', 'json'], { tty: true })).stdout,
    );
    expect(shown).toMatchObject({
      type: 'document',
      title: 'Start',
      path: 'start',
      markdown: 'Hello\n',
      pages: [],
    });
    expect((await desk.done(['pages', 'show', 'Guide', 'start', '-o', 'yaml'])).stdout).toContain(
      'title: Start',
    );
    expect(
      (await desk.done(['pages', 'show', 'Guide', 'start', '--query', 'description', '-o', 'json'])).stdout,
    ).toBe('"How to"\n');
  });

  it('shows a page of a change request or of a revision', async () => {
    await desk.publish(page('Start', 'one\n'));
    const [{ id: old }] = JSON.parse(
      (await desk.done(['revisions', 'list', 'Guide', '--type', 'merge', '-o', 'json'])).stdout,
    ).items;
    const number = await desk.request(
      { operation: 'update_page', page: await desk.pageId('start'), document: { markdown: 'two\n' } },
      page('Later', 'new\n'),
    );
    const shown = async (...words: string[]) =>
      (await desk.done(['pages', 'show', 'Guide', ...words])).stdout;
    expect(await shown('start', '--change-request', String(number))).toBe('two\n');
    expect(await shown('Later', '--change-request', String(number))).toBe('new\n');
    expect(await shown('start')).toBe('one\n');
    await desk.done(['cr', 'merge', String(number), '--space', 'Guide']);
    expect(await shown('start', '--revision', old)).toBe('one\n');
    expect(await desk.run(['pages', 'show', 'Guide', 'later', '--revision', old])).toMatchObject({ exit: 5 });
    expect(await shown('start')).toBe('two\n');
  });

  it('reports missing pages and invalid arguments', async () => {
    await desk.publish({ operation: 'insert_page', type: 'group', title: 'Parts', document: {} });
    const failed = async (...words: string[]) => {
      const { exit, stdout, stderr } = await desk.run(['pages', 'show', ...words]);
      return [exit, stdout, stderr.split('\n')[0]];
    };
    expect(await failed('Guide')).toEqual([64, '', 'error: No page is given.']);
    expect(await failed('Guide', 'nowhere')).toEqual([5, '', 'error: There is no page "nowhere".']);
    expect(await failed('Guide', 'Parts')).toEqual([8, '', 'error: "Parts" is a group and has no text.']);
    expect(await failed('Guide', 'Parts', '--change-request', '1', '--revision', 'rev_1')).toEqual([
      64,
      '',
      'error: --change-request and --revision cannot be used together.',
    ]);
  });
});
