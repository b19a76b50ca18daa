import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { failedFetchHeader } from '../failed-fetch.ts';
import type { FetchAnswer, FetchRequest } from '../protocol.ts';

/** Headers of the connection, and headers that workerd adds. */
const ownHeaders =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|accept-encoding|cf-.*)$/;
const droppedHeaders =
  /^(?:connection|keep-alive|transfer-encoding|upgrade|content-length|content-encoding)$/;

/**
 * Listens on a socket for requests of a script in workerd, which arrive as requests to a proxy, and answers them with the result
 * of `fetch`. Other connections are refused.
 */
export async function listenForFetches(
  socket: string,
  maxBytes: number,
  fetch: (request: FetchRequest) => Promise<FetchAnswer>,
): Promise<Server> {
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    answer(request, response, maxBytes, fetch).catch(() => response.destroy());
  });
  server.on('connect', (_, connection) => connection.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  server.unref();
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  fetch: (request: FetchRequest) => Promise<FetchAnswer>,
): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return void response.destroy();
    chunks.push(chunk);
  }
  const { url = '', method = 'GET' } = request;
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    ownHeaders.test(name) ? [] : values.map((value) => [name, value] as const),
  );
  const body = size === 0 ? undefined : Buffer.concat(chunks);
  try {
    // workerd follows redirects itself, and sends a request for each.
    const answered = await fetch({ url, method, headers, redirect: 'manual', body });
    const kept = Object.entries(answered.headers).filter(
      ([name]) => !droppedHeaders.test(name.toLowerCase()),
    );
    response.writeHead(answered.status, Object.fromEntries(kept)).end(answered.body);
  } catch (error) {
    const { message } = error as Error;
    response.writeHead(502, { [failedFetchHeader]: encodeURIComponent(message.slice(0, 1000)) }).end();
  }
}
