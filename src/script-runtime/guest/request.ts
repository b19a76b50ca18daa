import { Body } from './body.ts';
import { AbortSignal } from './events.ts';
import { URL } from './url.ts';

interface RequestOptions {
  readonly method?: string;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly redirect?: string;
  readonly signal?: AbortSignal | null;
}

const methods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/** `Request` of the Fetch standard. Credentials, caches and modes have no effect here. */
export class Request extends Body {
  readonly url: string;
  readonly method: string;
  readonly redirect: string;
  readonly signal: AbortSignal;
  constructor(input: unknown, options: RequestOptions = {}) {
    const from = input instanceof Request ? input : undefined;
    const given = String(options.method ?? from?.method ?? 'GET');
    const method = methods.has(given.toUpperCase()) ? given.toUpperCase() : given;
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(method) || ['CONNECT', 'TRACE', 'TRACK'].includes(method))
      throw new TypeError(`'${method}' is not a valid HTTP method.`);
    const isBodyless = method === 'GET' || method === 'HEAD';
    if (isBodyless && options.body !== undefined && options.body !== null)
      throw new TypeError('Request with GET/HEAD method cannot have body.');
    const body = options.body ?? (isBodyless ? null : from?.shareBody());
    super(body, options.headers ?? from?.headers);
    this.url = from === undefined ? new URL(input as string).href : from.url;
    this.method = method;
    this.redirect = options.redirect ?? from?.redirect ?? 'follow';
    this.signal = options.signal ?? from?.signal ?? new AbortSignal();
  }
  clone(): Request {
    return new Request(this);
  }
}
