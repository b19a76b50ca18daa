import { getProvider } from '../../../resources/saml/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names.ts';
import { defaultsOf } from '../../print-results.ts';
import type { Session } from '../../session.ts';
import { describeProvider } from './provider.ts';
import type { CommandHelp } from '../../command-help.ts';

export const help: CommandHelp = {
  description: `
A table tells of a certificate whose it is, until when and its fingerprint; -o json has all of it.
`,
  examples: ['docsctl saml get Okta'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[provider...]', 'SAML providers, by id or label; - for ids on standard input')
    .option('--provider <id|label>', 'the provider')
    .action(inSession(showProviders));
};

async function showProviders(
  session: Session,
  names: readonly string[],
  { provider }: { readonly provider?: string },
): Promise<void> {
  const given = names.length > 0 || provider === undefined ? names : [provider];
  const hint = 'docsctl saml get PROVIDER; `docsctl saml list` shows them.';
  const items = [];
  for (const params of await resolveArguments(session, 'samlProviderId', given, 'Which provider?', hint))
    items.push(await describeProvider(session, await session.call(getProvider, { params })));
  const defaults = defaultsOf(getProvider, 'SAML providers');
  await (items.length === 1 && given[0] !== '-'
    ? session.print(items[0], defaults)
    : session.printAll(items, defaults));
}
