import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { WaitingContent } from '../../content-sync/manifest-content.ts';
import { defined, listSome } from '../../contract/values.ts';
import { applyPlan, type ApplyResult } from '../../manifest/apply-plan.ts';
import { findTwins } from '../../manifest/find-twins.ts';
import { newRunId, openJournal, runsFolder } from '../../manifest/journal/journal-file.ts';
import type { RunHeader } from '../../manifest/journal/journal-lines.ts';
import type { Kind } from '../../manifest/kind.ts';
import { guardActions } from '../../manifest/guard-actions.ts';
import { isIdle, refuseUnsupported, type PlanDocument } from '../../manifest/plan-document.ts';
import type { Survey } from '../../manifest/survey.ts';
import type { StateHandle } from '../../manifest/state-file.ts';
import { me } from '../../resources/users/contract.ts';
import { confirm } from '../confirm/confirm.ts';
import { escapeControls } from '../output/escape-controls.ts';
import type { Session } from '../session/session.ts';
import type { MovedCollector } from './collect-moved.ts';
import type { LiveOptions } from './options.ts';
import { countDropped, formatCounts } from './plan-text.ts';
import { ignoreProblem, readOrganizationTitle } from './note-target.ts';
import { createRowPrinter, printResult } from './print-result.ts';
import type { PreparedJobs } from './run-jobs.ts';
import { showPlan } from './show-plan.ts';
import type { Target } from './target.ts';
import { watchApply } from './watch-apply.ts';

interface PlanRun {
  readonly document: PlanDocument;
  readonly target: Target;
  readonly handle: StateHandle;
  readonly table: readonly Kind[];
  /** The resources that the plan was made with, if they were read in this run. */
  readonly live?: Survey['live'] | undefined;
  readonly files?: readonly string[];
  readonly jobs?: PreparedJobs | undefined;
  /** Content that waits for an approval. It is filled during the run. */
  readonly waiting?: readonly WaitingContent[];
  readonly undoes?: string;
  /** Creates or notes the redirects that the steps need. */
  readonly moved?: MovedCollector;
}

/** Shows a plan, asks for confirmation, applies it with a journal, and prints the result. */
export async function runPlan(
  session: Session,
  run: PlanRun,
  {
    concurrency,
    skipUnsupported,
    detailedExitcode,
    allow,
    failFast,
  }: Pick<LiveOptions, 'concurrency' | 'skipUnsupported' | 'detailedExitcode' | 'allow' | 'failFast'>,
): Promise<void> {
  const { document, target, handle, table, undoes, jobs } = run;
  const { signal, clock } = session.runtime;
  await showPlan(session, document, jobs?.planned);
  refuseUnsupported(document, skipUnsupported);
  guardActions(document, allow);
  const effects = isIdle(document) ? [] : [describeSteps(document)];
  if (jobs?.summary !== undefined) effects.push(jobs.summary);
  const question =
    undoes === undefined
      ? { verb: 'apply', noun: 'manifests', object: 'the manifest' }
      : { verb: 'undo', noun: 'runs', object: `run ${undoes}` };
  if (effects.length > 0 && session.flags.yes !== true)
    await confirm(session, {
      ...question,
      names: [`${undoes === undefined ? 'to' : 'in'} ${await readOrganizationTitle(session, target)}`],
      consequence: `Plan: ${effects.join('; ')}.`,
    });
  const journal = openJournal(runsFolder(target.stateOptions.path), await createHeader(session, run));
  const watch = watchApply(session, document);
  const rows = createRowPrinter(session);
  run.moved?.expect(document);
  const isFirst = handle.state.serial === 0;
  let result: ApplyResult;
  try {
    result = await applyPlan({
      document,
      api: target.api,
      handle,
      table,
      concurrency,
      signal,
      // At most 3.1 seconds in total.
      pause: (attempt) =>
        setTimeout(Math.random() * 50 * 2 ** attempt, undefined, { signal }).catch(() => {}),
      skipUnsupported,
      failFast,
      journal: { file: journal, clock },
      onEvent: (event) => {
        watch.onEvent(event);
        if (event.type === 'ended') rows.ended(event.row);
      },
    });
  } finally {
    watch.done();
    journal.close();
  }
  if (isFirst && result.counts.done > 0) await noteTwins(session, run);
  const moved = await run.moved?.finish(target.organization, handle.state);
  const done = await jobs?.run(result);
  await printResult(session, {
    result,
    rows,
    jobs: done,
    waiting: run.waiting,
    moved,
    detailedExitcode,
    document,
  });
}

/** Warns of resources that another first run may have created at the same time. */
async function noteTwins(
  { runtime: { signal }, note }: Session,
  { document, target: { api, stateOptions }, handle: { state }, table, live }: PlanRun,
): Promise<void> {
  const twins = (await findTwins({ api, document, state, table, live, signal }).catch(ignoreProblem)) ?? [];
  for (const { address, id, field } of twins)
    note(`warning: ${address}: ${id}, which the manifest does not own, has the same ${field}.`);
  if (twins.length > 0)
    note(
      `Perhaps another run without a state file has created ${twins.length === 1 ? 'it' : 'them'} at the same time. If so, undo one of the two runs with \`docsctl runs undo\`, and use the ${basename(stateOptions.path)} of the other run everywhere.`,
    );
}

/** Creates the first line of the journal. The caller is read only if there is something to do. */
async function createHeader(
  { runtime }: Session,
  { document, target, handle, files = [], undoes, jobs }: PlanRun,
): Promise<RunHeader> {
  const { clock, randomBytes, version, signal } = runtime;
  const who = isIdle(document)
    ? undefined
    : await target.api.call(me, {}, { signal }).then(({ email, id }) => email ?? id, ignoreProblem);
  const ingests = jobs === undefined || jobs.files.length === 0 ? undefined : jobs.files.slice();
  const now = clock();
  return defined({
    type: 'run',
    version: 1,
    id: newRunId(now, randomBytes),
    place: document.place,
    organization: document.organization,
    at: new Date(now).toISOString(),
    docsctl: version,
    who,
    files: files.slice(),
    ingests,
    serial: handle.state.serial,
    undoes,
  });
}

/** Describes the changes to confirm: how many, and what is deleted. */
function describeSteps(document: PlanDocument): string {
  const { steps, counts } = document;
  const deleted = steps
    .filter(({ action }) => action === 'delete')
    .map(({ address, name }) => escapeControls(`${address} ${JSON.stringify(name)}`));
  const names = deleted.length === 0 ? '' : ` (${listSome(deleted)})`;
  return `${formatCounts(counts, countDropped(document))}${names}`;
}
