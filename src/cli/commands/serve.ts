import { isIP } from 'node:net';
import { Problem } from '../../errors/problem.ts';
import { storeUrlOf } from '../settings.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';
import type { CommandHelp } from '../command-help.ts';

interface Options {
  readonly host: string;
  readonly port: string;
  readonly publicUrl?: string;
  readonly allowRemote?: boolean;
  readonly log?: boolean;
  readonly grace: string;
  readonly rateLimit?: string;
  readonly trustProxy?: string;
  readonly workers: string;
}

export const help: CommandHelp = {
  examples: [
    'docsctl serve --store sqlite:docs.db',
    'docsctl serve --port 0 -o json   # first line: {"url":"http://127.0.0.1:PORT"}',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 0 for any that is free', '8080')
    .option('--public-url <url>', 'base of the URLs in answers (default: where it listens)')
    .option('--allow-remote', 'listen on an address that other machines reach')
    .option('--log', 'one JSON line a request on stderr')
    .option('--rate-limit <number>', 'requests a minute that each token, else each address, may make')
    .option(
      '--trust-proxy <addresses>',
      'proxies in front, as 10.0.0.1,192.168.0.0/16 or loopback: X-Forwarded-For from them says who calls',
    )
    .option(
      '--workers <number>',
      'jobs done at once beside the requests; 0 leaves them to docsctl jobs run',
      '1',
    )
    .option('--grace <seconds>', 'how long open requests may take when it stops', '10')
    .action(inSession(serve));
};

async function serve(session: Session, options: Options): Promise<void> {
  if (session.settings.server !== undefined)
    throw new Problem('usage', 'serve runs on an embedded store, not on another server.', {
      hint: 'Give --store.',
    });
  const port = Number(options.port);
  const grace = Number(options.grace);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Problem('usage', `--port takes a number from 0 to 65535, not "${options.port}".`);
  if (!(grace >= 0 && grace <= 600))
    throw new Problem('usage', `--grace takes seconds from 0 to 600, not "${options.grace}".`);
  const rateLimit = options.rateLimit === undefined ? undefined : Number(options.rateLimit);
  if (rateLimit !== undefined && !(Number.isInteger(rateLimit) && rateLimit > 0))
    throw new Problem('usage', `--rate-limit takes a whole number, not "${options.rateLimit}".`);
  const proxies = options.trustProxy === undefined ? undefined : proxiesOf(options.trustProxy);
  const workers = Number(options.workers);
  if (!(Number.isInteger(workers) && workers >= 0 && workers <= 16))
    throw new Problem('usage', `--workers takes a number from 0 to 16, not "${options.workers}".`);
  const { terminal, runtime } = session;
  const place = { host: options.host, port, allowRemote: options.allowRemote === true };
  const { bind } = await import('../../server/listen.ts');
  // The URLs in answers have the port, so one that the system chooses is taken before there are any.
  const bound = options.publicUrl === undefined && port === 0 ? await bind(place) : undefined;
  const publicUrl =
    options.publicUrl === undefined ? reachable(bound?.url ?? urlOf(place)) : publicUrlOf(options.publicUrl);
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, storeUrlOf(runtime, session.settings), { publicUrl });
  const run = core.newId('req');
  let count = 0;
  const { createServer } = await import('../../server/index.ts');
  const log = (entry: object): void => void terminal.stderr.write(`${JSON.stringify(entry)}\n`);
  const server = await createServer({
    core,
    version: runtime.version,
    // One random id for the run, then a count: a new random number for each request costs more than authorizing it.
    newRequestId: () => `${run}-${++count}`,
    ...(rateLimit === undefined ? {} : { limits: { rateLimit } }),
    ...(proxies === undefined ? {} : { proxies }),
    onLog: (entry: object) => {
      if (options.log === true || 'stack' in entry) log(entry);
    },
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
    if (session.format === 'table') await terminal.stdout.write(`Serving ${core.store.url} on ${url}\n`);
    else if (session.format === 'json' || session.format === 'ndjson')
      await terminal.stdout.write(`${JSON.stringify({ url })}\n`);
    else await terminal.stdout.write(`url: ${url}\n`);
    await stopped(runtime.signal);
    session.note('Stopping: open requests are answered first.');
  } finally {
    await working.stop(grace * 1000);
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
    `--trust-proxy takes addresses, networks or loopback, linklocal and uniquelocal, not "${wrong}".`,
    {
      hint: 'As in --trust-proxy 10.0.0.1,192.168.0.0/16. A network of 0 bits would believe everybody.',
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

function publicUrlOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new Problem('usage', `--public-url takes a http or https URL, not "${text}".`);
  return text.replace(/\/+$/, '');
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
