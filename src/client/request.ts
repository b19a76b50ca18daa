import { invalid, Problem } from '../errors/problem.ts';
import type { InputOf, Operation, PathParams } from '../contract/operation.ts';
import { parseUrl } from '../contract/parse-url.ts';

/** The origin of a server and the prefix of its paths, such as `/v1` or `/docs/v1`. */
interface ServerAddress {
  readonly origin: string;
  readonly prefix: string;
}

/**
 * Parses a base URL, with or without `/v1` at its end. `from` is the setting that contains it, for errors.
 *
 * @throws Problem(invalid-input)
 */
export function readServer(server: string, from?: string): ServerAddress {
  const url = parseUrl(server);
  const address = from === undefined ? 'The server address' : `The server address (from ${from})`;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The message repeats only text that looks like a host, because the value may be a token by mistake.
    const [host] =
      /^(?:localhost|(?:[a-z\d-]+\.)+[a-z\d-]+)(?::\d+)?(?=\/|$)/.exec(server.slice(0, 100)) ?? [];
    const [, port] = /^https?:\/\/[\w.-]+:(\d{1,20})(?:\/|$)/i.exec(server) ?? [];
    if (port !== undefined)
      throw new Problem('invalid-input', `${address} has the port ${port}, but ports go up to 65535.`, {
        hint: 'Correct the port.',
      });
    throw new Problem('invalid-input', `${address} is not an http or https URL.`, {
      hint:
        host === undefined
          ? 'Use an address such as https://docs.example.com.'
          : `Begin it with the protocol: ${/^(?:localhost|127\.)/.test(host) ? 'http' : 'https'}://${host}`,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('invalid-input', `${address} must not contain a user name or password.`, {
      hint: 'Remove it, and put a token into DOCSCTL_TOKEN or --token-file.',
    });
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Problem('invalid-input', `${address} must not have a query or a fragment.`, {
      hint: 'Remove the part from the "?" or "#" on.',
    });
  }
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return { origin: url.origin, prefix: path.endsWith('/v1') ? path : `${path}/v1` };
}

/** Whether an origin is on this machine. */
export function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Returns the path and query of a call. @throws Problem(invalid-input) for a value that a URL cannot contain */
export function requestPath<O extends Operation>(operation: O, input: InputOf<O>): string {
  const params: PathParams = input.params ?? {};
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => segment(name, params[name]));
  return `${path}${queryText(input.query)}`;
}

/** Returns the query of a call with its question mark; empty for none. @throws Problem(invalid-input) */
export function queryText(query: object = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null)
        parts.push(`${name}=${encode(`/query/${name}`, String(item))}`);
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function segment(name: string, value: string | undefined): string {
  // A dot segment would be resolved on the way, and then name another resource.
  if (value === undefined || value === '' || value === '.' || value === '..')
    throw invalid(`/params/${name}`, `${name} is missing or is not a valid ID.`);
  return encode(`/params/${name}`, value);
}

function encode(path: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw invalid(path, 'The text is not valid Unicode.');
  }
}
