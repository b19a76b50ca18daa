import { getOrInsert } from '../../contract/values.ts';
import type { Api } from '../../contract/api.ts';
import { isProblem, Problem } from '../../errors/problem.ts';

/** A temporary store in memory with one organization. It does not contact other services. */
export interface Copy {
  readonly owner: Api;
  as(email: string): Api;
  close(): Promise<void>;
}

export interface CopyFounder {
  readonly title: string;
  readonly email: string;
}

/** Creates a copy with an administrator and an organization, in this order. `nextId` returns their IDs. */
export type OpenCopy = (founder: CopyFounder, nextId: () => string | undefined) => Promise<Copy>;

/** A queue of the IDs that a store assigns next, so that a copy has the IDs of the live organization. */
export class IdQueue {
  #waiting: (string | undefined)[] = [];

  /** Removes and returns the next ID; undefined: any ID may be used. */
  next(): string | undefined {
    return this.#waiting.shift();
  }

  /** Runs work that creates resources with these IDs first. No other work may create IDs meanwhile. */
  async withIds<T>(ids: readonly (string | undefined)[], work: () => Promise<T>): Promise<T> {
    this.#waiting = [...ids];
    try {
      return await work();
    } finally {
      this.#waiting = [];
    }
  }
}

export interface NotCopied {
  /** A kind, a field such as `site.adaptive`, or `member`. */
  readonly kind: string;
  /** Empty: all of them. */
  readonly names: readonly string[];
  readonly why: string;
}

/** Collects the resources that could not be copied, by kind and reason. */
export class Omissions {
  readonly #found = new Map<string, NotCopied & { readonly names: string[] }>();

  /** Adds a resource, or all resources of the kind without a name. Rethrows errors that are not a Problem. */
  add(kind: string, name: string | undefined, error: unknown): void {
    if (!(error instanceof Problem)) throw error;
    const key = `${kind}\n${error.message}`;
    const found = getOrInsert(this.#found, key, () => ({ kind, names: [], why: error.message }));
    if (name !== undefined) found.names.push(name);
  }

  /** Waits for a read. If the caller may not see the data, it is recorded as omitted. @throws Problem(not-implemented) then */
  async unlessForbidden<T>(what: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!isProblem(error, 'forbidden')) throw error;
      this.add(what, undefined, error);
      throw new Problem('not-implemented', error.message, { cause: error });
    }
  }

  get all(): readonly NotCopied[] {
    return [...this.#found.values()];
  }
}

interface ReadOnlyApi extends Api {
  readonly callCount: () => number;
}

/** Wraps an Api so that it allows only reads, and sends each read once. So a rehearsal sees one state, as far as possible. */
export function readOnlyApi(api: Api): ReadOnlyApi {
  const answers = new Map<string, Promise<unknown>>();
  const call: Api['call'] = (operation, input, options) => {
    if (operation.method !== 'GET')
      return Promise.reject(new Error(`a rehearsal would have sent ${operation.id}`));
    const key = JSON.stringify([operation.id, input]);
    const answer = getOrInsert(answers, key, () => api.call(operation, input, options));
    return answer as never;
  };
  return { place: api.place, call, close: () => api.close(), callCount: () => answers.size };
}
