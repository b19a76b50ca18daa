import { listInvites } from '../../../resources/invites/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names/names.ts';
import { printListed } from '../../results/print-listed.ts';
import type { Session } from '../../session/session.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';

export const help: CommandHelp = {
  description: `
Shows the role that the link gives. With -o json, \`redundant\` says whether you already have that role or a higher one.
Requires the admin role.
`,
  examples: ['docsctl invites list -o id | docsctl invites get -'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[invite...]', `ID of the invite link${severalNotes.resources}`))
    .action(inSession(showInvites));
};

async function showInvites(session: Session, names: readonly string[]): Promise<void> {
  const hint =
    'Give an ID: `docsctl invites get INVITE`. To see the invite links, run `docsctl invites list`.';
  const targets = await resolveArguments(session, 'inviteId', names, 'No invite link is given.', hint);
  const organizationId = targets[0]?.organizationId ?? '';
  const ids = targets.map(({ inviteId }) => inviteId);
  await printListed(session, listInvites, {
    params: { organizationId },
    ids,
    isList: areSeveral(names),
    word: 'invite link',
  });
}
