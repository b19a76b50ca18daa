import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import type { SiteAnswer } from '../../src/publishing/site-request.ts';
import { startPreviewServer, type PreviewServer } from '../../src/server/preview-app.ts';

interface Preview {
  readonly server: PreviewServer;
  readonly pages: Map<string, string>;
  readonly problems: string[];
  readonly opened: () => number;
  /** Sends a request with headers that a browser could not set. */
  readonly ask: (path: string, headers?: Record<string, string>, method?: string) => Promise<IncomingMessage>;
}

/** Bytes that are not UTF-8. */
const image = Buffer.from('\x89PNG', 'latin1');

async function startPreview(port = 0): Promise<Preview> {
  const pages = new Map([['/', 'Welcome']]);
  const problems: string[] = [];
  let opened = 0;
  const answer = async (path: string): Promise<SiteAnswer> => {
    if (path === '/logo.png') return { status: 200, headers: { 'content-type': 'image/png' }, body: image };
    const text = pages.get(path);
    if (text === undefined)
      return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'nothing' };
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'private, no-store' },
      body: `<!doctype html><html><head></head><body class="x">${text}</body></html>`,
    };
  };
  const server = await startPreviewServer({
    port,
    base: '/',
    clock: Date.now,
    randomBytes: (count) => randomBytes(count),
    newRequestId: () => 'req',
    log: undefined,
    answer: ({ path }) => answer(path),
    problems: () => problems,
    onOpened: () => void (opened += 1),
  });
  onTestFinished(() => server.close());
  const ask: Preview['ask'] = async (path, headers = {}, method = 'GET') => {
    const sent = request(new URL(path, server.url), { headers, method, agent: false });
    sent.end();
    const [got] = (await once(sent, 'response')) as [IncomingMessage];
    return got;
  };
  return { server, pages, problems, opened: () => opened, ask };
}

const textOf = async (message: IncomingMessage): Promise<string> =>
  Buffer.concat(await message.toArray()).toString();

/** Opens the preview like a browser, and returns its cookie. */
async function open({ server, ask }: Preview): Promise<string> {
  const answer = await ask(server.createAddress());
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
  const [cookie = ''] = answer.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/^docsctl-preview-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Lax$/);
  return cookie.split(';')[0] as string;
}

it('a preview shows nothing to a browser that did not open its address', async () => {
  const preview = await startPreview();
  const other = await open(await startPreview());
  for (const path of ['/', '/~preview/live.js', '/~preview/events?path=/', '/nothing', '/healthz'])
    for (const cookie of ['', other, other.replace(/=.*/, '=x'), 'docsctl-preview=1'])
      expect([path, cookie, (await preview.ask(path, { cookie })).statusCode]).toEqual([path, cookie, 403]);
});

it('a preview accepts a code once, and reports that it was used', async () => {
  const preview = await startPreview();
  const address = preview.server.createAddress();
  expect(preview.opened()).toBe(0);
  expect((await preview.ask(address)).statusCode).toBe(303);
  expect(preview.opened()).toBe(1);
  const again = await preview.ask(address);
  expect([again.statusCode, await textOf(again)]).toEqual([
    403,
    'This address has already been used. Open the one that the preview printed last.\n',
  ]);
  for (const path of ['/~preview/open?code=', '/~preview/open?x', '/~preview/open'])
    expect([path, (await preview.ask(path)).statusCode]).toEqual([path, 403]);
  expect(preview.opened()).toBe(1);
});

it('a preview responds only at names of this machine, whatever DNS says', async () => {
  const preview = await startPreview();
  const cookie = await open(preview);
  const { port } = new URL(preview.server.url);
  const statusFor = async (host: string) => (await preview.ask('/', { cookie, host })).statusCode;
  expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
  expect(await statusFor(`localhost:${port}`)).toBe(200);
  for (const host of ['evil.test', `evil.test:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) + 1}`])
    expect([host, await statusFor(host)]).toEqual([host, 403]);
  const opening = await preview.ask(preview.server.createAddress(), { host: 'evil.test' });
  expect(opening.statusCode).toBe(403);
});

it('a preview refuses methods that could change something', async () => {
  const preview = await startPreview();
  const cookie = await open(preview);
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await preview.ask('/', { cookie }, method)).statusCode).toBe(405);
});

it('a preview shows problems on the page, as escaped text', async () => {
  const preview = await startPreview();
  const cookie = await open(preview);
  const before = await textOf(await preview.ask('/', { cookie }));
  expect(before).not.toContain('preview-problems');
  preview.problems.push('page.md: <script>alert(1)</script> $& is wrong');
  const after = await textOf(await preview.ask('/', { cookie }));
  expect(after).toContain(
    '<body class="x"><div class="preview-problems" role="alert"><ul><li>page.md: &lt;script&gt;alert(1)&lt;/script&gt; $&amp; is wrong</li></ul></div>Welcome',
  );
});

it('a preview sends images unchanged', async () => {
  const preview = await startPreview();
  const sent = await preview.ask('/logo.png', { cookie: await open(preview) });
  expect(Buffer.concat(await sent.toArray())).toEqual(image);
});

it('a preview reloads an open page if its content has changed, and only then', async () => {
  const preview = await startPreview();
  preview.pages.set('/other', 'Other');
  const cookie = await open(preview);
  const watch = async (path: string): Promise<IncomingMessage> => {
    const html = await textOf(await preview.ask(path, { cookie }));
    const [, key = ''] = /data-key="([^"]+)"/.exec(html) ?? [];
    return preview.ask(`/~preview/events?${new URLSearchParams({ path, key }).toString()}`, { cookie });
  };
  const [first, other] = [await watch('/'), await watch('/other')];
  expect(first.headers['content-type']).toBe('text/event-stream');
  preview.pages.set('/', 'Changed');
  await preview.server.refresh();
  // The stream of the changed page ends with the event; the other continues.
  expect(await textOf(first)).toContain('event: change');
  expect(other.complete).toBe(false);
  preview.problems.push('something');
  await preview.server.refresh();
  expect(await textOf(other)).toContain('event: change');
  // The page changed before the stream was opened.
  const late = await preview.ask('/~preview/events?path=/&key=old', { cookie });
  expect(await textOf(late)).toContain('event: change');
});

it('a preview reports that its port is in use', async () => {
  const { server } = await startPreview();
  const { port } = new URL(server.url);
  await expect(startPreview(Number(port))).rejects.toMatchObject({
    reason: 'conflict',
    message: `Port ${port} of 127.0.0.1 is already in use.`,
  });
});
