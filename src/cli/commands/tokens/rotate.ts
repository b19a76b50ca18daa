import { eachItem } from '../../../contract/each-page.ts';
import type { ItemOf } from '../../../contract/operation.ts';
import { defined, joinAnd } from '../../../contract/values.ts';
import { renewal } from '../../../client/refused-token.ts';
import { notFound, orUndefined, Problem } from '../../../errors/problem.ts';
import { createToken, deleteToken, listTokens } from '../../../resources/tokens/contract.ts';
import { myToken } from '../../../resources/users/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { confirm } from '../../confirm/confirm.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';
import { resolveArguments } from '../../names/names.ts';
import { defaultsOf, printResults } from '../../results/print-results.ts';
import { noteSecrets } from '../../results/secret-notes.ts';
import { doEach } from '../../session/do-each.ts';
import type { Session } from '../../session/session.ts';

interface Options {
  readonly keep?: boolean;
}

export const help: CommandHelp = {
  description: `
Creates a token with the name, role, user and lifetime of an existing one, prints its secret once, and deletes the existing one. Requests with the deleted token are refused immediately. If the existing token was created for 90 days, the new one expires in 90 days. No token is deleted before the secrets of all new ones are printed.

With --keep, the existing token is not deleted, so programs can use both until you delete it with \`docsctl tokens delete\`. Both tokens have the same name, so delete the existing one by its ID.

A token for all organizations of its user, such as the one that \`docsctl init\` printed, cannot be rotated, because the API creates tokens for one organization only. Requires the admin role.
`,
  examples: [
    'docsctl tokens rotate ci --yes',
    'docsctl tokens rotate ci --keep -o tsv --columns token --no-headers > token.txt',
    'docsctl tokens list -o id | docsctl tokens rotate - --yes',
  ],
  exitCodes: { 6: 'The token is for all organizations of its user.' },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[token...]', `name or ID of the token${severalNotes.resources}`))
    .option('--keep', 'do not delete the existing token')
    .action(inSession(rotateTokens));
};

async function rotateTokens(
  session: Session,
  given: readonly string[],
  { keep = false }: Options,
): Promise<void> {
  const hint =
    'Give a name or ID: `docsctl tokens rotate TOKEN`. To see the tokens, run `docsctl tokens list`.';
  const targets = await resolveArguments(session, 'tokenId', given, 'No token is given.', hint);
  const params = { organizationId: targets[0]?.organizationId ?? '' };
  const ids = new Set(targets.map(({ tokenId }) => tokenId));
  const rotations = await planRotations(session, params.organizationId, ids);
  if (session.flags.dryRun === true) {
    for (const { id, name, body } of rotations) {
      await session.check(createToken, { params, body });
      const expires = body.expiresAt === undefined ? 'never expires' : `expires at ${body.expiresAt}`;
      const rest = keep ? 'would be kept' : 'would be deleted';
      session.note(
        `Dry run: a token ${name} with the role ${body.role} that ${expires} would be created, and ${id} ${rest}. Nothing was sent.`,
      );
    }
    return;
  }
  if (!keep)
    await confirm(session, {
      verb: 'rotate',
      noun: 'tokens',
      names: rotations.map(({ name }) => name),
      consequence: `The existing token${rotations.length === 1 ? '' : 's'} will stop working immediately.`,
    });
  const { results, failed } = await doEach(session, rotations, async ({ id, body }) => ({
    old: id,
    created: await session.call(createToken, { params, body }),
  }));
  if (failed !== undefined && results.length === 0) throw failed;
  const created = results.map((result) => result.created);
  // Print the secrets before anything else can fail.
  const columns = [...(areSeveral(given) ? ['name'] : []), 'role', 'token', 'expiresAt', 'id'];
  const defaults = { ...defaultsOf(createToken, 'tokens'), columns };
  await printResults(session, created, defaults, areSeveral(given));
  await noteSecrets(session, createToken, created);
  const old = results.map((result) => result.old);
  // Several tokens have the same name now, so the commands below must use the IDs.
  for (const id of old) session.typedWords.delete(id);
  if (keep) noteKept(session, old);
  else await deleteTokens(session, params, { old, created: created.map(({ id }) => id) });
  if (failed !== undefined) throw failed;
}

