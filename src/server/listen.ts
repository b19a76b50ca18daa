import type { Server } from 'node:http';
import { createServer, Server as Socket } from 'node:net';
import { Problem } from '../errors/problem.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Lets other machines in. */
  readonly allowRemote?: boolean;
  /** The place taken before, where the port had to be known. */
  readonly bound?: Bound;
}

/** An address that is taken while nobody answers on it yet; of itself it keeps no process running. */
export interface Bound {
  readonly url: string;
  readonly socket: Socket;
}

/** Takes an address, so that what it is can be told to what will answer there. */
export async function bind(options: ListenOptions): Promise<Bound> {
  const socket = createServer();
  const url = await bindPort(socket, options, options);
  socket.unref();
  return { url, socket };
}

/** Starts to listen; refuses addresses that other machines reach unless that is meant. */
export async function listen(server: Server, options: ListenOptions): Promise<{ url: string }> {
  const url = await bindPort(server, options, options.bound?.socket ?? options);
  server.ref();
  return { url };
}

async function bindPort(
  server: Socket,
  { host, port, allowRemote = false }: ListenOptions,
  place: Socket | ListenOptions,
): Promise<string> {
  if (!allowRemote && !isLoopback(host)) {
    throw new Problem(
      'guard-refused',
      `Refusing to listen on ${host}, because other machines can reach it.`,
      {
        hint: 'Use --host 127.0.0.1, or add --allow-remote and run the server behind a proxy with TLS.',
      },
    );
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    if (place instanceof Socket) server.listen(place, resolve);
    else server.listen({ host, port }, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address : { address: host, port };
  return `http://${bound.address.includes(':') ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function cannotListen(
  { code = 'unknown error' }: NodeJS.ErrnoException,
  host: string,
  port: number,
): Problem {
  if (code === 'EADDRINUSE')
    return new Problem('conflict', `Port ${port} of ${host} is already in use.`, {
      hint: 'Choose another port with --port; 0 takes any free port.',
    });
  if (code === 'EACCES')
    return new Problem('usage', `You do not have permission to listen on port ${port}.`, {
      hint: 'Choose a port above 1023 with --port.',
    });
  return new Problem('usage', `Cannot listen on port ${port} of ${host}: ${code}.`, {
    hint: 'Choose an address of this machine with --host.',
  });
}
