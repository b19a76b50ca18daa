import { reasonForStatus, type Reason } from '../errors/catalog.ts';
import { Problem, type ProblemBody } from '../errors/problem.ts';

/** The answer to an error: the Problem, and its status where it differs from the catalog. */
export interface Refusal {
  readonly problem: Problem;
  readonly status: number;
  /** A fault of ours: its stack belongs into the log. */
  readonly isFault: boolean;
}

/** The one maker of error bodies. */
export function errorBody(
  { problem, status }: Pick<Refusal, 'problem' | 'status'>,
  requestId: string,
): ProblemBody {
  return { error: { ...problem.toJSON().error, code: status, requestId } };
}

/** A refusal with a status of its own, for what HTTP tells apart and the catalogue does not. */
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

/** Turns whatever was thrown into what may be said about it. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Problem) return problemRefusal(error);
  const { code, statusCode } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    statusCode?: unknown;
  };
  const known = typeof code === 'string' ? frameworkRefusals[code] : undefined;
  if (known !== undefined) return refuse(...known);
  if (
    typeof code === 'string' &&
    code.startsWith('FST_ERR_') &&
    typeof statusCode === 'number' &&
    statusCode >= 400 &&
    statusCode < 500
  ) {
    return refuse(statusCode, 'The server does not understand the request.');
  }
  // The client went away while it was sending: there is nobody to answer, and nothing to repair.
  if (code === 'ECONNRESET') return refuse(400, 'The connection was closed before the request was complete.');
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
    // Its own words name the path of the store, which is for the log only.
    const said = problem.reason === 'store-busy' ? 'The store is busy.' : 'The store failed.';
    return {
      problem: new Problem(problem.reason, said, {
        hint: 'Try again. If it fails again, report the request ID to the operator of the server.',
        retryAfter,
      }),
      status,
      isFault: problem.reason === 'store-failed',
    };
  }
  // Reasons that are for exit codes only: no handler has a use for them.
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
    FST_ERR_CTP_INVALID_JSON_BODY: [400, 'The body is not valid JSON.'],
  };
