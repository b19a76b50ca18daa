import { Option } from 'commander';
import { getProvider } from '../../../resources/saml/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names/names.ts';
import { defaultsOf } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { describeProvider } from './provider.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';

export const help: CommandHelp = {
  description: `
Shows the subject, validity and fingerprint of each certificate; -o json prints the certificates.
`,
  examples: ['docsctl saml get Okta', 'docsctl saml get Okta -o json --query service'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(
      requiredArgument('[provider...]', `label or ID of the SAML provider${severalNotes.resources}`),
    )
    .addOption(new Option('--provider <provider>', 'label or ID of the SAML provider').hideHelp())
    .action(inSession(showProviders));
};

async function showProviders(
  session: Session,
  names: readonly string[],
  { provider }: { provider?: string },
): Promise<void> {
  const given = names.length > 0 || provider === undefined ? names : [provider];
  const hint =
    'Give a label or ID: `docsctl saml get PROVIDER`. To see the providers, run `docsctl saml list`.';
  const items = [];
  for (const params of await resolveArguments(
    session,
    'samlProviderId',
    given,
    'No SAML provider is given.',
    hint,
  ))
    items.push(await session.call(getProvider, { params }));
  const defaults = defaultsOf(getProvider, 'SAML providers');
  const [first] = items;
  if (first !== undefined && !areSeveral(given))
    return session.print(await describeProvider(session, first), defaults);
  const { listViewOf } = await import('../../results/table-views.ts');
  const view = listViewOf(getProvider.id, session);
  const rows = [];
  for (const item of items) {
    // The date comes from the certificates, which a terminal shows in a short form.
    const [row = item] = view?.rows(item, { session, query: {} }) ?? [];
    const { certificate } = (await describeProvider(session, item)) as typeof item;
    rows.push({ ...row, certificate });
  }
  await session.printAll(rows, {
    ...defaults,
    columns: view?.columns ?? defaults.columns ?? [],
    fields: [...(defaults.fields ?? []), ...(view?.fields ?? [])],
  });
}
