import type { Command } from 'commander';
import { createProvider } from '../../../resources/saml/contract.ts';
import { printRequests } from '../../dry-run.ts';
import { createNames } from '../../names.ts';
import { addProviderOptions, printProvider, readProviderBody } from './provider.ts';
import type { RunInSession } from '../../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  addProviderOptions(command, createProvider);
  command
    .addHelpText(
      'after',
      `
Metadata of several identity providers takes --entity-id to say which. Other flags override what it says.

Examples:
  docsctl saml create --label Okta --metadata https://idp.example.com/metadata --default-role read
  docsctl saml create --label Okta --metadata idp.xml --default-team Writers
  docsctl saml create --label Okta --entity-id https://idp.example.com/x --sso-url https://idp.example.com/sso --certificate @okta.pem
`,
    )
    .action((options: Record<string, unknown>) =>
      run(async (session) => {
        const params = {
          organizationId: await createNames(session).resolve(
            'organizationId',
            undefined,
            {},
            createProvider.id,
          ),
        };
        const body = await readProviderBody(session, createProvider, options, params);
        if (session.flags.dryRun === true) return printRequests(session, createProvider, [params], {}, body);
        const api = await session.api();
        await printProvider(
          session,
          createProvider,
          await api.call(
            createProvider,
            { params, body: body as { label: string } },
            { signal: session.runtime.signal },
          ),
        );
      }),
    );
}
