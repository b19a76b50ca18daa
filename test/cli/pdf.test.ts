import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFacts } from '../../src/pdf/facts.ts';
import { openDesk, page, type Desk } from './desk.ts';

let desk: Desk;
let number: string;
beforeEach(async () => {
  desk = await openDesk();
  await desk.publish(page('Start', 'Hello\n'));
  number = String(await desk.request(page('More', '漢字\n')));
});
afterEach(() => desk.discard());

const pdf = (...words: string[]) => desk.run(['change-requests', 'pdf', number, '--space', 'Guide', ...words]);
const saved = (name: string) => readFileSync(desk.at(name));

describe('change-requests pdf', () => {
  it('saves a file and says what is in it and what is not', async () => {
    const { exit, stdout, stderr } = await pdf('-O', 'out.pdf');
    expect([exit, stdout]).toEqual([0, '']);
    expect(saved('out.pdf').subarray(0, 5).toString()).toBe('%PDF-');
    expect(stderr).toMatch(/^wrote out\.pdf \(\d+ bytes\)\n4 pages\nwarning: characters of Han are shown as □, for want of a font\.\nhint: install @embedpdf\/fonts-tc /);
  });

  it('takes one page, by its title in the change request', async () => {
    await pdf('--page', 'More', '--only', '-O', 'one.pdf');
    expect(readFacts(saved('one.pdf'))).toEqual({ pages: 1, missing: ['Han'] });
    expect(await pdf('--page', 'Less', '-O', 'none.pdf')).toMatchObject({ exit: 5 });
  });

  it('replaces a file only when told to', async () => {
    writeFileSync(desk.at('out.pdf'), 'mine');
    expect(await pdf('-O', 'out.pdf')).toMatchObject({ exit: 9 });
    expect(saved('out.pdf').toString()).toBe('mine');
    expect(await pdf('-O', 'out.pdf', '--force')).toMatchObject({ exit: 0 });
    expect(saved('out.pdf').subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('gives the bytes to a pipe, not to a terminal', async () => {
    const piped = await pdf('-O', '-');
    expect([piped.exit, piped.bytes.subarray(0, 5).toString()]).toEqual([0, '%PDF-']);
    expect(await desk.run(['change-requests', 'pdf', number, '--space', 'Guide', '-O', '-'], { tty: true })).toMatchObject({ exit: 64, stdout: '' });
  });

  it('prints the address of the PDF where no file is named', async () => {
    const { exit, stdout } = await pdf('-o', 'json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ url: expect.stringMatching(/\/change-requests\/cr_\w+\/pdf\/download$/) as string });
  });

  it('says what is missing', async () => {
    expect(await desk.run(['change-requests', 'pdf'])).toMatchObject({ exit: 64 });
    expect((await desk.run(['change-requests', 'pdf', number])).stderr).toContain('Of which space?');
  });
});

describe('spaces pdf', () => {
  it('saves what is published', async () => {
    const { exit, stderr } = await desk.run(['spaces', 'pdf', 'Guide', '-O', './']);
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/^wrote Guide\.pdf \(\d+ bytes\)\n1 page\n$/)]);
    expect(readFacts(saved('Guide.pdf'))).toEqual({ pages: 1, missing: [] });
    expect(JSON.parse((await desk.run(['spaces', 'pdf', '--space', 'Guide', '--page', 'start', '-o', 'json'])).stdout).url).toMatch(/pdf\/download\?page=pag_/);
  });
});
