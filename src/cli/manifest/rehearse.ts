import { Problem } from '../../errors/problem.ts';
import { readState } from '../../manifest/state-file.ts';
import { isEmpty } from '../../manifest/plan-document.ts';
import { rehearse, type Rehearsal } from '../../manifest/rehearse/rehearse.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { concealPlan, concealProblem } from './conceal.ts';
import { openLive } from './live.ts';
import type { LiveOptions } from './options.ts';
import { readWanted } from './read-wanted.ts';
import { createRehearsedContent } from '../../content-sync/rehearse-content.ts';

/** Rehearses the manifest that the options name; secrets stand nowhere in what comes out. */
export async function rehearseFiles(session: Session, options: LiveOptions): Promise<Rehearsal> {
  const { jobs, prune, maxDeletes } = options;
  if (maxDeletes !== undefined && prune !== true)
    throw new Problem('usage', '--max-deletes goes with --prune; without it nothing is deleted.');
  const { runtime, terminal } = session;
  const { signal, clock, cwd } = runtime;
  const reading = await readWanted(session, options);
  const { api, organization, lockOptions } = await openLive(session, reading, options);
  const { openCopy } = await runtime.wiring();
  let progress: ReturnType<typeof createProgress> | undefined;
  try {
    const rehearsal = await rehearse({
      api,
      organization,
      root: reading.root,
      state: readState(lockOptions),
      concurrency: jobs,
      prune,
      maxDeletes,
      signal,
      openCopy: (founder, nextId) => openCopy(runtime, founder, nextId),
      content: createRehearsedContent(reading.files[0]?.root ?? cwd, signal),
      onCopied: (_, total) => {
        progress ??= createProgress(terminal, { label: 'copied', total, clock });
        progress.tick();
      },
    });
    if (reading.jobs.length > 0)
      session.note(
        `${reading.jobs.length === 1 ? 'The job of the manifest is' : `The ${reading.jobs.length} jobs of the manifest are`} not rehearsed: docsctl plan shows what is new.`,
      );
    return concealed(rehearsal);
  } finally {
    progress?.done();
  }
}

function concealed(rehearsal: Rehearsal): Rehearsal {
  const { plan, rows, refused, secrets, notCopied } = rehearsal;
  const values = [...secrets.values()];
  const hide = (why: string): string => concealProblem(new Problem('conflict', why), values).message;
  return {
    ...rehearsal,
    plan: isEmpty(plan) ? plan : concealPlan(plan),
    rows: rows.map((row) =>
      row.problem === undefined ? row : { ...row, problem: concealProblem(row.problem, values) },
    ),
    ...(refused === undefined ? {} : { refused: concealProblem(refused, values) }),
    notCopied: notCopied.map((one) => ({ ...one, why: hide(one.why) })),
  };
}
