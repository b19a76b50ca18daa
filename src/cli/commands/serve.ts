import { yieldOften } from '../../contract/event-loop.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { storeUrlOf } from '../settings.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';
import { addServeOptions, readServeOptions, type ServeFlags, type ServeOptions } from '../serve-options.ts';
import { openLog } from '../open-log.ts';
import { untilStopped } from '../until-stopped.ts';

export const help: CommandHelp = {
  description: `
Serves the API of an embedded store to other machines and programs, until it is stopped with Ctrl-C or SIGTERM. When
stopped, it finishes the open requests and exits.

Clients need a token: \`docsctl init\` shows the first, and \`docsctl tokens create\` creates more.

The server speaks plain HTTP, or HTTPS with --tls-cert and --tls-key (TLS 1.2 or later). On SIGHUP, it reads both files
again without closing connections, and keeps the old certificate if the new one cannot be used. Before other machines
use the server, give it a certificate, or put a proxy with TLS in front of it.

Members can look at organizations, spaces, change requests and sites in a browser. The field \`urls.app\` has the
addresses of these read-only pages, and \`docsctl open\` signs a browser in to them.

With --sites-port, it also shows the published sites to readers, on a port of their own, so that sites and the API
share neither origin nor cookies. The visibility of a site decides who can read it: everybody, people with a share
link, or visitors with a token that your backend signs.

--count-views counts the pages that readers open, without cookies and without storing IP addresses.
\`docsctl sites events aggregate\` shows the counts. Leave it out if a proxy reports the views.

The store remembers the URLs of its latest server, and commands on the store print addresses that start with them. The
settings public-url and sites-url override these URLs; see \`docsctl config set --help\`.

Each option can also be given by a variable: DOCSCTL_ and its name, such as DOCSCTL_SITES_PORT=8081. The variable of an
option without a value is \`yes\` or \`no\`, such as DOCSCTL_COUNT_VIEWS=yes.

The log goes to standard error: warnings and errors, and with --log a line for each request, job, start, stop and reload.
It has no tokens, cookies, paths, queries or bodies. It has the addresses of clients.

With -o json, the first line of standard output is {"url": "http://127.0.0.1:8080"}. GET /healthz says whether the
server runs, /readyz whether its store can be read and written, and /openapi.json describes the API. On the port of sites, GET
/~gitbook/healthz says whether the server runs.
`,
  examples: [
    'docsctl serve --port 0 -o json   # until Ctrl-C',
    'docsctl serve --port 0 --sites-port 0   # until Ctrl-C',
    'docsctl serve --port 0 --public-url https://docs.example.com --trust-proxy 10.0.0.1 --rate-limit 600   # until Ctrl-C',
  ],
};

export const define: DefineCommand = (command, inSession, { env, cwd }) => {
  addServeOptions(command);
  command.action(
    inSession((session, flags: ServeFlags) =>
      serve(session, readServeOptions(command, flags, { env, cwd }, session.settings)),
    ),
  );
};

async function serve(session: Session, options: ServeOptions): Promise<void> {
  if (session.settings.server !== undefined)
    throw new Problem('usage', 'serve needs an embedded store, and a server is set.', {
      hint: 'Add --store, for example --store sqlite:docs.db.',
    });
  const { host, port, sitesPort, urls: given, allowRemote, rateLimit, proxies, workers, grace } = options;
  const { terminal, runtime } = session;
  const tls = options.tls && (await import('../../server/tls.ts')).openTls(options.tls, runtime.clock);
  const scheme = tls === undefined ? 'http' : 'https';
  const place = { host, port, allowRemote, scheme } as const;
  const { bind } = await import('../../server/listen.ts');
  // The URLs in answers have the port, so one that the system chooses is taken before there are any.
  const bound = given.publicUrl === undefined && port === 0 ? await bind(place) : undefined;
  const publicUrl = given.publicUrl ?? reachable(bound?.url ?? urlOf(place));
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
  const log = await openLog(runtime, options);
  const shared = {
    core,
    // One random id for the run, then a count: a new random number for each request costs more than authorizing it.
    newRequestId: () => `${run}-${++count}`,
    log,
    ...(rateLimit === undefined ? {} : { limits: { rateLimit } }),
    ...(proxies === undefined ? {} : { proxies }),
    tls,
  };
  const server = await createServer({ ...shared, version: runtime.version });
  const sites =
    boundSites === undefined
      ? undefined
      : await (
          await import('../../server/sites-app.ts')
        ).createSitesServer({
          ...shared,
          countViews: options.countViews,
        });
  const [{ startWorkers }, { logFault }, { logClaim, logJobEnd }] = await Promise.all([
    import('../../core/workers.ts'),
    import('../../server/access-log.ts'),
    import('../../server/job-log.ts'),
  ]);
  const working = startWorkers(core, {
    count: workers,
    onClaim: (job) => logClaim(log, job),
    onEnd: (job, event) => logJobEnd(log, job, event),
    onError: (error) => logFault(log, null, error),
  });
  const reload = (): void => {
    try {
      tls?.reload();
      log.write('info', {
        event: 'reload',
        message: 'New connections get the certificate that was read again.',
      });
    } catch (error) {
      log.write('error', {
        event: 'reload',
        message: `The old certificate is kept. ${(error as Error).message}`,
      });
    }
  };
  const forgetHangup = tls && runtime.onHangup?.(reload);
  try {
    const { url } = await server.listen({ ...place, ...(bound === undefined ? {} : { bound }) });
    if (sites !== undefined && sitesPlace !== undefined && boundSites !== undefined)
      await sites.listen({ ...sitesPlace, bound: boundSites });
    const { rememberServerUrls } = await import('../../core/server-urls.ts');
    await rememberServerUrls(core.store, { publicUrl, sitesUrl });
    log.write('info', {
      event: 'start',
      version: runtime.version,
      store: core.store.url,
      ...defined({ url, sitesUrl: sites && sitesUrl }),
    });
    if (session.format === 'table') {
      await terminal.stdout.write(`Serving ${core.store.url} on ${url}\n`);
      if (sitesUrl !== undefined) await terminal.stdout.write(`Showing published sites on ${sitesUrl}\n`);
    } else if (session.format === 'json' || session.format === 'ndjson')
      await terminal.stdout.write(`${JSON.stringify(defined({ url, sitesUrl }))}\n`);
    else
      await terminal.stdout.write(`url: ${url}\n${sitesUrl === undefined ? '' : `sitesUrl: ${sitesUrl}\n`}`);
    await untilStopped(runtime.signal);
    log.write('info', { event: 'stop', message: 'Open requests are answered first.' });
    // The log says so already, and may be read as JSON.
    if (!log.isEnabled('info')) session.note('Stopping. Open requests are answered first.');
  } finally {
    forgetHangup?.();
    await working.stop(grace * 1000);
    await sites?.close(grace * 1000);
    await server.close(grace * 1000);
  }
}

/** "Every address of this machine" is none that a browser can go to. */
function reachable(url: string): string {
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:\d+$)/, '//localhost');
}

function urlOf({
  host,
  port,
  scheme,
}: {
  readonly host: string;
  readonly port: number;
  readonly scheme: string;
}): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
