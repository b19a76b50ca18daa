import { defined } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { getCustomHostname, revalidateCustomHostname } from '../../../resources/custom-hostnames/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { defaultsOf, printRequests, printResults } from '../../results/print-results.ts';
import { readArguments } from '../../input/files.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';
import { chosenOrganization } from '../../input/read-given.ts';
import { doEach } from '../../session/do-each.ts';
import type { Session } from '../../session/session.ts';
import { waitForJob } from '../../session/wait.ts';

export const help: CommandHelp = {
  description: `
Run this command after you have added the records at your DNS provider: a CNAME record of the hostname, and the TXT record that \`docsctl custom-hostnames get\` shows as \`proof\`. It exits with 9 if no hostname is active, and with 3 if only some are.

Requires the admin role on the site.
`,
  examples: [
    'docsctl custom-hostnames verify docs.example.com || echo "not active"',
    'docsctl custom-hostnames verify docs.example.com help.example.com || echo "not all are active"',
  ],
  exitCodes: { 9: 'The hostname is not active. The error names the record that is missing.' },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(
      requiredArgument('[hostname...]', `custom hostname, such as docs.example.com${severalNotes.values}`),
    )
    .action(inSession(verify));
};

async function verify(session: Session, given: readonly string[]): Promise<void> {
  if (given.length === 0)
    throw new Problem('usage', 'No hostname is given.', {
      hint: 'To see the hostnames of the organization, run `docsctl custom-hostnames list`.',
    });
  const hostnames = (await readArguments(session, given)).map((name) => ({ name }));
  const query = defined({ organization: await chosenOrganization(session) });
  if (session.flags.dryRun === true)
    return printRequests(
      session,
      revalidateCustomHostname,
      hostnames.map(({ name: hostname }) => ({ hostname })),
      { query },
    );
  const api = await session.api();
  const checked: object[] = [];
  const { failed } = await doEach(session, hostnames, async ({ name: hostname }) => {
    const input = { params: { hostname }, query };
    const before = await session.call(getCustomHostname, input);
    await session.call(revalidateCustomHostname, input);
    const found = await waitForJob(session, {
      kind: 'custom-hostname',
      read: (signal) => api.call(getCustomHostname, input, { signal }),
      isDone: ({ dns }) => dns !== undefined && dns.checkedAt !== before.dns?.checkedAt,
      command: `docsctl custom-hostnames get ${hostname}`,
    });
    checked.push(found);
    if (found.state === 'active' && found.dns?.error === undefined) return;
    const again = `run \`docsctl custom-hostnames verify ${found.hostname}\` again`;
    if (found.dns?.error !== undefined)
      throw new Problem('guard-refused', found.dns.error, { hint: `Once this is resolved, ${again}.` });
    throw new Problem('guard-refused', found.problem ?? `The hostname "${found.hostname}" is not active.`, {
      hint: `Correct the records at your DNS provider, and ${again}. Changes to DNS records may take an hour to become visible.`,
    });
  });
  if (checked.length > 0)
    await printResults(
      session,
      checked,
      defaultsOf(getCustomHostname, 'custom-hostnames'),
      areSeveral(given),
    );
  if (failed !== undefined) throw failed;
}
