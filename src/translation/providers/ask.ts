import type { Outgoing } from '../../core/outgoing.ts';
import { Problem } from '../../errors/problem.ts';

export interface Question {
  /** The service as a person calls it, and the variables that say where it is and with which key. */
  readonly service: string;
  readonly setting: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds that a batch may take: a language model writes slowly. */
const patience = 180_000;

/**
 * Sends JSON to a service and gives the JSON of its answer; nothing where the answer is too large or the request too long,
 * so that less is asked for. Errors name the service and the status: neither the key nor what the service says.
 */
export async function ask(
  outgoing: Outgoing,
  { service, setting, url, headers = {}, body, signal }: Question,
): Promise<unknown> {
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  } as const;
  let answer;
  try {
    answer = await outgoing({
      url,
      ...request,
      maxRedirects: 0,
      maxBytes: 4 * 2 ** 20,
      timeout: patience,
      trusted: true,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (error instanceof Problem && error.reason === 'too-large') return undefined;
    throw error;
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return readJson(answer.bytes, service);
  if (status === 413) return undefined;
  const said = `${service} answered ${status}`;
  if (status === 429)
    throw new Problem('rate-limited', `${said}: too many requests.`, {
      retryAfter: secondsOf(answer.headers['retry-after']),
    });
  if (status === 456)
    throw new Problem('rate-limited', `${said}: the quota of the key is used up.`, {
      retryAfter: 3600,
      hint: 'Raise the quota, or wait until it begins anew.',
    });
  if (status === 401 || status === 403)
    throw new Problem('unauthenticated', `${said}: it does not take the key.`, {
      hint: `Set DOCSCTL_${setting}_KEY to a key that is good there.`,
    });
  if (status === 408 || status >= 500)
    throw new Problem('unreachable', `${said}.`, { retryAfter: secondsOf(answer.headers['retry-after']) });
  if (status === 404 || (status >= 300 && status < 400))
    throw new Problem('precondition-failed', `${said}: there is no such service at that address.`, {
      hint: `Check DOCSCTL_${setting}_URL and, where there is one, DOCSCTL_${setting}_MODEL.`,
    });
  throw new Problem('precondition-failed', `${said}: it does not take the request.`, {
    hint: 'Check its model, and that it knows the languages.',
  });
}

function readJson(bytes: Uint8Array, service: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8').decode(bytes)) as unknown;
  } catch {
    throw new Problem('unreachable', `${service} answered with something that is no JSON.`, {
      hint: 'Check that the address is that of the service, not of a page about it.',
    });
  }
}

/** What Retry-After asks for; a date is not looked at. */
function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) : undefined;
}

/** The key that a variable holds, without blanks at its ends; "" where there is none. */
export function keyOf(env: Readonly<Record<string, string | undefined>>, variable: string): string {
  const key = (env[variable] ?? '').trim();
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new Problem(
    'precondition-failed',
    `${variable} holds a blank, a line break or another character that no key has.`,
    { hint: `Set ${variable} to the key alone.` },
  );
}

/** The address of an operation below the one that a variable gives. */
export function addressOf(base: string, path: string): string {
  return base.trim().replace(/\/{1,20}$/, '') + path;
}

/** A field of an answer, whatever the answer is. */
export function fieldOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string | number, unknown>)[name]
        : undefined,
    value,
  );
}

/** Texts in the place of each segment; none where their number is another. */
export function textsOf(values: unknown, count: number): readonly (string | undefined)[] {
  if (!Array.isArray(values) || values.length !== count) return [];
  return values.map((value: unknown) => (typeof value === 'string' ? value : undefined));
}
