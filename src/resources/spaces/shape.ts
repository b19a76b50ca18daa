import type { Static } from '../../contract/schema.ts';
import type { ReadContext } from '../../core/handler.ts';
import {
  can,
  contentRole,
  isOrganizationAdmin,
  type EffectiveRole,
  type Subject,
} from '../../core/permissions.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { withWebAddress } from '../git-sync/shape.ts';
import { publicationOf, type PublicationContext } from '../sites/publication.ts';
import type { Space } from './contract.ts';
import { defined } from '../../contract/values.ts';

/** Returns a space in the form of the API for the caller. Reads the caller's role on it. */
export async function shapeForCaller(
  context: ReadContext & Subject & Pick<PublicationContext, 'places'>,
  row: SpaceRow,
): Promise<Static<typeof Space>> {
  return shapeSpace(context, row, await contentRole(context.tx, context, row));
}

/**
 * Returns a space in the form of the API for a caller with this role. With the key of a share link, its address includes the key.
 */
export async function shapeSpace(
  context: PublicationContext & Pick<Subject, 'memberRole' | 'maxRole'>,
  row: SpaceRow,
  role: EffectiveRole,
  shareKey?: string,
): Promise<Static<typeof Space>> {
  const { url } = context;
  const { visibility, address, publicAddress } = await publicationOf(context, row, shareKey);
  const [admin, review] = [can(role, 'admin'), can(role, 'review')];
  const isOpen = row.editMode !== 'locked' && row.state === 'live';
  return defined({
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    icon: row.icon,
    visibility,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt ?? undefined,
    editMode: row.editMode,
    mergeRules: row.mergeRules,
    urls: defined({
      location: url(`/v1/spaces/${row.id}`),
      app: url(`/o/${row.organization}/s/${row.id}`),
      published: address,
      public: publicAddress,
      icon: row.icon,
    }),
    organization: row.organization,
    parent: row.parent ?? undefined,
    language: row.language,
    gitSync: row.gitSync && withWebAddress(row.gitSync),
    visitorAuth: visibility === 'visitor-auth' ? ({ backend: 'custom' } as const) : undefined,
    revision: row.revision,
    defaultLevel: row.defaultLevel,
    comments: row.comments,
    changeRequests: row.changeRequests,
    changeRequestsOpen: row.changeRequestsOpen,
    changeRequestsDraft: row.changeRequestsDraft,
    permissions: {
      view: can(role, 'read'),
      access: can(role, 'read'),
      admin,
      // Invite links belong to the organization, not to spaces.
      viewInviteLinks: isOrganizationAdmin(context),
      edit: isOpen && can(role, 'edit'),
      triggerGitSync: row.state === 'live' && can(role, 'create'),
      comment: can(role, 'comment'),
      merge: isOpen && review,
      review,
      installIntegration: isOrganizationAdmin(context),
    },
  });
}
