import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../../guide-store.ts';

describe.each([
  ['on a store', openGuideStore],
  ['on a server', openGuideServer],
])('change-requests merge --edit %s', (place, open) => {
  let desk: GuideStore;
  let number: number;
  beforeEach(async () => {
    desk = await open();
    await desk.publish(page('A', 'one\ntwo\nthree\n'), page('B', 'b\n'));
    const [a, b] = [await desk.pageId('A'), await desk.pageId('B')];
    const write = (id: string, markdown: string) => ({
      operation: 'update_page' as const,
      page: id,
      document: { markdown },
    });
    number = await desk.request(write(a, 'one\nours\nthree\n'), write(b, 'ours\n'));
    await desk.publish(write(a, 'one\ntheirs\nthree\nfour\n'), write(b, 'theirs\n'));
  });
  afterEach(() => desk.discard());

  /** Runs the command with an editor that runs `code`, with the variables `file` (the path) and `text`. */
  const edit = (verb: string, code: string, ...words: string[]) => {
    writeFileSync(
      desk.at('editor.mjs'),
      `import fs from 'node:fs';\nconst file = process.argv.at(-1);\nconst text = fs.readFileSync(file, 'utf8');\n${code}\n`,
    );
    return desk.run(['cr', verb, String(number), '--space', 'Guide', '--edit', ...words], {
      attended: true,
      env: { TMPDIR: desk.home, EDITOR: `"${process.execPath}" '${desk.at('editor.mjs')}'` },
    });
  };
  const shown = async (title: string, ...more: string[]) =>
    (await desk.done(['pages', 'show', 'Guide', title, ...more])).stdout;
  const merged = `fs.appendFileSync(${JSON.stringify('SEEN')}, text);
    fs.writeFileSync(file, text.replace(/<<<<<<< .*\\n|=======\\n|>>>>>>> .*\\n/g, ''));`;
  const recording = () => merged.replace('"SEEN"', JSON.stringify(desk.at('seen')));

  it('opens each page with both sides between markers, and merges the saved text', async () => {
    const ran = await edit('merge', recording(), '-o', 'json');
    expect([ran.exit, JSON.parse(ran.stdout)]).toEqual([0, expect.objectContaining({ result: 'merge' })]);
    expect(readFileSync(desk.at('seen'), 'utf8')).toBe(
      `one\n<<<<<<< change request ${number}\nours\n=======\ntheirs\n>>>>>>> space\nthree\nfour\n` +
        `<<<<<<< change request ${number}\nours\n=======\ntheirs\n>>>>>>> space\n`,
    );
    expect(await shown('A')).toBe('one\nours\ntheirs\nthree\nfour\n');
    expect(await shown('B')).toBe('ours\ntheirs\n');
  });

  it('does not restore a field that was cleared after the text was written', async () => {
    await desk.publish(page('C', '---\ndescription: Old\nicon: bolt\n---\nc\n'));
    const id = await desk.pageId('C');
    const update = { operation: 'update_page' as const, page: id };
    await desk.publish({ ...update, description: '' });
    number = await desk.request({ ...update, document: { markdown: 'ours\n' } });
    await desk.publish({ ...update, document: { markdown: 'theirs\n' } });
    expect(await edit('merge', recording())).toMatchObject({ exit: 0 });
    expect(await shown('C')).toBe('---\nicon: bolt\n---\nours\ntheirs\n');
  });

  it('opens only pages that the options do not resolve, and also works for sync', async () => {
    expect(await edit('sync', recording(), '--theirs', '/b')).toMatchObject({ exit: 0 });
    expect(readFileSync(desk.at('seen'), 'utf8')).not.toMatch(/^<<<<<<</);
    expect(await shown('A')).toBe('one\ntheirs\nthree\nfour\n');
    expect(await shown('A', '--change-request', String(number))).toBe('one\nours\ntheirs\nthree\nfour\n');
    expect(await shown('B', '--change-request', String(number))).toBe('theirs\n');
  });

  it('asks before an empty text removes the whole text of a page', async () => {
    const empty = 'fs.writeFileSync(file, "");';
    // Nobody answers.
    expect(await edit('merge', empty)).toMatchObject({ exit: 130 });
    expect(await shown('A')).toBe('one\ntheirs\nthree\nfour\n');
    expect(await edit('merge', empty, '--yes')).toMatchObject({ exit: 0 });
  });

  it('merges nothing while conflict markers are left, and keeps the edited text', async () => {
    const ran = await edit('merge', 'fs.appendFileSync(file, "mine\\n");');
    expect(ran.exit).toBe(6);
    expect(ran.stderr).toContain('The text of /a still has conflict markers, so nothing was merged.');
    const [, path = ''] = /kept in (\S+\.md)\./.exec(ran.stderr) ?? [];
    expect(existsSync(path) && readFileSync(path, 'utf8')).toContain('mine\n');
    expect(await shown('A')).toBe('one\ntheirs\nthree\nfour\n');
  });

  /** Merges with an editor that is open until `work` has ended. The text of B is not edited. */
  const editDuring = async (work: () => Promise<unknown>, ...words: string[]) => {
    const others = createServer((_request, response) => void work().finally(() => response.end()));
    await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
    const { port } = others.address() as AddressInfo;
    const code = `await fetch('http://127.0.0.1:${port}'); ${recording()}`;
    return edit('merge', code, '--theirs', '/b', ...words).finally(() => others.close());
  };

  it('merges nothing if a page was deleted while it was edited', async () => {
    const a = await desk.pageId('A');
    const { exit, stderr } = await editDuring(() => desk.publish({ operation: 'delete_page', page: a }));
    expect(exit).toBe(6);
    expect(stderr).toContain('The page /a was changed while you edited it, so nothing was merged.');
    expect(stderr).toContain('Your text is kept in');
  });

  it.runIf(place === 'on a server')('says why a page cannot be read after it was edited', async () => {
    const create = ['tokens', 'create', '--role', 'admin', '--name', 'ci', '-o', 'json'];
    writeFileSync(desk.at('token'), JSON.parse((await desk.done(create)).stdout).token);
    const { exit, stderr } = await editDuring(
      () => desk.done(['tokens', 'delete', 'ci', '--yes']),
      '--token-file',
      desk.at('token'),
    );
    expect([exit, stderr.includes('was changed')]).toEqual([4, false]);
    expect(stderr).toContain('Your text is kept in');
  });

  it('needs a terminal, and does not open an editor if there is no conflict', async () => {
    expect(await desk.run(['cr', 'merge', String(number), '--space', 'Guide', '--edit'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('--edit needs a terminal'),
    });
    expect(await edit('merge', 'process.exit(1);', '--take', 'ours')).toMatchObject({ exit: 0 });
    expect(await shown('A')).toBe('one\nours\nthree\nfour\n');
  });

  it('fails if the editor fails, and keeps the text if it is interrupted', async () => {
    expect(await edit('merge', 'process.exit(3);')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('The editor exited with code 3'),
    });
    const killed = (signal: string) =>
      edit('merge', `fs.appendFileSync(file, "mine"); process.kill(process.pid, '${signal}');`);
    expect(await killed('SIGINT')).toMatchObject({
      exit: 130,
      stderr: expect.stringContaining('Interrupted. Nothing was sent. Your text is kept in'),
    });
    expect(await killed('SIGKILL')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('The editor exited with SIGKILL'),
    });
  });

  describe('with conflicts of titles, positions and deleted pages', () => {
    beforeEach(async () => {
      await desk.publish(page('C', 'c\n'), page('D', 'd\n'));
      const [a, b, c] = [await desk.pageId('A'), await desk.pageId('B'), await desk.pageId('C')];
      const rename = (id: string, title: string) => ({ operation: 'update_page' as const, page: id, title });
      const move = (id: string, into: string | null, at: number) => ({
        operation: 'update_page' as const,
        page: id,
        into,
        at,
      });
      const d = await desk.pageId('D');
      const remove = { operation: 'delete_page' as const, page: d };
      number = await desk.request(rename(b, 'Ours'), rename(c, 'Our C'), move(c, a, 0), remove);
      await desk.publish(rename(b, 'Theirs'), rename(c, 'Their C'), move(c, b, 0), rename(d, 'Their D'));
    });
    const keep = (side: string) =>
      `fs.writeFileSync(${JSON.stringify('SEEN')}, text);
      fs.writeFileSync(file, text.split('\\n').filter((line) => !/^(?:<<<|===|>>>|${side}, )/.test(line)).join('\\n'));`;

    it('opens them in one file, and applies the sides that were kept', async () => {
      const code = keep('theirs').replace('"SEEN"', JSON.stringify(desk.at('seen')));
      expect(await edit('merge', code)).toMatchObject({ exit: 0 });
      expect(readFileSync(desk.at('seen'), 'utf8')).toContain(
        `/b\n<<<<<<< change request ${number}\nours, title: "Ours"\n=======\ntheirs, title: "Theirs"\n>>>>>>> space\n`,
      );
      const { stdout } = await desk.done(['pages', 'list', 'Guide', '--columns', 'title', '--no-headers']);
      expect(stdout.split('\n').sort()).toEqual(expect.arrayContaining(['A', 'Our C', 'Ours']));
      expect(stdout).not.toMatch(/Their|^D$/m);
    });

    it('merges nothing if no side was chosen for a page', async () => {
      expect(await edit('merge', '')).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining('No side was chosen for /'),
      });
      expect(
        await edit('merge', keep('ours').replace('"SEEN"', JSON.stringify(desk.at('seen')))),
      ).toMatchObject({
        exit: 0,
      });
      const { stdout } = await desk.done(['pages', 'list', 'Guide', '--columns', 'title', '--no-headers']);
      expect(stdout).toMatch(/^Theirs$/m);
    });

    it('quotes the name of a conflicting file that looks like a comment', async () => {
      const file = (base64: string, more: object = {}) => ({
        operation: 'insert_files' as const,
        files: [{ name: '#1 $(x).bin', base64, contentType: 'image/png', ...more }],
      });
      await desk.publish(file('AAAA'));
      const list = ['spaces', 'files', 'list', 'Guide', '-o', 'json'];
      const [{ id: replaces }] = JSON.parse((await desk.done(list)).stdout).items;
      number = await desk.request(file('BBBBBBBB', { replaces }));
      await desk.publish(file('CCCCCCCCCCCC', { replaces }));
      expect(await edit('merge', '')).toMatchObject({
        exit: 6,
        stderr: expect.stringContaining("`--ours '#1 $(x).bin'`"),
      });
      const code = keep('theirs').replace('"SEEN"', JSON.stringify(desk.at('seen')));
      expect(await edit('merge', code)).toMatchObject({ exit: 0 });
      const { stdout } = await desk.done(list);
      expect(JSON.parse(stdout).items).toMatchObject([{ size: 6 }]);
    });
  });
});
