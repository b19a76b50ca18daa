import type { CommandHelp, DefineCommand } from '../../src/cli/composite-command.ts';
import type { Session } from '../../src/cli/session/session.ts';
import { eachItem } from '../../src/contract/each-page.ts';
import { listGreetings } from './greetings/contract.ts';

export const help: CommandHelp = {
  description: 'Prints the texts of all greetings, one per line. It changes nothing.',
  examples: ['docsctl greet org_1'],
};

export const define: DefineCommand = (command, inSession) => {
  command.argument('<organization>', 'organization, by ID').action(inSession(greet));
};

/** Prints the greetings of an organization. */
async function greet(session: Session, organizationId: string): Promise<void> {
  for await (const { text } of eachItem(session, listGreetings, { params: { organizationId } }))
    await session.terminal.stdout.write(`${text}\n`);
}
