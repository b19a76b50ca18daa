import { table } from '../store.ts';

/** The index of the links of a revision: the root of the trie of each kind of its entries, and sums. */
export interface RevisionLinks {
  readonly roots: Readonly<Record<string, string>>;
  readonly total: number;
  readonly broken: number;
}

export type RevisionType = 'edits' | 'merge' | 'rollback' | 'update';

/** One state of a space's content. Two revisions of the same root hold the same. */
export interface RevisionRow {
  readonly id: string;
  readonly space: string;
  readonly parents: readonly string[];
  readonly root: string;
  /** Root of the trie that lists the pages under each page. */
  readonly children: string;
  /** Only what was the content of a space has an index of its links. */
  readonly links?: RevisionLinks;
  readonly type: RevisionType;
  /** The change request that a merge took in. */
  readonly mergedFrom?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly pages: number;
  readonly files: number;
}
export const revisions = table<RevisionRow>()('revisions', { bySpace: { on: ['space'], by: ['createdAt'] } });
