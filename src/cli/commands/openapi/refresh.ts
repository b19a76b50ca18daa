import { Option } from 'commander';
import { refreshSpec } from '../../../resources/openapi/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names/names.ts';
import { defaultsOf, printRequests, printResults } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { notePending } from '../../session/wait.ts';
import { waitForSpecification } from './wait.ts';
import { areSeveral, severalNotes } from '../../input/positionals.ts';

interface Options {
  readonly specSlug?: string;
  readonly wait?: boolean;
}

export const help: CommandHelp = {
  description: `
Specifications from an address are fetched, checked and stored as a new version, unless nothing has changed. A server also does this every six hours. A specification from a file cannot be refreshed; publish the file again.
`,
  examples: [
    'docsctl openapi create payments --url https://api.example.com/openapi.json && docsctl openapi refresh payments',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[spec-slug...]', `slugs of specifications${severalNotes.items}`))
    .addOption(new Option('--spec-slug <slug>', 'slug of the specification').hideHelp())
    .option('--wait', 'wait until it is processed; exit 8 if it has errors')
    .action(inSession(refresh));
};

async function refresh(session: Session, slugs: readonly string[], options: Options): Promise<void> {
  const given = options.specSlug === undefined ? slugs : [...slugs, options.specSlug];
  const hint = 'Give at least one slug. `docsctl openapi list` shows them.';
  const targets = await resolveArguments(session, 'specSlug', given, 'No specification is given.', hint);
  if (session.flags.dryRun === true) return printRequests(session, refreshSpec, targets);
  const specifications = [];
  for (const params of targets)
    specifications.push({ params, result: await session.call(refreshSpec, { params }) });
  if (options.wait === true)
    for (const one of specifications)
      one.result = await waitForSpecification(session, one.result, one.params);
  const results = specifications.map(({ result }) => result);
  await printResults(session, results, defaultsOf(refreshSpec, 'openapi'), areSeveral(given));
  if (options.wait !== true) await notePending(session);
}
