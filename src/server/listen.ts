import type { Server } from 'node:http';
import { createServer, Server as Socket, type Socket as Connection } from 'node:net';
import { Problem } from '../errors/problem.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Allows addresses that other machines can reach (default false). */
  readonly allowRemote?: boolean;
  /** The scheme of the URL (default http). */
  readonly scheme?: 'http' | 'https';
  /** The options for the address, to name in errors (default `--host` and `--port`). */
  readonly options?: { readonly host: string; readonly port: string };
  /** The address, if `bind` has reserved it. */
  readonly bound?: Bound;
}

/** A reserved address without a server. It does not keep the process running. */
interface Bound {
  readonly url: string;
  readonly socket: Socket;
  /** Connections that arrived before there was a server. */
  readonly early: readonly Connection[];
}

/** Reserves an address, so that its URL is known before the server is created. @throws Problem like `listen` */
export async function bind(options: ListenOptions): Promise<Bound> {
  const early: Connection[] = [];
  const socket = createServer(
    { pauseOnConnect: true },
    (connection) => void early.push(connection.on('error', ignore)),
  );
  const url = await bindPort(socket, options, options);
  socket.unref();
  return { url, socket, early };
}

/**
 * Starts to listen and returns the URL.
 *
 * @throws Problem(guard-refused) for an address that other machines can reach, without `allowRemote`; Problem(conflict)
 * if the port is in use; Problem(usage) if the address cannot be used.
 */
export async function listen(server: Server, options: ListenOptions): Promise<{ url: string }> {
  const url = await bindPort(server, options, options.bound?.socket ?? options);
  server.ref();
  for (const connection of options.bound?.early ?? []) {
    connection.off('error', ignore);
    server.emit('connection', connection);
    connection.resume();
  }
  return { url };
}

/** Ignores errors of a client that disconnected before it was answered. */
function ignore(): void {}

async function bindPort(
  server: Socket,
  {
    host,
    port,
    allowRemote = false,
    scheme = 'http',
    options = { host: '--host', port: '--port' },
  }: ListenOptions,
  target: Socket | ListenOptions,
): Promise<string> {
  if (!allowRemote && !isLoopback(host)) {
    throw new Problem(
      'guard-refused',
      `Refusing to listen on ${host}, because other machines can reach it.`,
      {
        hint: `Use ${options.host} 127.0.0.1, or add --allow-remote, with --tls-cert and --tls-key or behind a proxy with TLS.`,
      },
    );
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port, options)));
    if (target instanceof Socket) server.listen(target, resolve);
    else server.listen({ host, port }, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address : { address: host, port };
  return `${scheme}://${bound.address.includes(':') ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function cannotListen(
  { code = 'unknown error' }: NodeJS.ErrnoException,
  host: string,
  port: number,
  options: NonNullable<ListenOptions['options']>,
): Problem {
  if (code === 'EADDRINUSE')
    return new Problem('conflict', `Port ${port} of ${host} is already in use.`, {
      hint: `Choose another port with ${options.port}; 0 takes any free port.`,
    });
  if (code === 'EACCES')
    return new Problem('invalid-input', `You do not have permission to listen on port ${port}.`, {
      hint: `Choose a port above 1023 with ${options.port}.`,
    });
  return new Problem('invalid-input', `Cannot listen on port ${port} of ${host}: ${code}.`, {
    hint: `Choose an address of this machine with ${options.host}.`,
  });
}
