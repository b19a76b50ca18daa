import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { organizationOf } from '../names.ts';
import type { Session } from '../session.ts';
import { doJobs } from '../wait.ts';
import type { RunIn } from './index.ts';

interface Options {
  readonly kind?: string;
  readonly allOrgs?: boolean;
}

export function define(command: Command, run: RunIn): void {
  command
    .option('--kind <kind>', 'only jobs of this kind')
    .option('--all-orgs', 'jobs of every organization in the store')
    .addHelpText(
      'after',
      `
Does what is due and ends. On a server its own workers do the jobs. Exit 3 when some failed.

Examples:
  docsctl jobs run
  docsctl jobs list --state failed && docsctl jobs retry openapi.spec_1 && docsctl jobs run
`,
    )
    .action((options: Options) => run((session) => runJobs(session, options)));
}

async function runJobs(session: Session, { kind, allOrgs }: Options): Promise<void> {
  const api = await session.api();
  if (api.work === undefined) throw new Problem('usage', `Jobs of ${api.place} are done by its own workers.`, { hint: 'docsctl jobs list shows what waits there.' });
  const { done, failed, later } = await doJobs(session, { kind, organization: allOrgs === true ? undefined : await organizationOf(session) });
  const verdict = `${done} done, ${failed} failed, ${later} to be tried again later.`;
  if (failed > 0) throw new Problem('partly-failed', verdict, { hint: 'docsctl jobs list --state failed' });
  session.note(verdict);
}
