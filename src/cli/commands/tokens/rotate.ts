import { eachItem } from '../../../contract/each-page.ts';
import type { ItemOf } from '../../../contract/operation.ts';
import { defined } from '../../../contract/values.ts';
import { renewal } from '../../../client/refused-token.ts';
import { notFound, orUndefined, Problem } from '../../../errors/problem.ts';
import { createToken, deleteToken, listTokens } from '../../../resources/tokens/contract.ts';
import { myToken } from '../../../resources/users/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { confirm } from '../../confirm/confirm.ts';
import { resolveArguments } from '../../names/names.ts';
import { defaultsOf } from '../../results/print-results.ts';
import { noteSecrets } from '../../results/secret-notes.ts';
import type { Session } from '../../session/session.ts';

interface Options {
  readonly keep?: boolean;
}

export const help: CommandHelp = {
  description: `
Creates a token with the name, role, user and lifetime of an existing one, prints its secret once, and deletes the existing one. Requests with the deleted token are refused immediately. If the existing token was created for 90 days, the new one expires in 90 days.

With --keep, the existing token is not deleted, so programs can use both until you delete it with \`docsctl tokens delete\`. Both tokens have the same name, so delete the existing one by its ID.

A token for all organizations of its user, such as the one that \`docsctl init\` printed, cannot be rotated, because the API creates tokens for one organization only. Requires the admin role.
`,
  examples: [
    'docsctl tokens rotate ci --yes',
    'docsctl tokens rotate ci --keep -o tsv --columns token --no-headers > token.txt',
  ],
  exitCodes: { 6: 'The token is for all organizations of its user.' },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[token]', 'name or ID of the token'))
    .option('--keep', 'do not delete the existing token')
    .action(inSession(rotateToken));
};

type Token = ItemOf<typeof listTokens>;

async function rotateToken(
  session: Session,
  given: string | undefined,
  { keep = false }: Options,
): Promise<void> {
  const hint =
    'Give a name or ID: `docsctl tokens rotate TOKEN`. To see the tokens, run `docsctl tokens list`.';
  const names = given === undefined ? [] : [given];
  const [target] = await resolveArguments(session, 'tokenId', names, 'No token is given.', hint);
  const { organizationId = '', tokenId = '' } = target ?? {};
  const token = await findToken(session, organizationId, tokenId);
  if (token.organization === null)
    throw new Problem(
      'conflict',
      `The token ${tokenId} works for all organizations of its user, so it cannot be rotated.`,
      { hint: 'Create a token for each organization: `docsctl tokens create --role ROLE --name NAME`.' },
    );
  const { role, name, user, createdAt, expiresAt } = token;
  const lifetime = expiresAt === null ? undefined : Date.parse(expiresAt) - Date.parse(createdAt);
  const expiry =
    lifetime === undefined ? undefined : new Date(session.runtime.clock() + lifetime).toISOString();
  const params = { organizationId };
  const body = { role, user: user.id, ...defined({ name: name ?? undefined, expiresAt: expiry }) };
  const shown = name ?? tokenId;
  if (session.flags.dryRun === true) {
    await session.check(createToken, { params, body });
    const expires = expiry === undefined ? 'never expires' : `expires at ${expiry}`;
    const rest = keep ? 'would be kept' : 'would be deleted';
    return session.note(
      `Dry run: a token ${shown} with the role ${role} that ${expires} would be created, and ${tokenId} ${rest}. Nothing was sent.`,
    );
  }
  if (!keep)
    await confirm(session, {
      verb: 'rotate',
      noun: 'tokens',
      names: [shown],
      consequence: 'The existing token will stop working immediately.',
    });
  const created = await session.call(createToken, { params, body });
  // Print the secret before anything else can fail.
  await session.print(created, {
    ...defaultsOf(createToken, 'tokens'),
    columns: ['role', 'token', 'expiresAt', 'id'],
  });
  await noteSecrets(session, createToken, [created]);
  // Both tokens have this name now, so the command below must use the ID.
  session.typedWords.delete(tokenId);
  if (keep)
    return session.note(
      `The token ${tokenId} still works. Delete it when nothing uses it anymore: \`docsctl tokens delete ${tokenId}\``,
    );
  if (session.terminal.stdout.closed)
    throw new Problem(
      'unexpected',
      `The secret of the new token ${created.id} was not read. The existing token ${tokenId} is not deleted.`,
      { hint: `Delete the new token: \`docsctl tokens delete ${created.id}\`` },
    );
  const replace = await describeReplacement(session, tokenId);
  await session.call(deleteToken, { params: { organizationId, tokenId } });
  session.note(`Deleted token ${tokenId}.${replace}`);
}

/** Returns where to put the new token, if the caller's commands use the rotated one. */
async function describeReplacement({ settings, call }: Session, tokenId: string): Promise<string> {
  const { server, token } = settings;
  if (server === undefined || token === undefined) return '';
  const used = await orUndefined(call(myToken, {}), 'not-found');
  if (used?.id !== tokenId) return '';
  return ` It is the token from ${token.from}. ${renewal(server.value, token.from, 'the new token')}`;
}

/** Finds a token, including the caller's tokens for all organizations. @throws Problem(not-found) */
async function findToken(session: Session, organizationId: string, tokenId: string): Promise<Token> {
  for (const mine of [undefined, true])
    for await (const token of eachItem(session, listTokens, {
      params: { organizationId },
      query: defined({ mine }),
    }))
      if (token.id === tokenId) return token;
  throw notFound('token', tokenId);
}
