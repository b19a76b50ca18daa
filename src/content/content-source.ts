import type { Value } from '../conditions/values.ts';
import type { RequestContext, ResourceScope, UrlContext } from '../core/handler.ts';
import type { ChangeRequestRow } from '../core/rows/change-requests.ts';
import type { SpaceRow } from '../core/rows/spaces.ts';
import type { RevisionRow } from '../core/rows/revisions.ts';
import type { ReadTransaction } from '../core/store.ts';

/** What a read of content reads: a space, a change request or a revision. */
export type ContentSource = UrlContext & {
  readonly tx: ReadTransaction;
  readonly space: SpaceRow;
  readonly changeRequest?: ChangeRequestRow;
  /** A revision of the space, current or not. */
  readonly revision?: RevisionRow;
  /** The roles of the caller, for references to other spaces; without them these are not resolved. */
  readonly memberRole?: ResourceScope['memberRole'];
  readonly grants?: ResourceScope['grants'];
  readonly maxRole?: ResourceScope['maxRole'];
  /** Whether the row of the space has a revision that is previewed in place of its own; it may have no index of links. */
  readonly isPreviewed?: boolean;
  /** The visitor of a site who reads, in place of a caller. */
  readonly visitor?: ContentVisitor;
  /** To be called before work that will hold this thread for long. */
  readonly onHeavy?: RequestContext['onHeavy'];
};

/** What the texts of a published site depend on. */
export interface ContentVisitor {
  readonly claims: Value;
  /** The IDs of the spaces that the visitor can open on the site. */
  readonly spaces: ReadonlySet<string>;
}

/** The revision that a read sees. */
export function revisionOf({ space, changeRequest, revision }: ContentSource): string {
  return revision?.id ?? changeRequest?.revision ?? space.revision;
}
