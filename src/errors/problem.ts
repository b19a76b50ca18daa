import { catalog, type Reason } from './catalog.ts';

/** One thing wrong with one place of the input; `path` is a JSON pointer such as `/body/title`. */
export interface Violation {
  readonly path: string;
  readonly message: string;
  /** The option of a command that gave the value, such as `--title`, or the place of the value in it or in a file. */
  readonly option?: string;
}

export interface ProblemOptions {
  /** What to do next, one sentence. */
  readonly hint?: string | undefined;
  readonly violations?: readonly Violation[] | undefined;
  readonly requestId?: string | undefined;
  /** Seconds to wait before trying again. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** The body of every error answer, on HTTP and on stderr with `-o json`. */
export interface ProblemBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly reason: string;
    readonly hint?: string;
    readonly violations?: readonly Violation[];
    readonly requestId?: string;
  };
}

/** The only expected error: what happened, where, and what to do next. Anything else thrown is a bug. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly reason: Reason;
  readonly hint: string | undefined;
  readonly violations: readonly Violation[];
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  /** The operation whose call failed, in a command. */
  operationId?: string;

  constructor(reason: Reason, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.hint = options.hint;
    this.violations = options.violations ?? [];
    this.requestId = options.requestId;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return catalog[this.reason].status;
  }

  get exitCode(): number {
    return catalog[this.reason].exit;
  }

  /** Returns this problem with another hint. */
  withHint(hint: string): Problem {
    return this.with({ hint });
  }

  /** Returns this problem with another reason, message, hint or violations. */
  with({
    reason = this.reason,
    message = this.message,
    hint = this.hint,
    violations = this.violations,
  }: Partial<Pick<Problem, 'reason' | 'message' | 'hint' | 'violations'>>): Problem {
    const { requestId, retryAfter, operationId } = this;
    const changed = new Problem(reason, message, { hint, violations, requestId, retryAfter, cause: this });
    return operationId === undefined ? changed : Object.assign(changed, { operationId });
  }

  toJSON(): ProblemBody {
    return {
      error: {
        code: this.status,
        message: this.message,
        reason: this.reason,
        ...(this.hint === undefined ? {} : { hint: this.hint }),
        ...(this.violations.length === 0 ? {} : { violations: this.violations }),
        ...(this.requestId === undefined ? {} : { requestId: this.requestId }),
      },
    };
  }
}

/** A violation as a sentence without its full stop: `a.md does not exist`, or `a.yaml:2:1: "x" is not a known field`. */
export function withPath({ path, message }: Violation): string {
  const isPredicate = !/:\d+$/.test(path) && /^(is|does|has|contains|matches|cannot|must) /.test(message);
  return `${path}${isPredicate ? '' : ':'} ${message}`;
}

/** Whether an error is a Problem with one of these reasons. */
export function isProblem(error: unknown, ...reasons: readonly Reason[]): error is Problem {
  return error instanceof Problem && reasons.includes(error.reason);
}

/** Returns a problem with other texts: the message, the hint, and the messages of violations. */
export function withTexts(problem: Problem, change: (text: string) => string): Problem {
  const { message, hint, violations } = problem;
  return problem.with({
    message: change(message),
    hint: hint === undefined ? undefined : change(hint),
    violations: violations.map((violation) => ({ ...violation, message: change(violation.message) })),
  });
}

/** Returns what work gives; undefined if it fails with one of these reasons. */
export async function orUndefined<T>(
  work: Promise<T>,
  ...reasons: readonly Reason[]
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isProblem(error, ...reasons)) return undefined;
    throw error;
  }
}

/** What the first letters of an ID say that it is the ID of. */
const idWords: Readonly<Record<string, string>> = {
  org: 'an organization', spc: 'a space', col: 'a collection', site: 'a site', team: 'a team', cr: 'a change request',
}; // prettier-ignore

/** Returns Problem(not-found) for a resource that does not exist or that the caller may not see. */
export function notFound(kind: string, id: string): Problem {
  const [, start = ''] = /^([a-z]+)_[0-9A-Z]{26}$/.exec(id) ?? [];
  const other = Object.hasOwn(idWords, start) ? idWords[start] : undefined;
  if (other !== undefined && !other.endsWith(` ${kind}`))
    return new Problem(
      'not-found',
      `"${id}" is the ID of ${other}, and not of ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}.`,
    );
  return new Problem('not-found', `There is no ${kind} "${id.slice(0, 120)}" that you can see.`);
}

/** Returns Problem(invalid-input) for one value. `path` is the JSON pointer of the value in the input. */
export function invalid(path: string, message: string, hint?: string): Problem {
  return new Problem('invalid-input', message, { violations: [{ path, message }], hint });
}
