import type { NounHelp } from '../../../contract/operation.ts';
import { bases, permissionOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'A permission gives a member or a team a role on one space. To find the role of a member, docsctl looks at the space itself, then at the sites that show the space, then at the collections that contain it. The first of these that has a permission for the member or one of their teams, or a default level, decides. At this place, the permission of the member counts first, then the highest permission of their teams, then the default level. If none of these decides, the member has their role in the organization.\n\nGuests can open only what a permission gives them access to.',
  examples: [
    'docsctl spaces permissions set Guide --users ben@example.com --role review',
    'docsctl spaces permissions effective Guide',
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
} = permissionOperations(bases.space);
