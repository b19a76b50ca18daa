import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorBody, refuse, type Refusal } from './errors.ts';
import type { ServerLimits } from './limits.ts';
import type { Tls } from './tls.ts';

/** Milliseconds until a refused connection is closed. If it were closed at once, the client might not receive the answer. */
const lingerTime = 500;

/**
 * Creates the HTTP server below the router, or the HTTPS server with `tls`. It disconnects slow clients, and answers CONNECT and
 * Expect with the API's errors.
 */
export function createSockets(
  listener: RequestListener,
  limits: ServerLimits,
  newRequestId: () => string,
  tls?: Tls,
): Server {
  const { headersTimeout, requestTimeout, keepAliveTimeout, checkEvery } = limits;
  // `requireHostHeader` is off, because the router refuses a missing Host with an error body.
  const options = {
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: checkEvery,
    requireHostHeader: false,
  };
  const listen = closeWithConnection(listener);
  const server: Server =
    tls === undefined ? createServer(options, listen) : tls.createServer(options, listen);
  server.timeout = limits.socketTimeout;
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    answerSocket(
      socket,
      refuse(405, 'CONNECT is not supported: this server is not a proxy.'),
      newRequestId(),
    ),
  );
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    sendRefusal(
      response,
      refuse(417, 'The Expect header is not supported.', 'Leave it out, or send "100-continue".'),
      newRequestId(),
    );
  });
  return server;
}

/**
 * When a connection ends, closes all responses on it that wait for earlier responses. Node closes only the one that is being
 * sent, and code that waits for the others to close would wait forever. The address of the client also stays known.
 */
function closeWithConnection(listener: RequestListener): RequestListener {
  const responsesOf = new WeakMap<Socket, Set<ServerResponse>>();
  const collect = (socket: Socket): Set<ServerResponse> => {
    const responses = new Set<ServerResponse>();
    responsesOf.set(socket, responses);
    // Node caches the address when it is read, and has none after the client disconnects.
    void socket.remoteAddress;
    socket.once('close', () => {
      for (const response of responses)
        if (response.socket === null && !response.destroyed && !response.writableFinished)
          // Node sets both of these on the response that is being sent. A stream to the response ends only if it has both.
          Object.assign(response, { destroyed: true, _closed: true }).emit('close');
    });
    return responses;
  };
  return (request, response) => {
    const responses = responsesOf.get(request.socket) ?? collect(request.socket);
    responses.add(response);
    response.once('close', () => responses.delete(response));
    listener(request, response);
  };
}

/** Answers a request with an error before the application exists, and closes its connection. */
export function sendRefusal(response: ServerResponse, refusal: Refusal, requestId: string): void {
  const { head, body } = rawAnswer(refusal, requestId);
  response.writeHead(refusal.status, head).end(body);
}

/** Answers input that Node could not parse as a request: headers that are too large, a slow client, or no HTTP. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  newRequestId: () => string,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Without a TLS handshake, no answer can be sent.
  if (/^ERR_(?:SSL|TLS)_/.test(error.code ?? '')) {
    socket.destroy();
    return;
  }
  answerSocket(socket, clientRefusal(error.code), newRequestId());
}

function clientRefusal(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return refuse(431, 'The headers are larger than 16 KiB.', 'Send fewer or shorter headers.');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return refuse(413, 'The chunk extensions are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refuse(408, 'The request took too long to arrive.');
  return refuse(400, 'This is not a valid HTTP/1.1 request.');
}

function answerSocket(socket: Duplex, refusal: Refusal, requestId: string): void {
  // The rest of the input causes more errors, but one answer is enough.
  if (!socket.writable) return;
  const { head, body } = rawAnswer(refusal, requestId);
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`,
  );
  socket.resume();
  setTimeout(() => socket.destroy(), lingerTime).unref();
}

function rawAnswer(refusal: Refusal, requestId: string) {
  const body = JSON.stringify(errorBody(refusal, requestId));
  const head = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  };
  return { head, body };
}
