import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { followEvents, readCount } from './follow-events.ts';

export const help: CommandHelp = {
  description: `
Prints each event when it is recorded and after each attempt to deliver it, from now until you press Ctrl-C. The
command itself delivers no events: a server, \`docsctl integrations dev\` or \`docsctl jobs run\` delivers them.
`,
  examples: [
    'docsctl integrations events tail slack --last 3 --count 3',
    'docsctl integrations events tail slack --last 1 --count 1 -o ndjson',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<integration>', 'name of the integration')
    .option('--last <number>', 'print this number of past events first (default: 0)')
    .option('--count <number>', 'stop after this number of events (default: no limit)')
    .action(
      inSession((session, integrationName: string, { count, last }: { count?: string; last?: string }) =>
        followEvents(session, {
          integrationName,
          count: readCount(count),
          last: readCount(last, '--last'),
        }),
      ),
    );
};
