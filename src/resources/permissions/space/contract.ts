import type { NounHelp } from '../../../contract/operation.ts';
import { bases, permissionOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'A permission gives a member or a team a role on one space. The nearest setting decides: the space itself, then the sites that show it, then the collections that contain it, then the role in the organization. At each of them the role of the member counts first, then the highest role of their teams, then the default level.\n\nA space with its own default level inherits nothing. Guests can open only what they have a permission on.',
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
