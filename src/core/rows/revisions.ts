import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/**
 * The index of the links of a revision: the root of the trie of each kind of entries, and the numbers of all and of
 * broken links.
 */
export interface RevisionLinks {
  readonly roots: Readonly<Record<string, string>>;
  readonly total: number;
  /** The number of links whose page or file does not exist. */
  readonly broken: number;
  /** The number of links whose page exists, but not its anchor. */
  readonly missingAnchors?: number;
  /** The specification that each page of the type computed was generated from, by the ID of the page. */
  readonly generated?: Readonly<Record<string, GeneratedFrom>>;
  /** The version of the index. Absent in the first version, which has no anchors. */
  readonly version?: number;
}

export interface GeneratedFrom {
  readonly spec: string;
  /** The hash of the text; null if the specification had no text; absent if the pages are not generated yet. */
  readonly text?: string | null;
}

export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update';

export interface RevisionCommit {
  readonly oid: string;
  readonly message: string;
  /** Whether an export made the commit. The name comes from the API. */
  readonly createdByGitBook: boolean;
  readonly url?: string;
  /** The full name of the branch. */
  readonly ref: string;
}

/** One state of a space's content. Revisions with the same root have the same content. */
export interface RevisionRow {
  readonly id: string;
  readonly space: string;
  readonly parents: readonly string[];
  readonly root: string;
  /** Root of the trie that lists the pages under each page. */
  readonly children: string;
  /** The index of its links. Only revisions that were the content of a space have one. */
  readonly links?: RevisionLinks;
  /** The IDs of its pages of the type computed; absent if it has none. */
  readonly computed?: readonly string[];
  readonly type: RevisionType;
  readonly mergedFrom?: string;
  /** The commit that it was imported from or exported to. */
  readonly git?: RevisionCommit;
  readonly createdAt: string;
  readonly createdBy: string;
  /** The number of all pages, with groups and links. */
  readonly pages: number;
  /** The number of pages without groups and links. Absent in old revisions. */
  readonly documents?: number;
  readonly files: number;
}
export const revisions = audited(
  table<RevisionRow>()('revisions', { bySpace: { on: ['space'], by: ['createdAt'] } }),
  { type: 'revision', fields: ['space', 'type', 'parents', 'mergedFrom', 'pages', 'files'], secondary: true },
);
