import type { Static } from '../../contract/schema.ts';
import type { UrlContext } from '../../core/handler.ts';
import { can, type EffectiveRole } from '../../core/permissions.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import type { Space } from './contract.ts';
import { defined } from '../../contract/values.ts';

/** A space as the API shows it to a caller of this role. */
export function shapeSpace({ url }: UrlContext, row: SpaceRow, role: EffectiveRole): Static<typeof Space> {
  const [admin, edit, review, comment] = [
    can(role, 'admin'),
    can(role, 'edit'),
    can(role, 'review'),
    can(role, 'comment'),
  ];
  return {
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji,
    ...(row.icon === undefined ? {} : { icon: row.icon }),
    visibility: row.visibility as Static<typeof Space>['visibility'],
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(row.deletedAt === null ? {} : { deletedAt: row.deletedAt }),
    editMode: row.editMode,
    mergeRules: row.mergeRules,
    urls: defined({
      location: url(`/v1/spaces/${row.id}`),
      app: url(`/o/${row.organization}/s/${row.id}`),
      icon: row.icon,
    }),
    organization: row.organization,
    ...(row.parent === null ? {} : { parent: row.parent }),
    ...(row.language === undefined ? {} : { language: row.language }),
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
      viewInviteLinks: admin,
      edit,
      triggerGitSync: admin,
      comment,
      merge: review,
      review,
      installIntegration: admin,
    },
  };
}
