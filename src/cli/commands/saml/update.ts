import { Option } from 'commander';
import { updateProvider } from '../../../resources/saml/contract.ts';
import { requireParam } from '../../names/choose-missing.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { printRequests } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { addProviderOptions, printProvider, readProviderBody } from './provider.ts';
import { refuseNoChange } from '../../confirm/refuse-no-change.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly provider?: string;
}

export const help: CommandHelp = {
  description: `
Fields that are not given keep their values. --metadata replaces the entity ID, sign-in address and
certificate with those of the identity provider.

A new entity ID or sign-in address ends all sessions of people who signed in through the provider. Removing or replacing a certificate
ends the sessions that started with it. To change certificates without ending sessions, give the old and the new one
together until the old sessions are over. Other changes apply to the next sign-in.
`,
  examples: [
    'docsctl saml update Okta --metadata idp.xml',
    'docsctl saml update Okta --certificate @okta.pem',
    'docsctl saml update Okta --unset default-team',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[provider]', 'label or ID of the SAML provider'))
    .addOption(new Option('--provider <provider>', 'label or ID of the SAML provider').hideHelp());
  addProviderOptions(command, updateProvider);
  command.action(inSession(update));
};

async function update(
  session: Session,
  given: string | undefined,
  { provider = given, ...options }: Options,
): Promise<void> {
  const organizationId = await resolveOrganization(session);
  const samlProviderId = await requireParam(session, ['samlProviderId', provider], {
    params: { organizationId },
    hint: 'Give a label or ID: `docsctl saml update PROVIDER --metadata FILE`. To see the providers, run `docsctl saml list`.',
  });
  const params = { organizationId, samlProviderId };
  const body = await readProviderBody(session, updateProvider, options, params);
  refuseNoChange(updateProvider, options, body);
  if (session.flags.dryRun === true) return printRequests(session, updateProvider, [params], { body });
  await printProvider(session, updateProvider, await session.call(updateProvider, { params, body }));
}
