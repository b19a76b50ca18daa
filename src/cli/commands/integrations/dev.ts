import { howToAllowPrivate } from '../../../client/allow-private.ts';
import { orUndefined } from '../../../errors/problem.ts';
import { disableDev, enableDev, renewSigningSecret } from '../../../resources/integrations/contract.ts';
import {
  requireArgument,
  requiredOption,
  type CommandHelp,
  type DefineCommand,
} from '../../composite-command.ts';
import type { Session } from '../../session/session.ts';
import { followEvents, readCount } from './follow-events.ts';

interface Options {
  readonly tunnel?: string;
  readonly all?: boolean;
  readonly newSecret?: boolean;
  readonly count?: string;
}

export const help: CommandHelp = {
  description: `
Sends the events to the tunnel, an address that you control, instead of to the script of the integration. Prints every event and its delivery until you press Ctrl-C. Then the script receives the events again. With an embedded store, this command delivers the events itself; a server delivers them with its workers.

Requires the admin role in the organization that publishes the integration.

Each delivery is signed. The file examples/verify-event.js in the docsctl package shows how to check the signature. ${howToAllowPrivate}
`,
  examples: ['docsctl integrations dev slack --tunnel https://tunnel.example.com --dry-run'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<integration>', 'name of the integration')
    .addOption(requiredOption('--tunnel <url>', 'http or https address that receives the events'))
    .option(
      '--all',
      'send the events of all organizations, not only those of the organization that publishes the integration',
    )
    .option('--new-secret', 'replace the signing secret and show the new one first')
    .option(
      '--count <number>',
      'stop after printing this number of events; more events may be delivered meanwhile (default: no limit)',
    )
    .action(inSession(develop));
};

async function develop(
  session: Session,
  integrationName: string,
  { tunnel, all = false, newSecret, count: givenCount }: Options,
): Promise<void> {
  const usage = `docsctl integrations dev ${integrationName} --tunnel URL`;
  const tunnelUrl = requireArgument(
    tunnel,
    '--tunnel is missing.',
    `Give the address that receives the events: \`${usage}\``,
  );
  const count = readCount(givenCount);
  const params = { integrationName };
  const body = { tunnelUrl, all };
  if (session.flags.dryRun === true) {
    await session.check(enableDev, { params, body });
    return session.note(
      `Dry run: events of ${integrationName} would be sent to ${tunnelUrl}. Nothing was sent.`,
    );
  }
  const { signal } = session.runtime;
  await session.call(enableDev, { params, body });
  try {
    if (newSecret === true) {
      const { signingSecret } = await session.call(renewSigningSecret, { params });
      session.note(`Events are signed with ${signingSecret}`);
    } else
      session.note('Events are signed with the existing secret. To replace and see it, add --new-secret.');
    session.note(`Sending events of ${integrationName} to ${tunnelUrl}. Press Ctrl-C to stop.`);
    await followEvents(session, {
      integrationName,
      count,
      work: async ({ work }) => work?.({ kind: 'events', signal, isBrief: true }),
    });
  } finally {
    // The signal is not passed, because it may already be aborted.
    const api = await session.api();
    await orUndefined(api.call(disableDev, { params }), 'not-found', 'conflict');
    session.note('Development mode is off.');
  }
}
