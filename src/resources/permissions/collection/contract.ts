import type { NounHelp } from '../../../contract/operation.ts';
import { bases, permissionOperations } from '../declarations.ts';

export const nounHelp: NounHelp = {
  description:
    'A permission on a collection gives a member or a team a role on the collection, and on the collections and spaces in it. Another permission or a default level (a role for all members) that is set inside the collection can replace this role. `docsctl spaces permissions --help` explains which permission decides.',
  examples: [
    'docsctl collections permissions set Product --users ben@example.com --role review',
    'docsctl collections permissions effective Product',
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
} = permissionOperations(bases.collection);
