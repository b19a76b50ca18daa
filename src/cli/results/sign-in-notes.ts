import { Problem } from '../../errors/problem.ts';
import { listProviders } from '../../resources/saml/contract.ts';
import type { Session } from '../session/session.ts';

/** Notes if people cannot sign in because single sign-on is required and no provider is available. */
export async function noteSignIn(
  session: Session,
  operation: string,
  organizationId: string | undefined,
): Promise<void> {
  if (organizationId === undefined) return;
  try {
    const query = { limit: 1000 };
    const { items } = await session.call(listProviders, { params: { organizationId }, query });
    const url = items.find(({ status }) => status === 'active')?.service?.startURL;
    if (url !== undefined)
      return operation === 'orgs.update'
        ? session.note(
            `From now on, all members except administrators need a sign-in: the server refuses their other tokens. They run \`docsctl login --sso ${url}\`.`,
          )
        : undefined;
  } catch (error) {
    // The command has succeeded, so an error here must not fail it.
    if (error instanceof Problem) return;
    throw error;
  }
  const who =
    operation === 'orgs.update'
      ? 'all members except administrators are'
      : 'members who need single sign-on are';
  session.note(
    `No SAML provider of the organization is active, so ${who} refused until there is an active one. To add one, run \`docsctl saml create\`.`,
  );
}
