import type { UrlContext } from '../core/handler.ts';
import type { ChangeRequestRow } from '../core/rows/change-requests.ts';
import type { SpaceRow } from '../core/rows/spaces.ts';
import type { RevisionRow } from '../core/rows/revisions.ts';
import type { ReadTransaction } from '../core/store.ts';

/** What a content read acts on: the content of a space, of a change request, or of a revision. */
export type ContentSource = UrlContext & {
  readonly tx: ReadTransaction;
  readonly space: SpaceRow;
  readonly changeRequest?: ChangeRequestRow;
  /** One revision of the space, whatever is current. */
  readonly revision?: RevisionRow;
};

/** The revision that a read sees. */
export function revisionOf({ space, changeRequest, revision }: ContentSource): string {
  return revision?.id ?? changeRequest?.revision ?? space.revision;
}
