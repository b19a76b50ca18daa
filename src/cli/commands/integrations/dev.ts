import { isProblem } from '../../../errors/problem.ts';
import { disableDev, enableDev, renewSigningSecret } from '../../../resources/integrations/contract.ts';
import { requireArgument, type DefineCommand } from '../../composite-command.ts';
import type { Session } from '../../session.ts';
import { followEvents, readCount } from './follow-events.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly tunnel?: string;
  readonly all?: boolean;
  readonly newSecret?: boolean;
  readonly count?: string;
}

export const help: CommandHelp = {
  description: `
Turns development mode on, prints what becomes of each event until Ctrl-C, and turns it off again. On an embedded store
the events are delivered here; on a server its workers do that. Each is signed: examples/verify-event.js checks it. An
address of this machine or network is reached only where whoever runs docsctl allows it, as with
DOCSCTL_ALLOW_PRIVATE=127.0.0.1:3000.
`,
  examples: [
    'docsctl integrations dev my-bot --tunnel https://tunnel.example.com --new-secret',
    'docsctl integrations dev my-bot --tunnel https://tunnel.example.com -o ndjson',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<integration>', 'the integration')
    .option('--tunnel <url>', 'where its events are sent, as an http or https address')
    .option('--all', "events of every organization it is installed in, not only of its own organization's")
    .option('--new-secret', 'make a new secret that events are signed with, and show it first')
    .option('--count <number>', 'end after so many lines')
    .action(inSession(develop));
};

async function develop(
  session: Session,
  integrationName: string,
  { tunnel, all = false, newSecret, count: givenCount }: Options,
): Promise<void> {
  const usage = `docsctl integrations dev ${integrationName} --tunnel URL`;
  const tunnelUrl = requireArgument(tunnel, 'Where do events go?', usage);
  const count = readCount(givenCount);
  const params = { integrationName };
  if (session.flags.dryRun === true)
    return session.note(`Dry run: events of ${integrationName} would go to ${tunnelUrl}; nothing was sent.`);
  const { signal } = session.runtime;
  await session.call(enableDev, { params, body: { tunnelUrl, all } });
  try {
    if (newSecret === true) {
      const { signingSecret } = await session.call(renewSigningSecret, { params });
      session.note(`Events are signed with ${signingSecret}`);
    } else session.note('Each event is signed; --new-secret makes the secret anew and shows it.');
    session.note(`Events of ${integrationName} go to ${tunnelUrl}; Ctrl-C ends that.`);
    await followEvents(session, {
      integrationName,
      count,
      work: async ({ work }) => work?.({ kind: 'events', signal }),
    });
  } finally {
    // Without the signal, which may have ended this.
    const api = await session.api();
    await api.call(disableDev, { params }).catch((error: unknown) => {
      if (!isProblem(error, 'not-found')) throw error;
    });
    session.note('Development mode is off.');
  }
}
