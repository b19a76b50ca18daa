import type { Outgoing } from '../../core/outgoing.ts';
import { defined, isObject } from '../../contract/values.ts';
import { orUndefined, Problem } from '../../errors/problem.ts';

interface JsonRequest {
  readonly service: string;
  /** The part of its variable names: `DEEPL` in `DOCSCTL_DEEPL_URL`. */
  readonly setting: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Time limit of a batch in milliseconds. It is long, because language models are slow. */
const timeout = 180_000;

/**
 * Sends JSON to a service and returns the JSON of its answer. Returns undefined if the answer (4 MiB) or the request is too
 * large, so that the caller sends less. Messages name the service and the status, never the key or the answer.
 *
 * @throws Problem(rate-limited), Problem(unreachable), Problem(unauthenticated) or Problem(precondition-failed)
 */
export async function postJson(
  outgoing: Outgoing,
  { service, setting, url, headers = {}, body, signal }: JsonRequest,
): Promise<unknown> {
  const sent = outgoing({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    maxRedirects: 0,
    maxBytes: 4 * 2 ** 20,
    timeout,
    trusted: true,
    ...defined({ signal }),
  });
  const answer = await orUndefined(sent, 'too-large');
  if (answer === undefined) return undefined;
  const { status } = answer;
  if (status >= 200 && status < 300) return readJson(answer.bytes, service);
  if (status === 413) return undefined;
  const answered = `${service} answered ${status}`;
  if (status === 429)
    throw new Problem('rate-limited', `${answered}: too many requests.`, {
      retryAfter: parseRetryAfter(answer.headers['retry-after']),
    });
  if (status === 402 || status === 456)
    throw new Problem('rate-limited', `${answered}: the quota of the key is used up.`, {
      retryAfter: 3600,
      hint: 'Raise the quota, or wait until it is reset.',
    });
  if (status === 401 || status === 403)
    throw new Problem('unauthenticated', `${answered}: API key rejected.`, {
      hint: `Set DOCSCTL_${setting}_KEY to a valid key.`,
    });
  if (status === 408 || status >= 500)
    throw new Problem('unreachable', `${answered}.`, {
      retryAfter: parseRetryAfter(answer.headers['retry-after']),
    });
  if (status === 404 || (status >= 300 && status < 400))
    throw new Problem('precondition-failed', `${answered}: there is no such service at this address.`, {
      hint: `Check DOCSCTL_${setting}_URL and, if you set it, DOCSCTL_${setting}_MODEL.`,
    });
  throw new Problem('precondition-failed', `${answered}: request rejected.`, {
    hint: 'Check the model, and that the service supports both languages.',
  });
}

function readJson(bytes: Uint8Array, service: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8').decode(bytes)) as unknown;
  } catch {
    throw new Problem('unreachable', `${service} sent an answer that is not JSON.`, {
      hint: 'Check that the address leads to the API of the service.',
    });
  }
}

/** Returns the seconds of a Retry-After header; undefined for a date. */
function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined;
}

/**
 * Reads a key from a variable and trims it; '' if the variable is not set.
 *
 * @throws Problem(invalid-input) if the key contains an invalid character
 */
export function readKey(env: Readonly<Record<string, string | undefined>>, variable: string): string {
  const key = (env[variable] ?? '').trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new Problem(
    'invalid-input',
    `${variable} contains a space, a line break or another character that cannot be part of a key.`,
    { hint: `Set ${variable} to the key and nothing else.` },
  );
}

/** Joins the address of a service and a path. */
export function joinUrl(base: string, path: string): string {
  return base.trim().replace(/\/{1,20}$/, '') + path;
}

/** Returns a field of an answer of any form; undefined if it has no such field. */
export function readField(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      isObject(at) && Object.hasOwn(at, name) ? (at as Record<string | number, unknown>)[name] : undefined,
    value,
  );
}

/** Returns one text for each segment; no texts if their number differs. */
export function readTexts(values: unknown, count: number): readonly (string | undefined)[] {
  if (!Array.isArray(values) || values.length !== count) return [];
  return values.map((value: unknown) => (typeof value === 'string' ? value : undefined));
}
