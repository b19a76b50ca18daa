import { plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { readState } from '../../manifest/state-file.ts';
import { rehearse, type Rehearsal } from '../../manifest/rehearse/rehearse.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session/session.ts';
import { noteTarget } from './note-target.ts';
import { openTarget } from './target.ts';
import { checkPrune, type LiveOptions } from './options.ts';
import { withSourceInHints, withSourceInProblem } from './source-in-hints.ts';
import { loadManifest } from './load-manifest.ts';
import { createRehearsedContent } from '../../content-sync/rehearse-content.ts';

/** Rehearses the manifest in the options. */
export async function rehearseManifest(session: Session, options: LiveOptions): Promise<Rehearsal> {
  const { concurrency, prune, maxDeletes } = options;
  checkPrune(options);
  const { runtime, terminal } = session;
  const { signal, clock, cwd } = runtime;
  const manifest = await loadManifest(session, options);
  const target = await openTarget(session, manifest, options);
  await noteTarget(session, target);
  const { api, organization, stateOptions } = target;
  const { openCopy } = await runtime.wiring();
  let progress: ReturnType<typeof createProgress> | undefined;
  try {
    const rehearsal = await rehearse({
      api,
      organization,
      root: manifest.root,
      state: readState(stateOptions),
      concurrency,
      prune,
      maxDeletes,
      signal,
      openCopy: (founder, nextId) => openCopy(runtime, founder, nextId),
      content: createRehearsedContent(manifest.files[0]?.root ?? cwd, signal),
      onCopied: (_, total) => {
        progress ??= createProgress(terminal, { label: 'copied', total, clock });
        progress.tick();
      },
    });
    const { length: count } = manifest.jobs;
    if (count > 0)
      session.note(
        `${plural(count, 'import')} of the manifest ${count === 1 ? 'is' : 'are'} not rehearsed. See what is new with \`docsctl plan\`.`,
      );
    return withSourceInRehearsal(session, rehearsal, options);
  } finally {
    progress?.done();
  }
}

/** Returns a rehearsal whose hints contain complete commands. */
function withSourceInRehearsal(session: Session, rehearsal: Rehearsal, options: LiveOptions): Rehearsal {
  const { plan, rows, refused } = rehearsal;
  const translate = (problem: Problem): Problem => withSourceInProblem(session, problem, options);
  return {
    ...rehearsal,
    plan: withSourceInHints(session, plan, options),
    rows: rows.map((row) => (row.problem === undefined ? row : { ...row, problem: translate(row.problem) })),
    ...(refused && { refused: translate(refused) }),
  };
}
