import type { DefineCommand } from '../../composite-command.ts';
import { followEvents, readCount } from './follow-events.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description: `
Prints each event as it is recorded and as it is tried, from now until Ctrl-C. It delivers nothing: that is done by a
server, by \`docsctl integrations dev\`, or by \`docsctl jobs run\`.
`,
  examples: [
    'docsctl integrations events tail my-bot',
    'docsctl integrations events tail my-bot --count 1 -o ndjson',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<integration>', 'the integration')
    .option('--count <number>', 'end after so many lines')
    .action(
      inSession((session, integrationName: string, { count }: { readonly count?: string }) =>
        followEvents(session, { integrationName, count: readCount(count) }),
      ),
    );
};
