import type { WorkEvent } from '../../contract/api.ts';
import type { FileAnswer } from '../../contract/file.ts';
import type { CallSource } from '../../core/audit/record-call.ts';
import type { Credential } from '../../core/callers.ts';
import type { JobRow } from '../../core/rows/jobs.ts';
import type { Reason } from '../../errors/catalog.ts';
import { Problem, type ProblemOptions } from '../../errors/problem.ts';
import type { SiteAnswer, SiteRequest } from '../../publishing/site-request.ts';
import type { EncodedJson } from './encode-json.ts';

export interface ThreadData {
  readonly storeUrl: string;
  readonly publicUrl: string;
  readonly sitesUrl: string | undefined;
  readonly caFile: { readonly value: string; readonly from: string } | undefined;
  readonly cwd: string;
  readonly version: string;
}

/** The body of a request that is not parsed yet, because parsing takes long. */
interface UnreadBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Maximum number of JSON values in it. */
  readonly nodes: number;
}

/** A call of an operation, as plain data. */
export interface ThreadCall {
  readonly operation: string;
  readonly input: { readonly params: object; readonly query: object; readonly body: unknown };
  /** The unparsed body, in place of the body in `input`. */
  readonly unread: UnreadBody | undefined;
  readonly credential: Credential;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly source: CallSource;
}

export interface ThreadJob {
  readonly row: JobRow;
  readonly maxScrubSize: number;
}

export interface SiteCall {
  readonly request: Omit<SiteRequest, 'query'>;
  readonly query: string;
  readonly counts: boolean;
  /** Milliseconds, as in `answerSite`. */
  readonly maxWait: number;
  readonly scriptWait: number;
}

/** The answer to a call: JSON, a file, or nothing. Markdown becomes the JSON of a document. */
export interface ThreadAnswer {
  readonly json?: EncodedJson;
  readonly file?: FileAnswer;
  readonly document?: string;
  readonly site?: SiteAnswer;
}

/** Messages to a thread. `id` connects a request with its replies. */
export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly call: ThreadCall }
  | { readonly kind: 'job'; readonly id: number; readonly job: ThreadJob }
  | { readonly kind: 'site'; readonly id: number; readonly call: SiteCall }
  | { readonly kind: 'markdown'; readonly id: number; readonly markdown: string }
  | { readonly kind: 'abort'; readonly id: number }
  /** The thread may write now, until it reports that it has written. */
  | { readonly kind: 'turn'; readonly id: number }
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ThreadAnswer }
  | { readonly kind: 'event'; readonly id: number; readonly event: WorkEvent; readonly problem?: SentProblem }
  | { readonly kind: 'problem'; readonly id: number; readonly problem: SentProblem }
  | { readonly kind: 'fault'; readonly id: number; readonly message: string; readonly stack: string }
  /** The thread wants to write. */
  | { readonly kind: 'write'; readonly id: number }
  | { readonly kind: 'written'; readonly id: number };

interface SentProblem extends Omit<ProblemOptions, 'cause'> {
  readonly reason: Reason;
  readonly message: string;
  readonly stack: string | undefined;
}

/** Converts a Problem to plain data. */
export function toSentProblem(problem: Problem): SentProblem {
  const { reason, message, hint, violations, requestId, retryAfter, stack } = problem;
  return { reason, message, hint, violations, requestId, retryAfter, stack };
}

/** Converts plain data back to the Problem. */
export function problemOf({ reason, message, stack, ...options }: SentProblem): Problem {
  const problem = new Problem(reason, message, options);
  // Keeps the stack of the thread, which shows where it was thrown.
  if (stack !== undefined) problem.stack = stack;
  return problem;
}
