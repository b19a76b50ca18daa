import type { Command } from 'commander';
import type { RunInSession } from '../../src/cli/composite-command.ts';
import { eachPage } from '../../src/contract/each-page.ts';
import { listGreetings } from './greetings/contract.ts';

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<organization>', 'the organization, by id')
    .addHelpText('after', '\nExamples:\n  docsctl greet org_01J…\n')
    .action((organizationId: string) =>
      run(async (session) => {
        const api = await session.api();
        const pages = eachPage((page) =>
          api.call(listGreetings, { params: { organizationId }, query: page === undefined ? {} : { page } }),
        );
        for await (const { items } of pages)
          for (const { text } of items) await session.terminal.stdout.write(`${text}\n`);
      }),
    );
}
