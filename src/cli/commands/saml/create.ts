import { createProvider } from '../../../resources/saml/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names.ts';
import { printRequests } from '../../print-results.ts';
import { addProviderOptions, printProvider, readProviderBody } from './provider.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description: `
Metadata of several identity providers takes --entity-id to say which. Other flags override what it says.
`,
  examples: [
    'docsctl saml create --label Okta --metadata https://idp.example.com/metadata --default-role read',
    'docsctl saml create --label Okta --metadata idp.xml --default-team Writers',
    'docsctl saml create --label Okta --entity-id https://idp.example.com/x --sso-url https://idp.example.com/sso --certificate @okta.pem',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addProviderOptions(command, createProvider);
  command.action(
    inSession(async (session, options: Record<string, unknown>) => {
      const params = { organizationId: await resolveOrganization(session) };
      const body = await readProviderBody(session, createProvider, options, params);
      if (session.flags.dryRun === true) return printRequests(session, createProvider, [params], { body });
      const provider = await session.call(createProvider, { params, body: body as { label: string } });
      await printProvider(session, createProvider, provider);
    }),
  );
};
