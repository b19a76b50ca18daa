import { roles } from '../../contract/shapes.ts';
import { isProblem, orUndefined } from '../../errors/problem.ts';
import { getMember } from '../../resources/members/contract.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { me, myToken } from '../../resources/users/contract.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { resolveOrganization } from '../names/names.ts';
import { wantsTable, type Session } from '../session/session.ts';

export const help: CommandHelp = {
  description: `
Shows the user, the organization that commands use, your role in it, and the store or server. On a server, it also
shows the role of the token, when the token expires, and where docsctl found it. The token itself is never shown. If
the role of the token and your role in the organization differ, the lower one applies.

The organization is empty when several are available and none is chosen.
`,
  examples: ['docsctl whoami', "docsctl whoami -o json --query 'token.expiresAt'"],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(
    inSession(async (session) => {
      const found = await describeCaller(session);
      if (!wantsTable(session)) return session.print(found);
      const { user, organization, role, place, token } = found;
      noteLower(session, role, token?.role ?? null);
      await session.print({
        user: user.displayName,
        email: user.email ?? null,
        organization: organization?.title ?? null,
        role,
        [session.settings.server === undefined ? 'store' : 'server']: place,
        ...(token !== null && {
          'token role': token.role,
          'token expires': token.expiresAt ?? 'never',
          'token from': token.source,
        }),
      });
    }),
  );
};

const ranks: readonly string[] = [...roles, 'guest'];

/** Notes that the lower one of two roles applies, and how to get a token with the role of the member. */
function noteLower(session: Session, role: string | null, tokenRole: string | null): void {
  if (role === null || tokenRole === null || role === tokenRole) return;
  const another =
    ranks.indexOf(tokenRole) > ranks.indexOf(role)
      ? ` To use your role, get another token: \`docsctl tokens create --role ${role} --token-file FILE\`, where FILE contains a token of an administrator.`
      : '';
  session.note(
    `Your role in the organization is ${role}, but this token has the role ${tokenRole}. The lower of the two applies.${another}`,
  );
}

async function describeCaller(session: Session) {
  const user = await session.call(me, {});
  const { place } = await session.api();
  const organization = await findOrganization(session);
  const member =
    organization === null
      ? undefined
      : await ifAllowed(
          session.call(getMember, { params: { organizationId: organization.id, userId: user.id } }),
        );
  const source = session.settings.token?.from;
  return {
    user,
    organization,
    role: member?.role ?? null,
    place,
    token:
      session.settings.server === undefined || source === undefined
        ? null
        : await describeToken(session, source),
  };
}

async function findOrganization(session: Session) {
  try {
    const organizationId = await resolveOrganization(session);
    const { id, title } = await session.call(getOrganization, { params: { organizationId } });
    return { id, title };
  } catch (error) {
    // If there is no organization, or several to choose from, nothing is shown.
    if (session.settings.org === undefined && isProblem(error, 'usage')) return null;
    throw error;
  }
}

/** Describes the token from the server. Servers of other vendors may not answer. */
async function describeToken(session: Session, source: string) {
  const known = await ifAllowed(session.call(myToken, {}));
  return { role: known?.role ?? null, expiresAt: known?.expiresAt ?? null, source };
}

function ifAllowed<T>(read: Promise<T>): Promise<T | undefined> {
  return orUndefined(read, 'not-found', 'forbidden', 'not-implemented', 'unreachable');
}
