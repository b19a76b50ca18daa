import type { OrganizationRow } from './rows/organizations.ts';
import type { SiteRow } from './rows/sites.ts';
import type { ReadTransaction } from './store.ts';

export interface PublisherRequest {
  readonly tx: ReadTransaction;
  readonly site: SiteRow;
  readonly organization: OrganizationRow;
  readonly url: (path: string) => string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The URL that the site has where it is shown; absent: links start at "/". */
  readonly address?: string | undefined;
}

export interface PathSummary {
  /** Below the address of the site, encoded. */
  readonly path: string;
  readonly kind: 'page' | 'branch' | 'file' | 'asset' | 'redirect' | 'text';
  /** A short text that differs if the answer may differ. */
  readonly key: string;
  readonly title?: string | undefined;
  /** The file in a repository that the page was imported from. */
  readonly file?: string | undefined;
  /** The title of the space of a page. */
  readonly space?: string;
  /** The title of the section that the space is in. */
  readonly section?: string | undefined;
  /** The path of the section below the address of the site, encoded. Empty, or ends with a slash. */
  readonly sectionPath?: string | undefined;
  /** The path of the space below the address of the site, encoded. Empty, or ends with a slash. */
  readonly spacePath?: string;
  readonly language?: string | undefined;
  /** Whether the table of contents leaves the page out. */
  readonly isHidden?: boolean;
  /** Whether searches find the page. */
  readonly isSearched?: boolean;
  /** The path of the page or space that visitors get at this path; absent for a page that they can open. */
  readonly coveredBy?: string | undefined;
  /** In bytes, of a file. */
  readonly size?: number;
}

export interface PathAnswer {
  readonly path: string;
  readonly status: number;
  readonly contentType?: string;
  /** Where a redirect leads: a path from the root of the host, or a URL. */
  readonly location?: string;
  readonly body: string | Uint8Array;
}

/** Answers for sites as visitors get them. Implemented in publishing, above the resources. */
export interface Publisher {
  readonly list: (request: PublisherRequest) => Promise<{
    readonly version: string;
    readonly base: string;
    readonly paths: readonly PathSummary[];
    /** The sources whose pages integrations compute: the titles of their pages and spaces. No answer has them. */
    readonly leftOut: readonly { readonly title: string; readonly space: string }[];
  }>;
  readonly read: (
    request: PublisherRequest,
    paths: readonly string[],
  ) => Promise<{ readonly version: string; readonly answers: readonly PathAnswer[] }>;
}
