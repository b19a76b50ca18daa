import { isObject } from '../contract/values.ts';
import type { Api } from '../contract/api.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { requestPath } from './request.ts';

interface ObserveOptions {
  /** The base of the reported URLs. */
  readonly base: string;
  readonly clock: () => number;
  readonly onExchange: (exchange: Exchange) => void;
}

/** Wraps the Api of an embedded store. Reports its calls as the requests that a server would get. */
export function observedApi(api: Api, { base, clock, onExchange }: ObserveOptions): Api {
  const call: Api['call'] = async (operation, input, options) => {
    const startedAt = clock();
    const report = (status: number, answer: unknown): void => {
      const { contentType, bytes } = bodyOf(operation, answer);
      onExchange({
        method: operation.method,
        url: `${base}/v1${requestPath(operation, input)}`,
        requestHeaders: { accept: 'application/json' },
        requestBody: input.body === undefined ? undefined : JSON.stringify(input.body),
        startedAt,
        milliseconds: clock() - startedAt,
        status,
        responseHeaders: { 'content-type': contentType },
        responseBody: bytes,
        requestId: undefined,
        failure: undefined,
      });
    };
    try {
      const answer = await api.call(operation, input, options);
      report(operation.returns.status, answer);
      return answer;
    } catch (error) {
      if (error instanceof Problem) report(error.status, error.toJSON());
      throw error;
    }
  };
  return { ...api, call };
}

function bodyOf(
  { returns }: Operation,
  answer: unknown,
): { readonly contentType: string; readonly bytes: Uint8Array } {
  const isFile = returns.file === true && isObject(answer) && 'bytes' in answer;
  if (isFile) {
    const { contentType, bytes } = answer as { contentType: string; bytes: Uint8Array };
    return { contentType, bytes };
  }
  const text = answer === undefined ? '' : JSON.stringify(answer);
  return { contentType: 'application/json', bytes: Buffer.from(text) };
}
