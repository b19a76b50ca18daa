import { checkDepth } from '../contract/limits.ts';
import type { FileAnswer } from '../contract/file.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { askedWait, header, SERVER_BASE, type Failure } from './retry.ts';
import type { HttpAnswer } from './transport.ts';
import { problemFromResponse } from './problem-from-response.ts';
import { isRecord } from '../contract/values.ts';

export interface Reading {
  readonly origin: string;
  readonly now: number;
  /** Takes what is secret out of the server's words. */
  readonly mask: (text: string) => string;
}

const statusHints: Readonly<Record<number, string>> = {
  401: 'Give a token with --token-file or DOCSCTL_TOKEN.',
  429: 'Try again later, or with fewer calls at once.',
};

/** The value of an answer, or what went wrong and whether to try again. */
export function readAnswer(
  operation: Operation,
  answer: HttpAnswer,
  reading: Reading,
): { readonly value: unknown } | Failure {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) return { problem: redirected(answer, reading) };
  if (status < 300 && operation.returns.file === true) {
    const file = readFile(answer);
    return file === undefined ? { problem: foreign(answer, reading) } : { value: file };
  }
  const body = readJson(answer);
  if (status < 300)
    return fits(operation, body) ? { value: body.value } : { problem: foreign(answer, reading) };
  const problem = refusal(answer, body.value, reading);
  const again =
    status === 429 ||
    (status >= 502 && status <= 504) ||
    (status === 409 && problem.reason === 'conflict' && headers['retry-after'] !== undefined);
  if (!again) return { problem };
  const asked = askedWait(headers, reading.now);
  return asked === undefined ? { problem, base: SERVER_BASE } : { problem, base: SERVER_BASE, asked };
}

interface Json {
  /** False when there is a body that is not JSON. */
  readonly readable: boolean;
  readonly value: unknown;
}

function readJson({ status, headers, bytes }: HttpAnswer): Json {
  if (bytes.length === 0 || status === 204 || status === 205) return { readable: true, value: undefined };
  const type = header(headers, 'content-type');
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    return { readable: false, value: undefined };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    checkDepth(text);
    return { readable: true, value: JSON.parse(text) };
  } catch {
    return { readable: false, value: undefined };
  }
}

/** The file that an answer brings; undefined when it does not name one, as a page of a proxy would not. */
function readFile({ headers, bytes }: HttpAnswer): FileAnswer | undefined {
  const contentType = header(headers, 'content-type');
  const encoded = /;\s*filename\*=UTF-8''([\w.~%!#$&+^`|-]+)\s*(?:;|$)/i.exec(
    header(headers, 'content-disposition') ?? '',
  )?.[1];
  if (contentType === undefined || encoded === undefined) return undefined;
  try {
    return { name: decodeURIComponent(encoded), contentType, bytes };
  } catch {
    return undefined;
  }
}

/** A light look whether this can be the operation's answer; the whole schema would cost more than the call. */
function fits({ returns }: Operation, { readable, value }: Json): boolean {
  if (returns.item !== undefined) return isRecord(value) && Array.isArray(value['items']);
  if (value === undefined) return readable;
  return returns.schema?.['type'] !== 'object' || isRecord(value);
}

function foreign({ status, headers }: HttpAnswer, { origin }: Reading): Problem {
  const type = header(headers, 'content-type')?.slice(0, 80) ?? 'no content type';
  return new Problem('unreachable', `${origin} answered ${status} (${type}), but not as the API does.`, {
    hint: 'Check --server: it may lead to a web page, a login or a proxy.',
  });
}

function redirected({ status, headers }: HttpAnswer, { origin }: Reading): Problem {
  const location = header(headers, 'location') ?? '';
  const target = URL.canParse(location, origin) ? new URL(location, origin).origin : 'null';
  if (target === 'null' || target === origin) {
    return new Problem(
      'unreachable',
      `${origin} answered ${status} and leads elsewhere, which is not followed.`,
      { hint: 'Check the path of --server.' },
    );
  }
  return new Problem('unreachable', `${origin} leads to ${target}, which is not followed.`, {
    hint: `If you trust it, use --server ${target}.`,
  });
}

function refusal({ status, headers }: HttpAnswer, body: unknown, { origin, mask }: Reading): Problem {
  const requestId = (header(headers, 'request-id') ?? header(headers, 'x-request-id'))?.slice(0, 120);
  const cut = (text: string) => mask(text).slice(0, 1000);
  const given =
    isRecord(body) && isRecord(body['error']) && typeof body['error']['message'] === 'string'
      ? problemFromResponse(status, body, requestId)
      : undefined;
  const problem =
    given ??
    problemFromResponse(
      status,
      {
        error: { message: `${origin} answered ${status}, but not as the API does.`, hint: 'Check --server.' },
      },
      requestId,
    );
  // What an error page of somebody in between says of a bug is nothing that docsctl or the API said.
  const reason = given === undefined && problem.reason === 'unexpected' ? 'unreachable' : problem.reason;
  return new Problem(reason, cut(problem.message), {
    hint:
      cut(
        statusHints[status] !== undefined && given?.hint === undefined
          ? statusHints[status]
          : (problem.hint ?? ''),
      ) || undefined,
    violations: problem.violations
      .slice(0, 100)
      .map(({ path, message }) => ({ path: cut(path), message: cut(message) })),
    requestId: problem.requestId === undefined ? undefined : cut(problem.requestId),
  });
}