/** A token to replace, and the request for the new one. */
interface Rotation {
  readonly id: string;
  readonly name: string;
  readonly body: {
    readonly role: ItemOf<typeof listTokens>['role'];
    readonly user: string;
    readonly name?: string;
    readonly expiresAt?: string;
  };
}

/**
 * Finds tokens, including the caller's tokens for all organizations.
 * @throws Problem(not-found), or Problem(conflict) for a token for all organizations
 */
async function planRotations(
  session: Session,
  organizationId: string,
  ids: ReadonlySet<string>,
): Promise<readonly Rotation[]> {
  const found = new Map<string, ItemOf<typeof listTokens>>();
  for (const mine of [undefined, true])
    if (found.size < ids.size)
      for await (const token of eachItem(session, listTokens, {
        params: { organizationId },
        query: defined({ mine }),
      }))
        if (ids.has(token.id)) found.set(token.id, token);
  return [...ids].map((id) => {
    const token = found.get(id);
    if (token === undefined) throw notFound('token', id);
    if (token.organization === null)
      throw new Problem(
        'conflict',
        `The token ${id} works for all organizations of its user, so it cannot be rotated.`,
        { hint: 'Create a token for each organization: `docsctl tokens create --role ROLE --name NAME`.' },
      );
    const { role, user, createdAt, expiresAt } = token;
    const name = token.name ?? undefined;
    const lifetime = expiresAt === null ? undefined : Date.parse(expiresAt) - Date.parse(createdAt);
    const expiry =
      lifetime === undefined ? undefined : new Date(session.runtime.clock() + lifetime).toISOString();
    return { id, name: name ?? id, body: { role, user: user.id, ...defined({ name, expiresAt: expiry }) } };
  });
}

function noteKept({ note }: Session, old: readonly string[]): void {
  const command = `\`docsctl tokens delete ${old.join(' ')}\``;
  note(
    old.length === 1
      ? `The token ${old[0]} still works. Delete it when nothing uses it anymore: ${command}`
      : `The tokens ${joinAnd(old)} still work. Delete them when nothing uses them anymore: ${command}`,
  );
}

/** Deletes the replaced tokens, the caller's own last. @throws Problem(unexpected) if nobody read the secrets of the new ones */
async function deleteTokens(
  session: Session,
  { organizationId }: { readonly organizationId: string },
  { old, created }: { readonly old: readonly string[]; readonly created: readonly string[] },
): Promise<void> {
  if (session.terminal.stdout.closed) {
    const what =
      old.length === 1
        ? `The secret of the new token ${created[0]} was not read. The existing token ${old[0]} is not deleted.`
        : `The secrets of the new tokens ${joinAnd(created)} were not read. The existing tokens ${joinAnd(old)} are not deleted.`;
    throw new Problem('unexpected', what, {
      hint: `Delete the new token${old.length === 1 ? '' : 's'}: \`docsctl tokens delete ${created.join(' ')}\``,
    });
  }
  const { settings } = session;
  const { server, token: used } = settings;
  const own =
    server === undefined || used === undefined
      ? undefined
      : await orUndefined(session.call(myToken, {}), 'not-found');
  const ordered = [...old.filter((id) => id !== own?.id), ...old.filter((id) => id === own?.id)];
  const { failed } = await doEach(
    session,
    ordered.map((name) => ({ name })),
    async ({ name: tokenId }) => {
      await session.call(deleteToken, { params: { organizationId, tokenId } });
      const replace =
        server === undefined || used === undefined || own?.id !== tokenId
          ? ''
          : ` It is the token from ${used.from}. ${renewal(server.value, used.from, 'the new token')}`;
      session.note(`Deleted token ${tokenId}.${replace}`);
    },
  );
  if (failed !== undefined) throw failed;
}
