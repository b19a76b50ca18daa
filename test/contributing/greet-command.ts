import type { CommandHelp } from '../../src/cli/command-help.ts';
import type { DefineCommand } from '../../src/cli/composite-command.ts';
import type { Session } from '../../src/cli/session.ts';
import { eachPage } from '../../src/contract/each-page.ts';
import { defined } from '../../src/contract/values.ts';
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
  const pages = eachPage((page) =>
    session.call(listGreetings, { params: { organizationId }, query: defined({ page }) }),
  );
  for await (const { items } of pages)
    for (const { text } of items) await session.terminal.stdout.write(`${text}\n`);
}
