import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf } from '../../support/cli.ts';
import { openGuideServer, openGuideStore, page, type GuideStore } from '../guide-store.ts';

describe.each([
  ['an embedded store', openGuideStore],
  ['a server', openGuideServer],
])('docsctl open on %s', (place, openStore) => {
  let desk: GuideStore;
  beforeEach(async () => {
    desk = await openStore();
    await desk.publish(page('Start here', 'one\n'));
    await desk.done(['sites', 'create', '--title', 'Docs']);
  });
  afterEach(() => desk.discard());

  const urlOf = async (...words: string[]) =>
    JSON.parse((await desk.done([...words, '-o', 'json'])).stdout).urls;
  const server = () => desk.options.env?.['DOCSCTL_SERVER'] ?? '';
  /** Runs a command with a program as the browser that writes the opened address to a file. */
  const withBrowser = async (words: string[], tty: boolean, env: Record<string, string> = {}) => {
    writeFileSync(
      desk.at('browser.mjs'),
      `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(desk.at('opened'))}, process.argv.at(-1));`,
    );
    const ran = await desk.run(words, {
      tty,
      env: { ...env, BROWSER: `"${process.execPath}" '${desk.at('browser.mjs')}'` },
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

  /** Runs a command until it prints a link, visits the link, and then stops the command like Ctrl-C. */
  const untilLink = async (words: string[], tty: boolean, linkIn: (out: string) => string | undefined) => {
    const stop = new AbortController();
    const { runtime, out, err } = runtimeOf(words, {
      ...desk.options,
      tty,
      signal: stop.signal,
      env: { ...desk.options.env, BROWSER: `"${process.execPath}" '${desk.at('browser.mjs')}'` },
    });
    writeFileSync(
      desk.at('browser.mjs'),
      `import fs from 'node:fs'; fs.writeFileSync(${JSON.stringify(desk.at('opened'))}, process.argv.at(-1));`,
    );
    const ended = run(runtime);
    let link: string | undefined;
    for (let tries = 0; tries < 500 && link === undefined; tries++) {
      link = linkIn(out.bytes().toString());
      await setTimeout(20);
    }
    const visit = async (url: string, cookie = '') => {
      // The server of the test prints another address than the one it listens on.
      const answer = await fetch(url.replace('http://localhost:8080', server()), {
        redirect: 'manual',
        headers: { cookie },
      });
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    };
    const first = await visit(link!);
    const again = await visit(link!);
    const [cookie = ''] = first.headers.getSetCookie()[0]!.split(';');
    const shown = await visit(new URL(first.headers.get('location')!, link).href, cookie);
    stop.abort();
    return { exit: await ended, link, again: again.status, shown, stderr: err.bytes().toString() };
  };

  it('prints a sign-in link that works once', async () => {
    const ran = await untilLink(
      ['open', 'Guide', '--no-browser'],
      false,
      (out) => /^http\S+(?=\n)/.exec(out)?.[0],
    );
    expect(ran).toMatchObject({ exit: 0, again: 401, shown: { status: 200 } });
    expect(ran.link).toMatch(/^http:\/\/(?:127\.0\.0\.1|localhost):\d+\/o\/~session\?code=[\w-]{32}$/);
    expect(ran.shown.text).toContain('<h1>Guide</h1>');
    expect(ran.shown.text).toContain('Start here');
    expect(ran.stderr.includes('until Ctrl-C')).toBe(place === 'an embedded store');
  });

  it('prints the sign-in link as JSON', async () => {
    const ran = await untilLink(['open', 'Guide', 'start-here', '--no-browser', '-o', 'json'], false, (out) =>
      out === '' ? undefined : JSON.parse(out).link,
    );
    expect(ran).toMatchObject({ exit: 0, shown: { status: 200 } });
    expect(ran.shown.text).toContain('<h1>Start here</h1>');
  });

  if (place === 'an embedded store')
    it('works if the public URL has a path', async () => {
      await desk.done(['config', 'set', 'public-url', 'https://docs.example.com/admin']);
      const { app } = await urlOf('spaces', 'get', 'Guide');
      expect(app).toContain('/admin/o/');
      const ran = await untilLink(
        ['open', 'Guide', '--no-browser'],
        false,
        (out) => /^http\S+(?=\n)/.exec(out)?.[0],
      );
      expect(ran).toMatchObject({ exit: 0, shown: { status: 200 } });
    });

  it('opens the sign-in link in the browser on a terminal', async () => {
    const ran = await untilLink(['spaces', 'get', 'Guide', '--web'], true, () => opened());
    expect(ran).toMatchObject({ exit: 0, again: 401, shown: { status: 200 } });
    expect(ran.shown.text).toContain('<h1>Guide</h1>');
  });

  if (place === 'a server') {
    /** Runs `open` on a proxy of the test server that changes the answer to requests for links. */
    const openWithLink = async (link?: string) => {
      const proxy = createServer((request, response) => {
        const isLink = request.url === '/v1/user/sign-in-links';
        const path = isLink ? '/v1/nothing' : String(request.url);
        const { authorization = '' } = request.headers;
        void fetch(server() + path, { headers: { authorization } }).then(async (answer) => {
          const text = await answer.text();
          const isAnswered = isLink && link !== undefined;
          response.writeHead(isAnswered ? 201 : answer.status, { 'content-type': 'application/json' });
          response.end(isAnswered ? JSON.stringify({ object: 'sign-in-link', url: link }) : text);
        });
      });
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
      const { port } = proxy.address() as AddressInfo;
      const ran = await withBrowser(['open', 'Guide'], true, { DOCSCTL_SERVER: `http://127.0.0.1:${port}` });
      proxy.close();
      return ran;
    };

    it('opens the plain address if the server does not create links', async () => {
      const { app } = await urlOf('spaces', 'get', 'Guide');
      const ran = await openWithLink();
      expect(ran).toMatchObject({ exit: 0, stdout: `${app}\n`, opened: app });
      expect(ran.stderr).toContain('cannot sign a browser in');
    });

    it.each(['file:///etc/passwd', '--help', '/usr/bin/true', 'mailto:ana@acme.test', 'https:evil', ''])(
      'opens nothing if a server returns %j as a link',
      async (link) => {
        const ran = await openWithLink(link);
        expect(ran).toMatchObject({ exit: 69, opened: undefined });
        expect(ran.stderr).toContain('a sign-in link that is not a web address');
      },
    );
  }

  it('opens nothing with --no-input, and prints JSON', async () => {
    const { app } = await urlOf('spaces', 'get', 'Guide');
    const ran = await withBrowser(['open', 'Guide', '--no-input', '-o', 'json'], true);
    expect(JSON.parse(ran.stdout)).toMatchObject({ object: 'space', url: app });
    expect(ran.opened).toBeUndefined();
  });

  it('prints the address of a site after it is published, or with sites get', async () => {
    await desk.done(['sites', 'site-spaces', 'add', 'Guide', '--site', 'Docs']);
    const published = await desk.done(['sites', 'publish', 'Docs']);
    const { published: url } = await urlOf('sites', 'get', 'Docs');
    expect(published.stdout).toContain(url);
    expect((await desk.done(['sites', 'get', 'Docs'])).stdout).toContain(url);
  });

  it('reports resources that cannot be opened', async () => {
    await desk.done(['collections', 'create', '--title', 'Docs']);
    expect(await desk.run(['open', 'Nope'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no space, site, collection or specification "Nope".'),
    });
    expect(await desk.run(['open', 'Docs'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('the site '),
    });
    expect(await desk.run(['open', 'Guide', '--published'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('docsctl open SITE --published'),
    });
    expect(await desk.run(['open', 'Guide', 'quickstart', '--published'])).toMatchObject({
      exit: 64,
      stderr: expect.stringContaining('cannot be used with a page'),
    });
  });
});

it.each([
  ['Access denied', 5, 'There is no space, site, collection or specification "Docs".'],
  ['"Acme" requires single sign-on, but this token does not come from such a sign-in.', 11, 'single sign-on'],
])(
  'docsctl open reports the right error on a server that forbids every list: %s',
  async (message, exit, words) => {
    const desk = await openGuideStore();
    const forbidding = createServer(({ url = '' }, response) => {
      const organizations = /^\/v1\/orgs(\?|$)/.test(url)
        ? { items: [{ id: 'org_1', title: 'Acme' }] }
        : undefined;
      response.writeHead(organizations === undefined ? 403 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(organizations ?? { error: { code: 403, message } }));
    });
    await once(forbidding.listen(0, '127.0.0.1'), 'listening');
    const { port } = forbidding.address() as AddressInfo;
    const ran = await desk.run(['open', 'Docs', '--org', 'Acme'], {
      env: { DOCSCTL_STORE: '', DOCSCTL_SERVER: `http://127.0.0.1:${port}`, DOCSCTL_TOKEN: 'token' },
    });
    forbidding.close();
    await desk.discard();
    expect(ran).toMatchObject({ exit, stderr: expect.stringContaining(words) });
  },
);
