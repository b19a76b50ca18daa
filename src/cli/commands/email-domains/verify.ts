import { Problem } from '../../../errors/problem.ts';
import { getEmailDomain, revalidateEmailDomain } from '../../../resources/email-domains/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { defaultsOf, printRequests, printResults } from '../../results/print-results.ts';
import { resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import { waitForJob } from '../../session/wait.ts';

export const help: CommandHelp = {
  description: `
Looks for the TXT record of an email domain, waits for the result and prints it. First add the domain with \`docsctl orgs update --email-domains\`. Then, at your DNS provider, add the record that \`docsctl email-domains get\` shows as \`proof\`. Exits with 9 if the record is not found, unless the server does not require it (see \`docsctl email-domains --help\`).

Requires the admin role in the organization.
`,
  examples: ['docsctl email-domains verify example.com || echo "not proven"'],
  exitCodes: {
    9: 'It is not proven that the organization owns the domain. The error names the record that is missing.',
  },
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[domain]', 'email domain, such as example.com'))
    .action(inSession(verify));
};

async function verify(session: Session, emailDomain: string | undefined): Promise<void> {
  if (emailDomain === undefined)
    throw new Problem('usage', 'No email domain is given.', {
      hint: 'To see the email domains of the organization, run `docsctl email-domains list`.',
    });
  const params = { organizationId: await resolveOrganization(session), emailDomain };
  if (session.flags.dryRun === true) return printRequests(session, revalidateEmailDomain, [params]);
  const api = await session.api();
  const before = await session.call(getEmailDomain, { params });
  await session.call(revalidateEmailDomain, { params });
  const found = await waitForJob(session, {
    kind: 'email-domain',
    read: (signal) => api.call(getEmailDomain, { params }, { signal }),
    isDone: ({ checkedAt }) => checkedAt !== undefined && checkedAt !== before.checkedAt,
    command: `docsctl email-domains get ${emailDomain}`,
  });
  await printResults(session, [found], defaultsOf(getEmailDomain, 'email-domains'));
  if (found.isActive && found.problem === undefined) return;
  throw new Problem(
    'guard-refused',
    found.problem ?? `It is not proven that the organization owns the email domain "${found.domain}".`,
    {
      hint: `Correct the record at your DNS provider, and run \`docsctl email-domains verify ${found.domain}\` again. Changes to DNS records may take an hour to become visible.`,
    },
  );
}
