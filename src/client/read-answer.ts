import { noteTag } from '../contract/entity-tag.ts';
import { parseJson } from '../contract/limits.ts';
import type { RawAnswer, StreamedAnswer } from '../contract/exchange.ts';
import type { FileAnswer } from '../contract/file.ts';
import type { Operation } from '../contract/operation.ts';
import type { TSchema } from '../contract/schema.ts';
import { Problem } from '../errors/problem.ts';
import { requestedWait, firstHeader, serverRetryBase, type Failure } from './retry.ts';
import type { HttpAnswer, HttpStream } from './exchange.ts';
import { malformedAnswerProblem } from './malformed-answer.ts';
import { problemFromResponse } from './problem-from-response.ts';
import { refusedTokenProblem } from './refused-token.ts';
import { decodePercent, defined, isRecord } from '../contract/values.ts';
import { parseUrl } from '../contract/parse-url.ts';

export interface AnswerContext {
  readonly origin: string;
  /** The path in the server's address, if any. */
  readonly path?: string;
  readonly now: number;
  /** The setting that contains the token; undefined without a token. */
  readonly tokenFrom?: string | undefined;
  /** Removes secrets from texts of the server. */
  readonly mask: (text: string) => string;
}

const statusHints: Readonly<Record<number, string>> = {
  429: 'Wait a minute, then try again.',
};

/** Returns the value of an answer, or the failure and whether to retry. */
export function readAnswer(
  operation: Operation,
  answer: HttpAnswer,
  context: AnswerContext,
): { readonly value: unknown } | Failure {
  const { status } = answer;
  if (status >= 300 && status < 400) return { problem: redirectProblem(answer, context) };
  if (status < 300 && operation.returns.file === true) {
    const file = readFile(answer);
    return file === undefined ? { problem: foreignAnswerProblem(answer, context) } : { value: file };
  }
  const body = readJson(answer);
  if (status < 300) {
    if (!body.isReadable) return { problem: foreignAnswerProblem(answer, context) };
    if (!isExpectedAnswer(operation, body.value))
      return { problem: malformedAnswerProblem(operation, { place: context.origin }) };
    const tag = firstHeader(answer.headers, 'etag');
    // A proxy may have made the tag weak, which If-Match does not accept.
    if (operation.method === 'GET' && tag?.startsWith('"') === true) noteTag(body.value, () => tag);
    return { value: body.value };
  }
  return failureOf(answer, body.value, context);
}

/** Returns the answer to a raw request. Every success is a value. */
export function readRawAnswer(
  answer: HttpAnswer,
  context: AnswerContext,
): { readonly value: RawAnswer } | Failure {
  const { status, headers, bytes } = answer;
  const contentType = firstHeader(headers, 'content-type');
  return status < 300
    ? { value: { status, contentType, fileName: readFile(answer)?.name, bytes } }
    : readFailure(answer, context);
}

/** Returns the answer to a stream request. The body of a failed request was read completely. */
export function readStream(
  answer: HttpStream | HttpAnswer,
  context: AnswerContext,
): { readonly value: StreamedAnswer & Pick<HttpStream, 'body'> } | Failure {
  if ('body' in answer)
    return { value: { contentType: firstHeader(answer.headers, 'content-type'), body: answer.body } };
  return readFailure(answer, context);
}

function readFailure(answer: HttpAnswer, context: AnswerContext): Failure {
  return answer.status < 400
    ? { problem: redirectProblem(answer, context) }
    : failureOf(answer, readJson(answer).value, context);
}

/** Returns the failure of an answer, with the server's information about retries. */
function failureOf(answer: HttpAnswer, body: unknown, context: AnswerContext): Failure {
  const { status, headers } = answer;
  const problem = problemFromAnswer(answer, body, context);
  const isRetryable =
    status === 429 ||
    (status >= 502 && status <= 504 && problem.reason !== 'script-failed') ||
    (status === 409 && problem.reason === 'conflict' && headers['retry-after'] !== undefined);
  if (!isRetryable) return { problem };
  return defined({
    problem,
    retryBase: serverRetryBase,
    requestedWait: requestedWait(headers, context.now),
  });
}

interface JsonBody {
  readonly isReadable: boolean;
  readonly value: unknown;
}

