import { listAuditEvents } from '../../../resources/audit/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { addFields } from '../../input/field-options.ts';
import { readFields } from '../../input/fields.ts';
import { resolveOrganization } from '../../names/names.ts';
import { printList } from '../../results/print-list.ts';
import type { Session } from '../../session/session.ts';
import { addSince, readEventQuery } from './query.ts';

interface Options {
  readonly since?: string;
  readonly all?: boolean;
}

export const help: CommandHelp = {
  description: `
Lists the changes in an organization, newest first: who changed what, and when. To see the values before and after,
run \`docsctl audit get EVENT\`, or use --details with -o json.

The actor is the email, name or ID of a member. Changes that jobs make have the actor \`docsctl\`. The target is the
ID of a resource, such as a space.

All events of one command have the same \`correlationId\`, even if it sent many requests to a server, as
\`docsctl apply\` does. \`docsctl audit get EVENT\` shows this ID, and --request lists the events that have
it. --request also takes the ID of a single request, which errors and the header Request-Id show, or the ID of a run
of a job.
`,
  examples: [
    'docsctl audit list --since 7d',
    'docsctl audit list --actor ana@example.com --all',
    'docsctl audit list --action spaces.create -o json',
    'docsctl audit list --request run_4f1d6c0a9b3e57d2c8a1f0e6',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addSince(command);
  addFields(command, listAuditEvents);
  command
    .option('--all', 'get every page of the list')
    .action(inSession((session, options: Options) => list(session, options)));
};

async function list(session: Session, options: Options): Promise<void> {
  const organizationId = await resolveOrganization(session);
  const { query } = await readFields(session, listAuditEvents, { ...options }, {});
  await printList(session, listAuditEvents, {
    params: { organizationId },
    query: await readEventQuery(session, listAuditEvents, organizationId, query, options.since),
    isWhole: options.all === true,
  });
}
