import { Problem } from '../../../errors/problem.ts';
import { getEmailDomain, revalidateEmailDomain } from '../../../resources/email-domains/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { defaultsOf, printRequests, printResults } from '../../results/print-results.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';
import { resolveArguments } from '../../names/names.ts';
import { doEach } from '../../session/do-each.ts';
import type { Session } from '../../session/session.ts';
import { waitForJob } from '../../session/wait.ts';

export const help: CommandHelp = {
  description: `
Looks for the TXT record of each email domain, waits for the result and prints it. First add the domain with \`docsctl orgs update --email-domains\`. Then, at your DNS provider, add the record that \`docsctl email-domains get\` shows as \`proof\`. Exits with 9 if no record is found, unless the server does not require it (see \`docsctl email-domains --help\`), and with 3 if only some are found.

Requires the admin role in the organization.
`,
  examples: [
    'docsctl email-domains verify example.com || echo "not proven"',
    'docsctl email-domains list -o id | docsctl email-domains verify - || echo "not all are proven"',
  ],
  exitCodes: {
    9: 'It is not proven that the organization owns the domain. The error names the record that is missing.',
  },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[domain...]', `email domain, such as example.com${severalNotes.values}`))
    .action(inSession(verify));
};

async function verify(session: Session, given: readonly string[]): Promise<void> {
  const hint = 'To see the email domains of the organization, run `docsctl email-domains list`.';
  const targets = await resolveArguments(session, 'emailDomain', given, 'No email domain is given.', hint);
  if (session.flags.dryRun === true) return printRequests(session, revalidateEmailDomain, targets);
  const api = await session.api();
  const checked: object[] = [];
  const domains = targets.map((params) => ({ name: params.emailDomain, params }));
  const { failed } = await doEach(session, domains, async ({ params }) => {
    const before = await session.call(getEmailDomain, { params });
    await session.call(revalidateEmailDomain, { params });
    const found = await waitForJob(session, {
      kind: 'email-domain',
      read: (signal) => api.call(getEmailDomain, { params }, { signal }),
      isDone: ({ checkedAt }) => checkedAt !== undefined && checkedAt !== before.checkedAt,
      command: `docsctl email-domains get ${params.emailDomain}`,
    });
    checked.push(found);
    if (found.isActive && found.problem === undefined) return;
    throw new Problem(
      'guard-refused',
      found.problem ?? `It is not proven that the organization owns the email domain "${found.domain}".`,
      {
        hint: `Correct the record at your DNS provider, and run \`docsctl email-domains verify ${found.domain}\` again. Changes to DNS records may take an hour to become visible.`,
      },
    );
  });
  if (checked.length > 0)
    await printResults(session, checked, defaultsOf(getEmailDomain, 'email-domains'), areSeveral(given));
  if (failed !== undefined) throw failed;
}
