import { listTokens } from '../../../resources/tokens/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names/names.ts';
import { printListed } from '../../results/print-listed.ts';
import type { Session } from '../../session/session.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';

export const help: CommandHelp = {
  description: `
Shows the role, the user and the expiry time of a token of the organization. Its secret is shown only
once, when the token is created.
`,
  examples: ['docsctl tokens get ci', 'docsctl tokens get ci -o json --query expiresAt'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[token...]', `name or ID of the token${severalNotes.resources}`))
    .action(inSession(showTokens));
};

async function showTokens(session: Session, names: readonly string[]): Promise<void> {
  const hint = 'Give a name or ID: `docsctl tokens get TOKEN`. To see the tokens, run `docsctl tokens list`.';
  const targets = await resolveArguments(session, 'tokenId', names, 'No token is given.', hint);
  const organizationId = targets[0]?.organizationId ?? '';
  const ids = targets.map(({ tokenId }) => tokenId);
  await printListed(session, listTokens, {
    params: { organizationId },
    ids,
    isList: areSeveral(names),
    word: 'token',
  });
}
