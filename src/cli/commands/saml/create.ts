import { createProvider } from '../../../resources/saml/contract.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names/names.ts';
import { printRequests } from '../../results/print-results.ts';
import { addProviderOptions, printProvider, readProviderBody } from './provider.ts';

export const help: CommandHelp = {
  description: `
Pass the metadata of the identity provider with --metadata, or pass its entity ID, sign-in address
and certificate with the other options. These options override the metadata. If the metadata
describes several identity providers, choose one with --entity-id.
Without --default-role, people who join through the provider are guests.

Afterwards, enter the printed \`service.entityID\` and \`service.acsURL\` at the identity provider.
`,
  examples: [
    'docsctl saml create --label Google --metadata idp.xml --default-role read --default-team Writers',
    'docsctl saml create --label Entra --entity-id https://sts.example.com/x --sso-url https://sts.example.com/sso --certificate @okta.pem',
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
