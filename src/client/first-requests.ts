import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Headers } from './retry.ts';

/** Sends requests to one origin: undici, or the client in this file. */
export interface Connections {
  dispatch(request: SentRequest, handler: AnswerHandler): unknown;
  destroy(): Promise<void>;
}

interface SentRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  /** Milliseconds until the headers of the answer. */
  readonly headersTimeout: number;
  /** Milliseconds between two parts of the body of the answer (default: that of the connections). */
  readonly bodyTimeout?: number;
}

/** The used part of an undici handler. */
export interface AnswerHandler {
  onRequestStart(controller: Controller): void;
  onResponseStart(controller: Controller, status: number, headers: Headers): void;
  onResponseData(controller: Controller, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: Controller, error: Error): void;
}

export interface Controller {
  abort(reason: Error): void;
  /** Pauses the body of the answer until `resume`. The time limit pauses, too. */
  pause(): void;
  resume(): void;
}

/** Options of the connections; times are in milliseconds. */
interface FirstRequestsOptions {
  readonly connections: number;
  readonly connectTimeout: number;
  /** Time limit between two parts of the body of an answer. */
  readonly bodyTimeout: number;
  /** Certificates of authorities in PEM form, trusted in addition to those of Node.js. */
  readonly ca?: string | undefined;
}

/**
 * Creates connections to an origin with the HTTP client of Node.js, without a proxy. It loads in a tenth of the time of undici,
 * but is slower for many requests. It calls the handler in the same way as undici, and reports failures with the same codes.
 */
export async function createFirstRequests(
  origin: string,
  { connections, connectTimeout, bodyTimeout, ca }: FirstRequestsOptions,
): Promise<Connections> {
  const url = new URL(origin);
  const { Agent, request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const trusted = ca === undefined ? {} : { ca: [...(await import('node:tls')).rootCertificates, ca] };
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...trusted });
  const place = { agent, hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port };
  return {
    dispatch({ method, path, headers, body, headersTimeout, bodyTimeout: own = bodyTimeout }, handler) {
      const sent = request({ ...place, method, path, headers });
      follow(sent, { body, handler, connectTimeout, headersTimeout, bodyTimeout: own });
    },
    destroy: async () => agent.destroy(),
  };
}

interface Followed {
  readonly body: string | null;
  readonly handler: AnswerHandler;
  readonly connectTimeout: number;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

/** Sends a request once it has a connection, reports its events, and aborts it after a time limit. */
function follow(sent: ClientRequest, { body, handler, ...times }: Followed): void {
  let timer: NodeJS.Timeout | undefined;
  const limit = (milliseconds: number, code: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      end(Object.assign(new Error('The time is over.'), { code }));
      sent.destroy();
    }, milliseconds);
  };
  let hasEnded = false;
  const end = (error?: Error): void => {
    clearTimeout(timer);
    if (hasEnded) return;
    hasEnded = true;
    if (error === undefined) handler.onResponseEnd();
    else handler.onResponseError(controller, likeUndici(error));
  };
  // Written only after the handshake, because otherwise TLS failures would be reported as write failures.
  const send = (): void => {
    limit(times.headersTimeout, 'UND_ERR_HEADERS_TIMEOUT');
    sent.end(body);
  };
  const waitForMore = (): void => limit(times.bodyTimeout, 'UND_ERR_BODY_TIMEOUT');
  let received: IncomingMessage | undefined;
  const controller: Controller = {
    abort: () => void sent.destroy(),
    pause: () => {
      clearTimeout(timer);
      received?.pause();
    },
    resume: () => {
      if (hasEnded || received?.isPaused() !== true) return;
      waitForMore();
      received.resume();
    },
  };
  handler.onRequestStart(controller);
  sent.on('socket', (socket) => {
    if (!socket.connecting) return send();
    limit(times.connectTimeout, 'UND_ERR_CONNECT_TIMEOUT');
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', send);
  });
  sent.on('error', end);
  sent.on('close', () => {
    // The rest of a complete answer that was paused can still be read.
    if (received?.complete !== true)
      end(Object.assign(new Error('The connection was closed.'), { code: 'UND_ERR_SOCKET' }));
  });
  sent.on('response', (answer: IncomingMessage) => {
    received = answer;
    waitForMore();
    answer.on('data', (chunk: Buffer) => {
      waitForMore();
      handler.onResponseData(controller, chunk);
    });
    answer.on('error', end);
    answer.on('end', () => end());
    handler.onResponseStart(controller, answer.statusCode ?? 0, headersOf(answer));
  });
}

/** Returns the headers in the form of undici: repeated headers are lists. */
function headersOf({ headersDistinct }: IncomingMessage): Headers {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.length === 1 ? String(values[0]) : values,
    ]),
  );
}

/** Gives an error of the Node.js client the name and code that undici uses. */
function likeUndici(error: NodeJS.ErrnoException): Error {
  const { code = '', message } = error;
  if (code === 'HPE_HEADER_OVERFLOW') return Object.assign(error, { code: 'UND_ERR_HEADERS_OVERFLOW' });
  if (code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE')
    return Object.assign(error, { name: 'HTTPParserError', code: undefined });
  // The other side closed the connection regularly, before or during its answer.
  if (message === 'socket hang up' || message === 'aborted')
    return Object.assign(error, { code: 'UND_ERR_SOCKET' });
  return error;
}
