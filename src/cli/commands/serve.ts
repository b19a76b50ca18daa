import { yieldOften } from '../../contract/event-loop.ts';
import { isIP } from 'node:net';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { ServerUrls } from '../../core/server-urls.ts';
import { readBaseUrl, storeUrlOf } from '../settings.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';
import { untilStopped } from '../until-stopped.ts';
import { readWholeNumber } from '../whole-number.ts';

interface Options {
  readonly host: string;
  readonly port: string;
  readonly publicUrl?: string;
  readonly sitesPort?: string;
  readonly sitesUrl?: string;
  readonly countViews?: boolean;
  readonly allowRemote?: boolean;
  readonly log?: boolean;
  readonly grace: string;
  readonly rateLimit?: string;
  readonly trustProxy?: string;
  readonly workers: string;
}

export const help: CommandHelp = {
  description: `
Serves the API of an embedded store to other machines and programs, until it is stopped with Ctrl-C or SIGTERM. When
stopped, it finishes the open requests and exits.

Clients need a token: \`docsctl init\` shows the first, and \`docsctl tokens create\` creates more. The server speaks
plain HTTP. Put a proxy with TLS in front of it before other machines use it.

Members can look at organizations, spaces, change requests and sites in a browser. The field \`urls.app\` has the
addresses of these read-only pages, and \`docsctl open\` signs a browser in to them.

With --sites-port, it also shows the published sites to readers, on a port of their own, so that sites and the API
share neither origin nor cookies. The visibility of a site decides who can read it: everybody, people with a share
link, or visitors with a token that your backend signs.

--count-views counts the pages that readers open, without cookies and without storing IP addresses.
\`docsctl sites events aggregate\` shows the counts. Leave it out if a proxy reports the views.

The store remembers the URLs of its latest server, and commands on the store print addresses that start with them. The
settings public-url and sites-url override these URLs; see \`docsctl config set --help\`.

With -o json, the first line of standard output is {"url": "http://127.0.0.1:8080"}. GET /healthz says whether the
server runs, /readyz whether its store answers, and /openapi.json describes the API. On the port of sites, GET
/~gitbook/healthz says whether the server runs.
`,
  examples: [
    'docsctl serve --port 0 -o json   # until Ctrl-C',
    'docsctl serve --port 0 --sites-port 0   # until Ctrl-C',
    'docsctl serve --port 0 --public-url https://docs.example.com --trust-proxy 10.0.0.1 --rate-limit 600   # until Ctrl-C',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 chooses a free one', '8080')
    .option(
      '--public-url <url>',
      'base of the URLs in responses (default: the setting public-url, or the address that it listens on)',
    )
    .option('--sites-port <number>', 'port on which published sites are shown (default: they are not shown)')
    .option(
      '--sites-url <url>',
      'base of the addresses of sites (default: the setting sites-url, or the address of --sites-port)',
    )
    .option('--count-views', 'count the views of pages of sites among the events of the sites')
    .option('--allow-remote', 'allow an address that other machines can reach')
    .option('--log', 'write one JSON line per request to standard error')
    .option(
      '--rate-limit <number>',
      'requests per minute for each token, or for each client address without a token (default: no limit)',
    )
    .option(
      '--trust-proxy <addresses>',
      'proxies whose X-Forwarded-For is trusted: addresses, networks or loopback, separated by commas',
    )
    .option('--workers <number>', 'jobs to run at the same time; 0 leaves them to `docsctl jobs run`', '1')
    .option('--grace <seconds>', 'seconds to wait for open requests when the server stops', '10')
    .action(inSession(serve));
};

async function serve(session: Session, options: Options): Promise<void> {
  if (session.settings.server !== undefined)
    throw new Problem('usage', 'serve needs an embedded store, and a server is set.', {
      hint: 'Add --store, for example --store sqlite:docs.db.',
    });
  const port = readWholeNumber('--port', options.port, {
    max: 65_535,
    hint: 'Use --port 0 for a free port.',
  });
  const grace = Number(options.grace.trim() || Number.NaN);
  if (!(grace >= 0 && grace <= 600))
    throw new Problem('usage', `--grace takes a number of seconds from 0 to 600, not "${options.grace}".`, {
      hint: 'For half a minute: --grace 30.',
    });
  const rateLimit =
    options.rateLimit === undefined
      ? undefined
      : readWholeNumber('--rate-limit', options.rateLimit, {
          min: 1,
          max: 999_999_999,
          hint: 'For ten requests per second: --rate-limit 600.',
        });
  const proxies = options.trustProxy === undefined ? undefined : proxiesOf(options.trustProxy);
  const workers = readWholeNumber('--workers', options.workers, {
    max: 16,
    hint: 'Leave it out for one worker.',
  });
  const { terminal, runtime } = session;
  const place = { host: options.host, port, allowRemote: options.allowRemote === true };
  const { bind } = await import('../../server/listen.ts');
  const given = givenUrls(session, options);
  // The URLs in answers have the port, so one that the system chooses is taken before there are any.
  const bound = given.publicUrl === undefined && port === 0 ? await bind(place) : undefined;
  const publicUrl = given.publicUrl ?? reachable(bound?.url ?? urlOf(place));
  const sitesPort =
    options.sitesPort === undefined
      ? undefined
      : readWholeNumber('--sites-port', options.sitesPort, { max: 65_535, hint: 'Use 0 for a free port.' });
  const sitesPlace = sitesPort === undefined ? undefined : { ...place, port: sitesPort };
  const boundSites = sitesPlace === undefined ? undefined : await bind(sitesPlace);
  const sitesUrl = given.sitesUrl ?? (boundSites && reachable(boundSites.url));
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, storeUrlOf(runtime, session.settings), {
    publicUrl,
    sitesUrl,
    caFile: session.settings.caFile,
  });
  const run = core.newId('req');
  let count = 0;
  yieldOften();
  const { createServer } = await import('../../server/index.ts');
  // Also with --quiet: --log asks for these lines, and the others are errors.
  const log = (entry: object): void => void runtime.terminal.stderr.write(`${JSON.stringify(entry)}\n`);
  const shared = {
    core,
    // One random id for the run, then a count: a new random number for each request costs more than authorizing it.
    newRequestId: () => `${run}-${++count}`,
    logsAnswers: options.log === true,
    ...(rateLimit === undefined ? {} : { limits: { rateLimit } }),
    ...(proxies === undefined ? {} : { proxies }),
  };
  const server = await createServer({ ...shared, version: runtime.version, onLog: log });
  const sites =
    boundSites === undefined
      ? undefined
      : await (
          await import('../../server/sites-app.ts')
        ).createSitesServer({
          ...shared,
          log,
          countViews: options.countViews === true,
        });
  const { startWorkers } = await import('../../core/workers.ts');
  const working = startWorkers(core, {
    count: workers,
    onEvent: ({ progress, problem, ...event }) => {
      if (progress === undefined && (options.log === true || event.end === 'failed'))
        log({ job: event, ...(problem === undefined ? {} : problem.toJSON()) });
    },
    onError: (error) => log({ job: null, stack: (error as Error).stack }),
  });
  try {
    const { url } = await server.listen({ ...place, ...(bound === undefined ? {} : { bound }) });
    if (sites !== undefined && sitesPlace !== undefined && boundSites !== undefined)
      await sites.listen({ ...sitesPlace, bound: boundSites });
    const { rememberServerUrls } = await import('../../core/server-urls.ts');
    await rememberServerUrls(core.store, { publicUrl, sitesUrl });
    if (session.format === 'table') {
      await terminal.stdout.write(`Serving ${core.store.url} on ${url}\n`);
      if (sitesUrl !== undefined) await terminal.stdout.write(`Showing published sites on ${sitesUrl}\n`);
    } else if (session.format === 'json' || session.format === 'ndjson')
      await terminal.stdout.write(`${JSON.stringify(defined({ url, sitesUrl }))}\n`);
    else
      await terminal.stdout.write(`url: ${url}\n${sitesUrl === undefined ? '' : `sitesUrl: ${sitesUrl}\n`}`);
    await untilStopped(runtime.signal);
    session.note('Stopping. Open requests are answered first.');
  } finally {
    await working.stop(grace * 1000);
    await sites?.close(grace * 1000);
    await server.close(grace * 1000);
  }
}

