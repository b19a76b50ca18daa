import { Problem } from '../../../errors/problem.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveOrganization } from '../../names.ts';
import type { Session } from '../../session.ts';
import { runJobs } from '../../wait.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly kind?: string;
  readonly allOrgs?: boolean;
}

export const help: CommandHelp = {
  description: `
Does what is due and ends. On a server its own workers do the jobs. Exit 3 when some failed, or
found errors in what they were done for, such as a specification; 69 when another process holds
some, or was killed with them: they are not done yet.
`,
  examples: [
    'docsctl jobs run',
    'docsctl jobs list --state failed && docsctl jobs retry openapi.spec_1 && docsctl jobs run',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--kind <kind>', 'only jobs of this kind')
    .option('--all-orgs', 'jobs of every organization in the store')
    .action(inSession(runDueJobs));
};

async function runDueJobs(session: Session, { kind, allOrgs }: Options): Promise<void> {
  const api = await session.api();
  if (api.work === undefined)
    throw new Problem('usage', `Jobs of ${api.place} are done by its own workers.`, {
      hint: 'docsctl jobs list shows what waits there.',
    });
  const organization = allOrgs === true ? undefined : await resolveOrganization(session);
  const { done, failed, later, troubles, held } = await runJobs(session, { kind, organization });
  troubles.forEach(session.note);
  const errors = troubles.length > 0 ? ` (${troubles.length} with errors)` : '';
  const counts = `${done} done${errors}, ${failed} failed, ${later} to be tried again later.`;
  const verdict = held.length === 0 ? counts : `${counts} ${describeHeld(held)}`;
  if (failed > 0) throw new Problem('partly-failed', verdict, { hint: 'docsctl jobs list --state failed' });
  if (troubles.length > 0)
    throw new Problem('partly-failed', verdict, {
      hint: 'Mend what is named above; `docsctl openapi list` shows it as well.',
    });
  // Nothing failed, but not everything is done: as after a --wait that timed out.
  if (held.length > 0)
    throw new Problem('timed-out', verdict, {
      hint: `\`docsctl jobs list --state running\` shows ${held.length === 1 ? 'it' : 'them'}.`,
    });
  session.note(verdict);
}

/** Names the time when the last claim ends. A running worker extends its claims until its job is done. */
function describeHeld(held: readonly string[]): string {
  const until = `until ${held.at(-1)?.slice(11, 19)} UTC`;
  return held.length === 1
    ? `1 is held by a worker ${until}; run this again then.`
    : `${held.length} are held by workers, the last ${until}; run this again then.`;
}
