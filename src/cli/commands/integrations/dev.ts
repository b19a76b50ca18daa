import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { disableDev, enableDev, renewSigningSecret } from '../../../resources/integrations/contract.ts';
import { countOf, followEvents } from './follow-events.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly tunnel?: string;
  readonly all?: boolean;
  readonly newSecret?: boolean;
  readonly count?: string;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('<integration>', 'the integration')
    .option('--tunnel <url>', 'where its events are sent, as an http or https address')
    .option('--all', "events of every organization it is installed in, not only of its own organization's")
    .option('--new-secret', 'make a new secret that events are signed with, and show it first')
    .option('--count <number>', 'end after so many lines')
    .addHelpText(
      'after',
      `
Turns development mode on, prints what becomes of each event until Ctrl-C, and turns it off again. On an embedded store
the events are delivered here; on a server its workers do that. Each is signed: examples/verify-event.js checks it. An
address of this machine or network is reached only where whoever runs docsctl allows it, as with
DOCSCTL_ALLOW_PRIVATE=127.0.0.1:3000.

Examples:
  docsctl integrations dev my-bot --tunnel https://tunnel.example.com --new-secret
  docsctl integrations dev my-bot --tunnel https://tunnel.example.com -o ndjson
`,
    )
    .action((name: string, options: Options) => run((session) => develop(session, name, options)));
}

async function develop(
  session: Session,
  integrationName: string,
  { tunnel: tunnelUrl, all = false, newSecret, count }: Options,
): Promise<void> {
  if (tunnelUrl === undefined)
    throw new Problem('usage', 'Where do events go?', {
      hint: `docsctl integrations dev ${integrationName} --tunnel URL`,
    });
  const most = countOf(count);
  const params = { integrationName };
  if (session.flags.dryRun === true)
    return session.note(`Dry run: events of ${integrationName} would go to ${tunnelUrl}; nothing was sent.`);
  const api = await session.api();
  const { signal } = session.runtime;
  await api.call(enableDev, { params, body: { tunnelUrl, all } }, { signal });
  try {
    if (newSecret === true)
      session.note(
        `Events are signed with ${(await api.call(renewSigningSecret, { params }, { signal })).signingSecret}`,
      );
    else session.note('Each event is signed; --new-secret makes the secret anew and shows it.');
    session.note(`Events of ${integrationName} go to ${tunnelUrl}; Ctrl-C ends that.`);
    await followEvents(session, {
      integrationName,
      count: most,
      work: async ({ work }) => work?.({ kind: 'events', signal }),
    });
  } finally {
    // The signal that ended this is no reason to leave it on.
    await api.call(disableDev, { params }).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.reason !== 'not-found') throw error;
    });
    session.note('Development mode is off.');
  }
}
