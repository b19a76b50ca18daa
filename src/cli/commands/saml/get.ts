import { Option } from 'commander';
import { getProvider } from '../../../resources/saml/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names.ts';
import { defaultsOf } from '../../print-results.ts';
import type { Session } from '../../session.ts';
import { describeProvider } from './provider.ts';
import type { CommandHelp } from '../../command-help.ts';
import { requiredArgument } from '../../required.ts';

export const help: CommandHelp = {
  description: `
Shows the subject, validity and fingerprint of each certificate; -o json prints the certificates.
`,
  examples: ['docsctl saml get Okta', 'docsctl saml get Okta -o json --query service'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(
      requiredArgument(
        '[provider...]',
        'label or ID of the SAML provider; several can be given, and "-" reads IDs from standard input',
      ),
    )
    .addOption(new Option('--provider <provider>', 'label or ID of the SAML provider').hideHelp())
    .action(inSession(showProviders));
};

async function showProviders(
  session: Session,
  names: readonly string[],
  { provider }: { readonly provider?: string },
): Promise<void> {
  const given = names.length > 0 || provider === undefined ? names : [provider];
  const hint =
    'Give a label or ID: `docsctl saml get PROVIDER`. To see the providers, run `docsctl saml list`.';
  const items = [];
  for (const params of await resolveArguments(
    session,
    'samlProviderId',
    given,
    'The SAML provider is missing.',
    hint,
  ))
    items.push(await describeProvider(session, await session.call(getProvider, { params })));
  const defaults = defaultsOf(getProvider, 'SAML providers');
  await (items.length === 1 && given[0] !== '-'
    ? session.print(items[0], defaults)
    : session.printAll(items, defaults));
}
