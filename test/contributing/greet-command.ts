import type { DefineCommand } from '../../src/cli/composite-command.ts';
import type { Session } from '../../src/cli/session.ts';
import { eachPage } from '../../src/contract/each-page.ts';
import { defined } from '../../src/contract/values.ts';
import { listGreetings } from './greetings/contract.ts';

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<organization>', 'the organization, by id')
    .addHelpText('after', '\nExamples:\n  docsctl greet org_01J…\n')
    .action(inSession(greet));
};

async function greet(session: Session, organizationId: string): Promise<void> {
  const pages = eachPage((page) =>
    session.call(listGreetings, { params: { organizationId }, query: defined({ page }) }),
  );
  for await (const { items } of pages)
    for (const { text } of items) await session.terminal.stdout.write(`${text}\n`);
}
