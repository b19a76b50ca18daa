import { refreshSpec } from '../../../resources/openapi/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveArguments } from '../../names.ts';
import { defaultsOf, printRequests, printResults } from '../../print-results.ts';
import type { Session } from '../../session.ts';
import { notePending } from '../../wait.ts';
import { waitForSpecification } from './wait.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly specSlug?: string;
  readonly wait?: boolean;
}

export const help: CommandHelp = {
  description: `
Only one from an address is fetched again; that is done every six hours as well. Of what is the same, no new version is made.
`,
  examples: ['docsctl openapi refresh billing --wait', 'docsctl openapi refresh billing pets'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[spec-slug...]', 'specifications, by their slugs')
    .option('--spec-slug <id|name>', 'the specification, where it is not given by position')
    .option('--wait', 'wait until it is processed; exit 8 when it has errors')
    .action(inSession(refresh));
};

async function refresh(session: Session, slugs: readonly string[], options: Options): Promise<void> {
  const given = options.specSlug === undefined ? slugs : [...slugs, options.specSlug];
  const hint = 'docsctl openapi list shows those that there are.';
  const targets = await resolveArguments(session, 'specSlug', given, 'Which specification?', hint);
  if (session.flags.dryRun === true) return printRequests(session, refreshSpec, targets);
  const specifications = [];
  for (const params of targets)
    specifications.push({ params, result: await session.call(refreshSpec, { params }) });
  if (options.wait === true)
    for (const one of specifications)
      one.result = await waitForSpecification(session, one.result, one.params);
  const results = specifications.map(({ result }) => result);
  await printResults(session, results, defaultsOf(refreshSpec, 'openapi'));
  if (options.wait !== true) await notePending(session);
}
