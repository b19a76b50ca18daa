import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { SiteAnswer, SiteRequest } from '../publishing/site-request.ts';
import { markup } from '../render/markup.ts';
import { createApp, type AppOptions } from './app.ts';
import { defaultLimits } from './limits.ts';
import { bind, listen } from './listen.ts';
import { OneTimeCodes } from '../core/one-time-codes.ts';
import { liveScript, liveStyles } from './preview-files.ts';
import { answerReader } from './sites-app.ts';
import { sendSiteAnswer, toSiteRequest } from './site-reply.ts';
import { stopApp } from './stop.ts';

interface PreviewServerOptions extends Omit<AppOptions, 'limits' | 'answerError' | 'proxies'> {
  /** 0 takes any free port. */
  readonly port: number;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The path of the first page. */
  readonly base: string;
  /** Answers a request of a browser that may see the preview. */
  readonly answer: (request: SiteRequest) => Promise<SiteAnswer>;
  /** Returns the problems of the preview, for a banner on all pages. */
  readonly problems: () => readonly string[];
  /** Called when a browser has used the link, which then does not work again. */
  readonly onOpened: () => void;
}

export interface PreviewServer {
  /** The root of the preview. It shows nothing to browsers without a session. */
  readonly url: string;
  readonly createAddress: () => string;
  /** Tells open pages to reload if their answers have changed. */
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface OpenPage {
  readonly request: SiteRequest;
  readonly key: string;
  readonly raw: ServerResponse;
}

const plainText = 'text/plain; charset=utf-8';
/** Milliseconds between two lines that keep the connection of an open page alive. */
const heartbeat = 10_000;

/**
 * Starts a server that shows a preview on 127.0.0.1. A browser gets access with a code that works once. Other programs on this
 * machine and other web sites get no access.
 *
 * @throws Problem(conflict) if the port is in use
 */
export async function startPreviewServer({
  port,
  base,
  randomBytes,
  answer,
  problems,
  onOpened,
  ...options
}: PreviewServerOptions): Promise<PreviewServer> {
  const place = { host: '127.0.0.1', port };
  const bound = await bind(place);
  const { url } = bound;
  const ownPort = new URL(url).port;
  const hosts = new Set([`127.0.0.1:${ownPort}`, `localhost:${ownPort}`]);
  const codes = new OneTimeCodes(randomBytes);
  // Browsers send cookies to all ports of a host, so the name contains the port.
  const cookie = `docsctl-preview-${ownPort}`;
  const open = new Set<OpenPage>();
  const app = createApp({ ...options, limits: defaultLimits, answerError: answerReader });

  app.addHook('onRequest', async (request, reply) => {
    // The name of another host may resolve to this machine (DNS rebinding).
    if (!hosts.has(request.host)) return refuse(reply, `This preview answers only at ${url}.`);
    if (request.url.startsWith('/~preview/open?')) return;
    const { cookies } = toSiteRequest(request);
    if (!cookies.some(({ name, value }) => name === cookie && codes.isSession(value)))
      return refuse(
        reply,
        'Open the address that the preview printed last. Each address works in one browser only.',
      );
  });
  app.get('/~preview/open', (request, reply) => {
    const session = codes.redeem(new URL(request.url, url).searchParams.get('code') ?? '');
    if (session === undefined)
      return refuse(reply, 'This address has already been used. Open the one that the preview printed last.');
    onOpened();
    return reply
      .code(303)
      .headers({
        location: base,
        'set-cookie': `${cookie}=${session}; Path=/; HttpOnly; SameSite=Lax`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      })
      .send();
  });
  app.get('/~preview/live.js', (_, reply) => sendFile(reply, 'text/javascript; charset=utf-8', liveScript));
  app.get('/~preview/live.css', (_, reply) => sendFile(reply, 'text/css; charset=utf-8', liveStyles));

  const tellIfChanged = async (page: OpenPage): Promise<void> => {
    const now = keyOf(await answer(page.request), problems());
    if (now === page.key || !open.delete(page)) return;
    page.raw.end('event: change\ndata:\n\n');
  };
  app.get('/~preview/events', async (request, reply) => {
    const { searchParams } = new URL(request.url, url);
    const target = new URL(searchParams.get('path') ?? '/', url);
    const asked = { ...toSiteRequest(request), path: target.pathname, query: target.searchParams };
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    raw.write(':\n\n');
    const page = { request: { ...asked, accept: 'text/html' }, key: searchParams.get('key') ?? '', raw };
    const timer = setInterval(() => raw.write(':\n\n'), heartbeat);
    raw.once('close', () => {
      clearInterval(timer);
      open.delete(page);
    });
    open.add(page);
    // The answer may have changed between the page and this request.
    await tellIfChanged(page).catch(() => raw.end());
  });

  app.get('/*', async (request, reply) => {
    const given = await answer(toSiteRequest(request));
    return sendSiteAnswer(request, reply, withLiveParts(given, problems()));
  });
  app.setNotFoundHandler((_, reply) => reply.code(405).type(plainText).send('A preview only shows.\n'));
  await app.ready();
  await listen(app.server, { ...place, bound });
  return {
    url: `${url}/`,
    createAddress: () => `${url}/~preview/open?code=${codes.issue()}`,
    refresh: async () => {
      for (const page of open) await tellIfChanged(page).catch(() => page.raw.end());
    },
    close: () => stopApp(app, 0),
  };
}

function refuse(reply: FastifyReply, message: string): FastifyReply {
  return reply
    .code(403)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type(plainText)
    .send(`${message}\n`);
}

function sendFile(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply
    .headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    .type(type)
    .send(text);
}

/** Returns a text that changes when a page or its banner changes. */
function keyOf({ status, headers, body = '' }: SiteAnswer, problems: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([status, headers['location'], problems]))
    .update(body)
    .digest('base64url');
}

/** Adds to a page the script that waits for changes, and a banner with problems. */
function withLiveParts(answer: SiteAnswer, problems: readonly string[]): SiteAnswer {
  const { headers, body } = answer;
  if (body === undefined || !String(headers['content-type']).startsWith('text/html')) return answer;
  const key = keyOf(answer, problems);
  const head = markup`<link rel="stylesheet" href="/~preview/live.css"><script src="/~preview/live.js" data-key="${key}" defer></script>`;
  const banner =
    problems.length === 0
      ? ''
      : markup`<div class="preview-problems" role="alert"><ul>${problems.map((problem) => markup`<li>${problem}</li>`)}</ul></div>`
          .text;
  const html = (typeof body === 'string' ? body : Buffer.from(body).toString())
    .replace('</head>', () => `${head.text}</head>`)
    .replace(/<body[^>]*>/, (tag) => tag + banner);
  return { ...answer, body: html };
}