function readJson({ status, headers, bytes }: HttpAnswer): JsonBody {
  if (bytes.length === 0 || status === 204 || status === 205) return { isReadable: true, value: undefined };
  const type = firstHeader(headers, 'content-type');
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    return { isReadable: false, value: undefined };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { isReadable: true, value: parseJson(text) };
  } catch {
    return { isReadable: false, value: undefined };
  }
}

/** Returns the file of an answer; undefined if it has no file name, like the page of a proxy. */
function readFile({ headers, bytes }: HttpAnswer): FileAnswer | undefined {
  const contentType = firstHeader(headers, 'content-type');
  const encoded = /;\s*filename\*=UTF-8''([\w.~%!#$&+^`|-]+)\s*(?:;|$)/i.exec(
    firstHeader(headers, 'content-disposition') ?? '',
  )?.[1];
  const name = encoded === undefined ? undefined : decodePercent(encoded);
  const hash = /^"([\da-f]{64})"$/.exec(firstHeader(headers, 'etag') ?? '')?.[1];
  return contentType === undefined || name === undefined
    ? undefined
    : { name, contentType, bytes, ...defined({ hash }) };
}

/** Checks roughly whether this is an answer of the operation. Checking the whole schema would take longer than the call. */
function isExpectedAnswer({ returns }: Operation, value: unknown): boolean {
  const { item, schema } = returns;
  if (item !== undefined)
    return (
      isRecord(value) && Array.isArray(value['items']) && value['items'].every((one) => isLike(item, one))
    );
  return value === undefined || schema === undefined || isLike(schema, value);
}

/** Whether a value probably belongs to a schema: an object has at least one of the required fields. */
function isLike({ type, required = [] }: TSchema, value: unknown): boolean {
  if (type !== 'object') return true;
  const names = required as readonly string[];
  return isRecord(value) && (names.length === 0 || names.some((name) => value[name] !== undefined));
}

function foreignAnswerProblem({ status, headers }: HttpAnswer, { origin }: AnswerContext): Problem {
  const type = firstHeader(headers, 'content-type')?.slice(0, 80) ?? 'no content type';
  return new Problem(
    'unreachable',
    `${origin} answered with HTTP status ${status} (${type}), which is not a response from the docsctl API.`,
    {
      hint: 'Check the address of the server: it may lead to a web page, a login or a proxy.',
    },
  );
}

function redirectProblem({ status, headers }: HttpAnswer, { origin }: AnswerContext): Problem {
  const location = firstHeader(headers, 'location') ?? '';
  const target = parseUrl(location, origin)?.origin ?? 'null';
  if (target === 'null' || target === origin) {
    return new Problem(
      'unreachable',
      `${origin} answered with HTTP status ${status} and a redirect, which docsctl does not follow.`,
      { hint: 'Check the path in the address of the server.' },
    );
  }
  return new Problem('unreachable', `${origin} redirects to ${target}, which docsctl does not follow.`, {
    hint: `If you trust ${target}, use it instead: --server ${target}.`,
  });
}

function problemFromAnswer(
  { status, headers }: HttpAnswer,
  body: unknown,
  { origin, path: basePath = '', mask, tokenFrom }: AnswerContext,
): Problem {
  const requestId = (firstHeader(headers, 'request-id') ?? firstHeader(headers, 'x-request-id'))?.slice(
    0,
    120,
  );
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
        error: {
          message: `${origin} answered with HTTP status ${status}, which is not a response from the docsctl API.`,
          hint:
            status === 404
              ? 'Check the address of the server: it may be the address of its published sites, or of another program.'
              : 'Check the address of the server.',
        },
      },
      requestId,
    );
  if (basePath !== '' && given?.violations.some(({ path }) => path === '/path') === true)
    return new Problem('unreachable', `${origin}${basePath} is not the address of a docsctl API.`, {
      hint: `Leave out the path ${basePath}, unless a proxy adds it.`,
      requestId,
      cause: given,
    });
  // If another server answered, a status 404 does not mean that the resource is missing, and 500 is not a bug of docsctl.
  const isForeign = given === undefined && /^(?:not-found|unexpected)$/.test(problem.reason);
  const reason = isForeign ? 'unreachable' : problem.reason;
  const read = new Problem(reason, cut(problem.message), {
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
  return reason === 'unauthenticated' ? refusedTokenProblem(read, { origin, from: tokenFrom }) : read;
}
