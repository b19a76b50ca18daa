import type { Command } from 'commander';
import { Problem } from '../../../errors/problem.ts';
import { updateProvider } from '../../../resources/saml/contract.ts';
import { printRequests } from '../../dry-run.ts';
import { createNames } from '../../names.ts';
import { addProviderOptions, printProvider, readProviderBody } from './provider.ts';
import type { RunInSession } from '../../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[provider]', 'SAML provider, by id or label')
    .option('--provider <id|label>', 'the provider');
  addProviderOptions(command, updateProvider);
  command
    .addHelpText(
      'after',
      `
Examples:
  docsctl saml update Okta --metadata https://idp.example.com/metadata
  docsctl saml update Okta --certificate @new.pem
  docsctl saml update Okta --unset default-team
`,
    )
    .action(
      (
        given: string | undefined,
        { provider = given, ...options }: Record<string, unknown> & { provider?: string },
      ) =>
        run(async (session) => {
          if (provider === undefined)
            throw new Problem('usage', 'Which provider?', {
              hint: 'docsctl saml update PROVIDER --metadata FILE; `docsctl saml list` shows them.',
            });
          const names = createNames(session);
          const organizationId = await names.resolve('organizationId', undefined, {}, updateProvider.id);
          const params = {
            organizationId,
            samlProviderId: await names.resolve(
              'samlProviderId',
              provider,
              { organizationId },
              updateProvider.id,
            ),
          };
          const body = await readProviderBody(session, updateProvider, options, params);
          if (session.flags.dryRun === true)
            return printRequests(session, updateProvider, [params], {}, body);
          const api = await session.api();
          await printProvider(
            session,
            updateProvider,
            await api.call(updateProvider, { params, body }, { signal: session.runtime.signal }),
          );
        }),
    );
}
