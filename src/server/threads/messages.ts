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

/** The body of a request that was not read yet, because that takes long. */
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
  /** Stands for the body of the input. */
  readonly unread: UnreadBody | undefined;
  readonly credential: Credential;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
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

/** What is sent to a thread. `id` joins a request and what comes back. */
export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly call: ThreadCall }
  | { readonly kind: 'job'; readonly id: number; readonly job: ThreadJob }
  | { readonly kind: 'site'; readonly id: number; readonly call: SiteCall }
  | { readonly kind: 'markdown'; readonly id: number; readonly markdown: string }
  | { readonly kind: 'abort'; readonly id: number }
  /** The thread may write now, until it says that it has written. */
  | { readonly kind: 'turn'; readonly id: number }
  | { readonly kind: 'close' };

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ThreadAnswer }
  | { readonly kind: 'event'; readonly id: number; readonly event: WorkEvent; readonly problem?: SentProblem }
  | { readonly kind: 'problem'; readonly id: number; readonly problem: SentProblem }
  | { readonly kind: 'fault'; readonly id: number; readonly message: string; readonly stack: string }
  /** It wants to write. */
  | { readonly kind: 'write'; readonly id: number }
  | { readonly kind: 'written'; readonly id: number };

interface SentProblem extends Omit<ProblemOptions, 'cause'> {
  readonly reason: Reason;
  readonly message: string;
  readonly stack: string | undefined;
}

/** Returns a Problem as plain data. */
export function toSentProblem(problem: Problem): SentProblem {
  const { reason, message, hint, violations, requestId, retryAfter, stack } = problem;
  return { reason, message, hint, violations, requestId, retryAfter, stack };
}

/** Returns the Problem that was sent. */
export function problemOf({ reason, message, stack, ...options }: SentProblem): Problem {
  const problem = new Problem(reason, message, options);
  // That of the thread, which says where it was thrown.
  if (stack !== undefined) problem.stack = stack;
  return problem;
}
