import { setTimeout } from 'node:timers/promises';

/** An answer of a service that is not what was asked for. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number | undefined} status
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const attempts = 3;

/**
 * Sends a request to the API of GitHub or GitLab and returns its JSON. Waits and tries again up to two times when the
 * service is busy; a request that creates something is sent once.
 * @param {string} url
 * @param {{ readonly method?: string, readonly headers: Record<string, string>, readonly body?: unknown, readonly once?: boolean }} request
 * @returns {Promise<any>}
 * @throws {ApiError}
 */
export async function requestJson(url, { method = 'GET', headers, body, once = false }) {
  for (let attempt = 1; ; attempt++) {
    const isLast = once || attempt === attempts;
    const answer = await fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'user-agent': 'docsctl-ci',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would take the token with it.
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    }).catch((error) => new ApiError(describeFailure(error), undefined));
    if (answer instanceof ApiError) {
      if (isLast) throw answer;
      await setTimeout(attempt * 1000);
    } else if (answer.ok) return readBody(answer, `${method} ${new URL(url).pathname}`);
    else if (isLast || (answer.status !== 429 && answer.status < 500))
      throw new ApiError(
        `${method} ${new URL(url).pathname} was answered with ${answer.status}`,
        answer.status,
      );
    else await setTimeout(Math.min(30, Number(answer.headers.get('retry-after') ?? attempt) || 0) * 1000);
  }
}

/**
 * Reads an answer. A proxy may answer with a page, or end the connection early.
 * @param {Response} answer
 * @param {string} request
 * @returns {Promise<any>}
 * @throws {ApiError}
 */
async function readBody(answer, request) {
  const body = await answer.json().catch(() => undefined);
  if (typeof body === 'object' && body !== null) return body;
  throw new ApiError(`${request} was not answered with JSON`, undefined);
}

/**
 * Sends a request for a list.
 * @param {string} url
 * @param {{ readonly headers: Record<string, string> }} request
 * @returns {Promise<any[]>}
 * @throws {ApiError}
 */
export async function requestList(url, request) {
  const items = await requestJson(url, request);
  if (Array.isArray(items)) return items;
  throw new ApiError(`GET ${new URL(url).pathname} was not answered with a list`, undefined);
}

/** @param {any} error */
function describeFailure(error) {
  return String(error?.cause?.message ?? error?.message ?? error);
}
