import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { savePdf } from '../../../../src/cli/commands/spaces/save-pdf.ts';
import { readFacts } from '../../../../src/pdf/book.ts';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

let desk: GuideStore;
let number: string;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.publish(page('Start', 'Hello\n'));
  number = String(await desk.request(page('More', '漢字\n')));
});
afterEach(() => desk.discard());

const pdf = (...words: string[]) =>
  desk.run(['change-requests', 'pdf', number, '--space', 'Guide', ...words]);
const saved = (name: string) => readFileSync(desk.at(name));

describe('docsctl change-requests pdf', () => {
  it('saves a file, and reports pages and characters without a font', async () => {
    const { exit, stdout, stderr } = await pdf('-O', 'out.pdf');
    expect([exit, stdout]).toEqual([0, '']);
    expect(saved('out.pdf').subarray(0, 5).toString()).toBe('%PDF-');
    expect(stderr).toMatch(
      /^wrote out\.pdf \(\d+ bytes\)\n4 pages\nwarning: no installed font has characters of Han; they are shown as □\.\nhint: Run `npm install @embedpdf\/fonts-tc/,
    );
  });

  it('refuses --only without a page', async () => {
    const { exit, stderr } = await pdf('--only', '-O', 'out.pdf');
    expect([exit, stderr]).toEqual([64, 'error: --only works only with --page.\nhint: Add --page.\n']);
  });

  it('reports images that are drawn as frames, and missing emoji', async () => {
    const file = (name: string, contentType: string) => ({
      name,
      contentType,
      base64: Buffer.from('GIF89a').toString('base64'),
      git: { path: name },
    });
    const files = [file('a.gif', 'image/gif'), file('b.webp', 'image/webp'), file('c.png', 'image/png')];
    const other = await desk.request(
      { operation: 'insert_files', files } as never,
      page(
        'Pictures',
        '![](a.gif)\n\n![](b.webp)\n\n![](c.png) inline\n\n![](https://example.com/d.png)\n\nparty 🎉\n',
      ),
    );
    const { stderr } = await desk.run([
      'change-requests',
      'pdf',
      String(other),
      '--space',
      'Guide',
      '--page',
      'Pictures',
      '-O',
      'images.pdf',
    ]);
    expect(stderr.split('\n').slice(2, -1)).toEqual([
      'warning: no installed font has some of the emoji; they are shown as □.',
      'hint: Run `npm install @fontsource/noto-emoji` where docsctl is installed, and make the PDF again.',
      expect.stringMatching(/^warning: 4 images are drawn as frames with their names: /) as string,
      'hint: Convert other images to PNG or JPEG.',
    ]);
    for (const part of ['2 GIF', '1 WebP', '1 on the web (not fetched)']) expect(stderr).toContain(part);
  });

  it('shows progress on a terminal only', async () => {
    const { stderr } = await desk.run(
      ['change-requests', 'pdf', number, '--space', 'Guide', '-O', 'out.pdf'],
      { attended: true },
    );
    expect(stderr).toContain('rendering page 1 of 2 (50 %)');
    // The progress line is removed before anything else is printed.
    expect(stderr).toMatch(/\r\u001b\[2Kwrote out\.pdf/);
    expect((await pdf('-O', 'again.pdf')).stderr).not.toContain('rendering');
  });

  it('accepts one page, by its title in the change request', async () => {
    await pdf('--page', 'More', '--only', '-O', 'one.pdf');
    expect(readFacts(saved('one.pdf'))).toMatchObject({ pages: 1, missing: ['Han'] });
    expect(await pdf('--page', 'Less', '-O', 'none.pdf')).toMatchObject({ exit: 5 });
  });

  it('replaces a file only with --force', async () => {
    writeFileSync(desk.at('out.pdf'), 'mine');
    expect(await pdf('-O', 'out.pdf')).toMatchObject({ exit: 9 });
    expect(saved('out.pdf').toString()).toBe('mine');
    expect(await pdf('-O', 'out.pdf', '--force')).toMatchObject({ exit: 0 });
    expect(saved('out.pdf').subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('writes the bytes to a pipe, but not to a terminal', async () => {
    const piped = await pdf('-O', '-');
    expect([piped.exit, piped.bytes.subarray(0, 5).toString()]).toEqual([0, '%PDF-']);
    expect(
      await desk.run(['change-requests', 'pdf', number, '--space', 'Guide', '-O', '-'], { tty: true }),
    ).toMatchObject({ exit: 64, stdout: '' });
  });

  it('prints the URL of the PDF if no file is given', async () => {
    const { exit, stdout } = await pdf('-o', 'json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      url: expect.stringMatching(/\/change-requests\/cr_\w+\/pdf\/download$/) as string,
    });
  });

  it('reports missing arguments', async () => {
    expect(await desk.run(['change-requests', 'pdf'])).toMatchObject({ exit: 64 });
    expect((await desk.run(['change-requests', 'pdf', number])).stderr).toContain('No space is given.');
  });
});

describe('a PDF of a server', () => {
  /** Starts to save a PDF of a server that answers when `end` is called. */
  const sessionOn = (isTerminal: boolean) => {
    const notes: string[] = [];
    let answer: (file: unknown) => void = () => {};
    const answered = new Promise((resolve) => (answer = resolve));
    const terminal = {
      stderrIsTTY: isTerminal,
      stdoutIsTTY: false,
      stdout: { write: async () => {}, flush: async () => {} },
      stderr: { write: () => {} },
      columns: 80,
    };
    const session = {
      runtime: { clock: () => 0 },
      terminal,
      settings: { server: { value: 'https://docs.test' } },
      call: () => answered,
      note: (text: string) => void notes.push(text),
    };
    const saved = savePdf(
      session as never,
      { out: '-' },
      { address: {} as never, download: {} as never, params: {} },
    );
    return {
      notes,
      end: (text = '%PDF') => (
        answer({ name: 'a.pdf', contentType: 'application/pdf', bytes: Buffer.from(text) }),
        saved
      ),
    };
  };
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['3 pages', []],
    [
      '3 pages, cut 1',
      ['warning: the text of 1 page is too long for a PDF and is cut off; a line on the page says where.'],
    ],
    [
      '3 pages, cut 2',
      ['warning: the text of 2 pages is too long for a PDF and is cut off; a line on the page says where.'],
    ],
  ])('with the facts %j has warnings of pages that are cut off', async (facts, warnings) => {
    const { notes, end } = sessionOn(false);
    await end(`%PDF (docsctl: ${facts})`);
    expect(notes).toEqual(['3 pages', ...warnings]);
  });

  it.each([
    [true, 3000, ['The server is making the PDF …']],
    [true, 1000, []],
    [false, 3000, []],
  ])(
    'is announced as slow on a terminal only (terminal: %s, after %d ms)',
    async (isTerminal, time, expected) => {
      await Promise.all([
        import('../../../../src/cli/results/save-file.ts'),
        import('../../../../src/cli/output/progress.ts'),
      ]);
      vi.useFakeTimers();
      const { notes, end } = sessionOn(isTerminal);
      await vi.advanceTimersByTimeAsync(0);
      await vi.dynamicImportSettled();
      await vi.advanceTimersByTimeAsync(time);
      expect(notes).toEqual(expected);
      await end();
      await vi.advanceTimersByTimeAsync(9000);
      expect(notes).toEqual(expected);
    },
  );
});

describe('docsctl spaces pdf', () => {
  it('saves the published content of the space', async () => {
    const { exit, stderr } = await desk.run(['spaces', 'pdf', 'Guide', '-O', './']);
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/^wrote Guide\.pdf \(\d+ bytes\)\n1 page\n$/)]);
    expect(readFacts(saved('Guide.pdf'))).toEqual({ pages: 1, missing: [], undrawn: {}, cut: 0 });
    expect(
      JSON.parse(
        (await desk.run(['spaces', 'pdf', '--space', 'Guide', '--page', 'start', '-o', 'json'])).stdout,
      ).url,
    ).toMatch(/pdf\/download\?page=pag_/);
  });
});
