import type { Command } from 'commander';
import type { Static } from '../../../contract/schema.ts';
import { Problem } from '../../../errors/problem.ts';
import { getProvider, type SAMLProvider } from '../../../resources/saml/contract.ts';
import { createNames } from '../../names.ts';
import { readArguments } from '../../operation-command.ts';
import { fieldPaths } from '../../../contract/paths.ts';
import { describeProvider } from './provider.ts';
import type { Session } from '../../session.ts';
import type { RunInSession } from '../../composite-command.ts';

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[provider...]', 'SAML providers, by id or label; - for ids on standard input')
    .option('--provider <id|label>', 'the provider')
    .addHelpText(
      'after',
      '\nA table tells of a certificate whose it is, until when and its fingerprint; -o json has all of it.\n\nExamples:\n  docsctl saml get Okta\n',
    )
    .action((given: string[], { provider }: { provider?: string }) =>
      run((session) => show(session, given.length > 0 ? given : provider === undefined ? [] : [provider])),
    );
}

async function show(session: Session, given: readonly string[]): Promise<void> {
  if (given.length === 0)
    throw new Problem('usage', 'Which provider?', {
      hint: 'docsctl saml get PROVIDER; `docsctl saml list` shows them.',
    });
  const wanted = await readArguments(session, given);
  const names = createNames(session);
  const organizationId = await names.resolve('organizationId', undefined, {}, getProvider.id);
  const providers: Static<typeof SAMLProvider>[] = [];
  const api = await session.api();
  for (const one of wanted) {
    const samlProviderId = await names.resolve('samlProviderId', one, { organizationId }, getProvider.id);
    providers.push(
      await api.call(
        getProvider,
        { params: { organizationId, samlProviderId } },
        { signal: session.runtime.signal },
      ),
    );
  }
  const printer = await session.printer({
    columns: getProvider.cli.columns ?? [],
    noun: 'SAML providers',
    fields: fieldPaths(getProvider.returns.schema ?? {}),
  });
  const items = await Promise.all(providers.map((provider) => describeProvider(session, provider)));
  if (items.length === 1 && given[0] !== '-') await printer.one(items[0]);
  else await printer.page({ count: items.length, items });
  await printer.end();
}
