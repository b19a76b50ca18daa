import type { NounHelp } from '../../../contract/operation.ts';
import { bases, permissionOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'A permission on a site gives a member or a team a role on the site and on the spaces that it shows. A permission on the space itself overrides the role from the site, as does a default level of the space (`docsctl spaces update --default-level`). If several sites show a space, the highest role counts. Only members with the admin role on a site can change the site. Members with other roles can view it.',
  examples: [
    'docsctl sites permissions set Docs --users ben@example.com --role review',
    'docsctl sites permissions effective Docs',
  ],
};

export const {
  setPermissions,
  listEffectivePermissions,
  listUserPermissions,
  updateUserPermission,
  removeUserPermission,
  listTeamPermissions,
  updateTeamPermission,
  removeTeamPermission,
} = permissionOperations(bases.site);
