import { Agent, request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Core } from '../../src/core/embedded.ts';
import type { ReadTransaction, Store } from '../../src/core/store.ts';
import { createSitesServer, type SitesServer, type SitesServerOptions } from '../../src/server/sites-app.ts';

const base = '/sites/acme/docs/';

/** What a server of sites answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Asks a server of sites over a socket. */
export interface Reader {
  /** Asks for a path below `/sites/acme/docs/`, or for one that starts with a slash. */
  readonly ask: (
    path: string,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ) => Promise<Answer>;
  /** How many transactions were read since this was called last. */
  readonly reads: () => number;
  /** How much of sites is kept in memory. */
  readonly cached: SitesServer['cached'];
  /** Says that the server will stop. */
  readonly drain: () => void;
}

/** Starts a server of sites on a socket. With `keeps: false`, its store does not say whether something has changed. */
export async function startReader(
  core: Core,
  { keeps = true, ...options }: Partial<SitesServerOptions> & { readonly keeps?: boolean } = {},
): Promise<Reader> {
  let reads = 0;
  const { stamp: _, fetchStamp: __, ...withoutStamp } = core.store;
  const store: Store = {
    ...(keeps ? core.store : withoutStamp),
    read: <T>(work: (view: ReadTransaction) => Promise<T>) => {
      reads++;
      return core.store.read(work);
    },
  };
  const server = await createSitesServer({
    newRequestId: () => 'req',
    log: undefined,
    ...options,
    core: { ...core, store },
  });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  onTestFinished(async () => {
    agent.destroy();
    await server.close(0);
  });
  return {
    cached: server.cached,
    drain: server.drain,
    reads: () => {
      const before = reads;
      reads = 0;
      return before;
    },
    ask: (path, headers = {}, method = 'GET') =>
      new Promise((resolve, reject) => {
        const sent = request(
          url + (path.startsWith('/') ? path : base + path),
          { agent, method, headers },
          (answer) => {
            const chunks: Buffer[] = [];
            answer.on('data', (chunk: Buffer) => chunks.push(chunk));
            answer.on('end', () => {
              const { date: _, ...rest } = answer.headers;
              resolve({
                status: answer.statusCode ?? 0,
                headers: { ...rest, host: undefined },
                body: Buffer.concat(chunks).toString('latin1'),
              });
            });
          },
        );
        sent.on('error', reject);
        sent.end();
      }),
  };
}
