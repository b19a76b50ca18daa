import type { OrganizationRow } from './rows/organizations.ts';
import type { SiteRow } from './rows/sites.ts';
import type { ReadTransaction } from './store.ts';

export interface PublisherRequest {
  readonly tx: ReadTransaction;
  readonly site: SiteRow;
  readonly organization: OrganizationRow;
  readonly url: (path: string) => string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The URL at which the site is shown. Absent: links start with "/". */
  readonly address?: string | undefined;
}

export interface PathSummary {
  /** The encoded path below the address of the site. */
  readonly path: string;
  readonly kind: 'page' | 'branch' | 'file' | 'asset' | 'redirect' | 'text';
  /** A short text that changes when the answer may change. */
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
  /** Set if another page or space takes precedence at this path: its path below the address of the site. */
  readonly coveredBy?: string | undefined;
  /** The size of a file in bytes. */
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
    /**
     * The content sources of integrations: the title of the page that refers to each, and of its space. Their pages are left out.
     */
    readonly leftOut: readonly { readonly title: string; readonly space: string }[];
  }>;
  readonly read: (
    request: PublisherRequest,
    paths: readonly string[],
  ) => Promise<{ readonly version: string; readonly answers: readonly PathAnswer[] }>;
}
