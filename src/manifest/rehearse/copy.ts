import type { Api } from '../../contract/api.ts';

/** A core in memory with one organization: nothing of it is kept, and it asks nobody outside. */
export interface Copy {
  /** May do everything. */
  readonly owner: Api;
  /** May do what a member may. */
  as(email: string): Api;
  close(): Promise<void>;
}

/** Who administers a copy when it is opened. */
export interface CopyFounder {
  readonly title: string;
  readonly email: string;
}

/** Makes a copy with an organization and its administrator, in this order; `nextId` says which id is given next, undefined: any. */
export type OpenCopy = (founder: CopyFounder, nextId: () => string | undefined) => Promise<Copy>;

/** What is live and not in a copy. */
export interface NotCopied {
  /** In the words of a manifest, such as `saml` or `site.adaptive`, or `member`. */
  readonly kind: string;
  /** None: all of them. */
  readonly names: readonly string[];
  readonly why: string;
}

/** Collects what could not be copied; what has the same reason is told together. */
export class Omissions {
  readonly #found = new Map<
    string,
    { readonly kind: string; readonly names: string[]; readonly why: string }
  >();

  /** Without a name: all of the kind. */
  add(kind: string, name: string | undefined, why: string): void {
    const key = `${kind}\n${why}`;
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { kind, names: name === undefined ? [] : [name], why });
    else if (name !== undefined) known.names.push(name);
  }

  get all(): readonly NotCopied[] {
    return [...this.#found.values()];
  }
}
