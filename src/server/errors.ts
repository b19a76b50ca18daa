import { isObject } from '../contract/values.ts';
import { reasonForStatus, type Reason } from '../errors/catalog.ts';
import { Problem, type ProblemBody } from '../errors/problem.ts';

/** The error answer to a request. */
export interface Refusal {
  readonly problem: Problem;
  /** The HTTP status, which may differ from that of the reason in the catalog. */
  readonly status: number;
  /** Whether the error is a fault of the server. Its stack is logged. */
  readonly isFault: boolean;
}

/** Returns the body of an error answer. All error bodies are created here. */
export function errorBody({ problem, status }: Refusal, requestId: string): ProblemBody {
  return { error: { ...problem.toJSON().error, code: status, requestId } };
}

/** Returns the Problem for a path that does not exist, or that the caller must not know about. */
export function nothingHere(): Problem {
  const message = 'There is nothing at this path.';
  return new Problem('not-found', message, {
    hint: 'GET /openapi.json lists all paths.',
    // It shows clients that the operation is missing, not a resource.
    violations: [{ path: '/path', message }],
  });
}

/** Returns a refusal with a status that the catalog of reasons does not distinguish, such as 431. */
export function refuse(status: number, message: string, hint?: string): Refusal {
  return {
    problem: new Problem(reasons[status] ?? reasonForStatus(status), message, { hint }),
    status,
    isFault: false,
  };
}

const reasons: Readonly<Record<number, Reason>> = {
  405: 'method-not-allowed',
  415: 'unsupported-media',
  431: 'too-large',
};

/** Converts anything that was thrown to a refusal without internal details. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Problem) return problemRefusal(error);
  const { code, statusCode } = (isObject(error) ? error : {}) as {
    code?: unknown;
    statusCode?: unknown;
  };
  const frameworkRefusal = typeof code === 'string' ? frameworkRefusals[code] : undefined;
  if (frameworkRefusal !== undefined) return refuse(...frameworkRefusal);
  if (
    typeof code === 'string' &&
    code.startsWith('FST_ERR_') &&
    typeof statusCode === 'number' &&
    statusCode >= 400 &&
    statusCode < 500
  ) {
    return refuse(statusCode, 'The server does not understand the request.');
  }
  // The client closed the connection while it was sending, or before its answer was sent. This is not a fault of the server.
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE')
    return refuse(400, 'The connection was closed before the request was complete.');
  return {
    problem: new Problem('unexpected', 'The server failed because of an error in docsctl.', {
      hint: 'Report the request ID to the operator of the server.',
    }),
    status: 500,
    isFault: true,
  };
}

function problemRefusal(problem: Problem): Refusal {
  const { status, retryAfter } = problem;
  if (problem.reason === 'store-busy' || problem.reason === 'store-failed') {
    // The original message contains the path of the store, which only the log may show.
    const message = problem.reason === 'store-busy' ? 'The store is busy.' : 'The store failed.';
    return {
      problem: new Problem(problem.reason, message, {
        hint: 'Try again. If it fails again, report the request ID to the operator of the server.',
        retryAfter,
      }),
      // A transient failure, such as a full disk, has a time after which to retry.
      status: retryAfter === undefined ? status : 503,
      isFault: problem.reason === 'store-failed',
    };
  }
  // This reason has an exit code but no HTTP error status. A handler that throws it has a bug.
  if (status < 400) return { problem, status: 500, isFault: true };
  return { problem, status, isFault: status === 500 };
}

const frameworkRefusals: Readonly<Record<string, readonly [status: number, message: string, hint?: string]>> =
  {
    FST_ERR_BAD_URL: [400, 'The path is not valid.', 'Percent-encode it as UTF-8.'],
    FST_ERR_MAX_PARAM_LENGTH: [404, 'There is nothing at this path: a part of it is too long to be an ID.'],
    FST_ERR_CTP_BODY_TOO_LARGE: [
      413,
      'The body is larger than this operation allows.',
      'Split it into smaller requests.',
    ],
    FST_ERR_CTP_INVALID_MEDIA_TYPE: [
      415,
      'The Content-Type of the body is not JSON.',
      'Send "Content-Type: application/json".',
    ],
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The length of the body differs from its Content-Length.'],
  };