/** Addresses, networks (ADDRESS/BITS) and the names that Fastify has for some, parted by commas. */
function proxiesOf(text: string): string[] {
  const proxies = text.split(',').map((proxy) => proxy.trim());
  const wrong = proxies.find((proxy) => {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(proxy) ?? [];
    const family = isIP(address);
    return family === 0
      ? !['loopback', 'linklocal', 'uniquelocal'].includes(proxy)
      : Number(bits ?? 1) > (family === 4 ? 32 : 128) || Number(bits ?? 1) === 0;
  });
  if (wrong === undefined) return proxies;
  throw new Problem(
    'usage',
    `--trust-proxy takes addresses, networks, loopback, linklocal and uniquelocal, not "${wrong}".`,
    {
      hint: 'Write it like --trust-proxy 10.0.0.1,192.168.0.0/16. A network of 0 bits would trust every client.',
    },
  );
}

/** "Every address of this machine" is none that a browser can go to. */
function reachable(url: string): string {
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:\d+$)/, '//localhost');
}

function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The URLs that options or else settings give. */
function givenUrls({ settings }: Session, { publicUrl, sitesUrl }: Options): Partial<ServerUrls> {
  return defined({
    publicUrl: publicUrl === undefined ? settings.publicUrl?.value : readBaseUrl('--public-url', publicUrl),
    sitesUrl: sitesUrl === undefined ? settings.sitesUrl?.value : readBaseUrl('--sites-url', sitesUrl),
  });
}
