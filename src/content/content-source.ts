import type { EvaluationContext, Value } from '../conditions/values.ts';
import type { RequestContext, ResourceScope, UrlContext } from '../core/handler.ts';
import type { ChangeRequestRow } from '../core/rows/change-requests.ts';
import type { SpaceRow } from '../core/rows/spaces.ts';
import type { RevisionRow } from '../core/rows/revisions.ts';
import type { ReadTransaction } from '../core/store.ts';

/** The content to read: of a space, a change request or a revision. */
export type ContentSource = UrlContext & {
  readonly tx: ReadTransaction;
  readonly space: SpaceRow;
  readonly changeRequest?: ChangeRequestRow;
  /** A revision of the space, current or not. */
  readonly revision?: RevisionRow;
  /** The roles of the caller, to resolve references to other spaces. Without them, these are not resolved. */
  readonly memberRole?: ResourceScope['memberRole'];
  readonly grants?: ResourceScope['grants'];
  readonly maxRole?: ResourceScope['maxRole'];
  /** Whether the row of the space has a previewed revision instead of its own. It may have no index of links. */
  readonly isPreviewed?: boolean;
  /** The visitor of a site who reads the content, instead of a caller. */
  readonly visitor?: ContentVisitor;
  /** Call it before work that blocks this thread for long. */
  readonly onHeavy?: RequestContext['onHeavy'];
};

/** The data of a visitor that the texts of a published site depend on. */
export interface ContentVisitor {
  readonly claims: Value;
  /** The IDs of the spaces that the visitor can open on the site. */
  readonly spaces: ReadonlySet<string>;
  /** Whether the visitor sees a page with this condition. */
  readonly isShown: (condition: string | undefined, context: EvaluationContext) => boolean;
}

/** Returns the revision to read. */
export function revisionOf({ space, changeRequest, revision }: ContentSource): string {
  return revision?.id ?? changeRequest?.revision ?? space.revision;
}
