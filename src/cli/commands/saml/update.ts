import { updateProvider } from '../../../resources/saml/contract.ts';
import { requireArgument, type DefineCommand } from '../../composite-command.ts';
import { resolveName, resolveOrganization } from '../../names.ts';
import { printRequests } from '../../print-results.ts';
import type { Session } from '../../session.ts';
import { addProviderOptions, printProvider, readProviderBody } from './provider.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options extends Readonly<Record<string, unknown>> {
  readonly provider?: string;
}

export const help: CommandHelp = {
  examples: [
    'docsctl saml update Okta --metadata https://idp.example.com/metadata',
    'docsctl saml update Okta --certificate @new.pem',
    'docsctl saml update Okta --unset default-team',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[provider]', 'SAML provider, by id or label')
    .option('--provider <id|label>', 'the provider');
  addProviderOptions(command, updateProvider);
  command.action(inSession(update));
};

async function update(
  session: Session,
  given: string | undefined,
  { provider = given, ...options }: Options,
): Promise<void> {
  const label = requireArgument(
    provider,
    'Which provider?',
    'docsctl saml update PROVIDER --metadata FILE; `docsctl saml list` shows them.',
  );
  const organizationId = await resolveOrganization(session);
  const samlProviderId = await resolveName(session, 'samlProviderId', label, { organizationId });
  const params = { organizationId, samlProviderId };
  const body = await readProviderBody(session, updateProvider, options, params);
  if (session.flags.dryRun === true) return printRequests(session, updateProvider, [params], { body });
  await printProvider(session, updateProvider, await session.call(updateProvider, { params, body }));
}
