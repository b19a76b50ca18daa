import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../guide-store.ts';

describe.each([
  ['an embedded store', openGuideStore],
  ['a server', openGuideServer],
])('open, on %s', (place, openStore) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openStore();
    await desk.publish(page('Start here', 'one\n'));
    await desk.done(['sites', 'create', '--title', 'Docs']);
  });
  afterEach(() => desk.discard());

  const urlOf = async (...words: string[]) =>
    JSON.parse((await desk.done([...words, '-o', 'json'])).stdout).urls;
  /** Runs a command with a browser that writes down its address. */
  const withBrowser = async (words: string[], tty: boolean) => {
    writeFileSync(
      desk.at('browser.mjs'),
      `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(desk.at('opened'))}, process.argv.at(-1));`,
    );
    const ran = await desk.run(words, {
      tty,
      env: { BROWSER: `"${process.execPath}" '${desk.at('browser.mjs')}'` },
    });
    for (let tries = 0; tries < 100 && ran.exit === 0 && isOpened(tty) && opened() === undefined; tries++)
      await setTimeout(20);
    return { ...ran, opened: opened() };
  };
  const isOpened = (tty: boolean) => tty && place === 'a server';
  const opened = () => {
    const text = existsSync(desk.at('opened')) ? readFileSync(desk.at('opened'), 'utf8') : '';
    return text === '' ? undefined : text;
  };

  it.each([
    [['Guide'], ['spaces', 'get', 'Guide']],
    [['docs'], ['sites', 'get', 'Docs']],
    [
      ['Guide', 'start-here'],
      ['pages', 'show', 'Guide', 'start-here'],
    ],
    [
      ['Guide', '--change-request', '1'],
      ['change-requests', 'get', '1', '--space', 'Guide'],
    ],
    [[], ['orgs', 'get']],
  ])('prints the address of %j', async (words, get) => {
    const { app } = await urlOf(...get);
    expect(await withBrowser(['open', ...words], false)).toMatchObject({
      exit: 0,
      stdout: `${app}\n`,
      opened: undefined,
    });
  });

  it('opens it in the browser on a terminal, where a server answers', async () => {
    const { app } = await urlOf('spaces', 'get', 'Guide');
    const ran = await withBrowser(['spaces', 'get', 'Guide', '--web'], true);
    expect(ran).toMatchObject({ exit: 0, stdout: `${app}\n`, opened: isOpened(true) ? app : undefined });
    expect(ran.stderr).toContain('does not show these addresses in a browser yet');
    if (!isOpened(true)) expect(ran.stderr).toContain('Nothing was opened: no server is set.');
  });

  it('opens nothing with --no-input, and prints JSON', async () => {
    const { app } = await urlOf('spaces', 'get', 'Guide');
    const ran = await withBrowser(['open', 'Guide', '--no-input', '-o', 'json'], true);
    expect(JSON.parse(ran.stdout)).toMatchObject({ object: 'space', url: app });
    expect(ran.opened).toBeUndefined();
  });

  it('names the address of a site that is published or asked for', async () => {
    await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', 'Docs']);
    const published = await desk.done(['sites', 'publish', 'Docs']);
    const { published: url } = await urlOf('sites', 'get', 'Docs');
    expect(published.stdout).toContain(url);
    expect((await desk.done(['sites', 'get', 'Docs'])).stdout).toContain(url);
  });

  it('says what cannot be opened', async () => {
    await desk.done(['collections', 'create', '--title', 'Docs']);
    expect(await desk.run(['open', 'Nope'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no space, site or collection "Nope".'),
    });
    expect(await desk.run(['open', 'Docs'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('the site '),
    });
    expect(await desk.run(['open', 'Guide', '--published'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('has no address'),
    });
  });
});
