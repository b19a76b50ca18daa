import { applyPlan, type ApplyResult } from '../../manifest/apply-plan.ts';
import { newRunId, openJournal, runsFolder } from '../../manifest/journal/journal-file.ts';
import type { RunHeader } from '../../manifest/journal/journal-lines.ts';
import type { Kind } from '../../manifest/kind.ts';
import type { StateHandle } from '../../manifest/state-file.ts';
import { isIdle, type PlanDocument, type Step } from '../../manifest/plan-document.ts';
import { Problem } from '../../errors/problem.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { me } from '../../resources/users/contract.ts';
import { confirm } from '../confirm.ts';
import { createStyler } from '../output/style.ts';
import type { Waiting } from '../../content-sync/manifest-content.ts';
import type { Session } from '../session.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { concealProblem } from './conceal.ts';
import type { Live } from './live.ts';
import type { LiveOptions } from './options.ts';
import { refuseUnsupported } from './print-plan.ts';
import { printResult } from './print-result.ts';
import { createRowPrinter } from './print-rows.ts';
import type { PreparedJobs } from './run-jobs.ts';
import { countsText, insideDeletes, planText } from './plan-text.ts';
import { some } from './shown-step.ts';
import { watchApply } from './watch-apply.ts';

export interface Work {
  readonly document: PlanDocument;
  readonly live: Live;
  readonly held: StateHandle;
  readonly table: readonly Kind[];
  readonly secretOf: (from: string) => string | undefined;
  /** Names of the files that the plan was made from. */
  readonly files?: readonly string[];
  /** What is done after the plan. */
  readonly jobs?: PreparedJobs | undefined;
  /** Content that waits for somebody to merge it, filled in while the work is done. */
  readonly waiting?: readonly Waiting[];
  /** The run that is undone. */
  readonly undoes?: string;
}

/** Shows a plan, asks, does it, writes it into a journal, and says what was done. */
export async function carryOut(
  session: Session,
  work: Work,
  {
    jobs,
    skipUnsupported,
    detailedExitcode,
  }: Pick<LiveOptions, 'jobs' | 'skipUnsupported' | 'detailedExitcode'>,
): Promise<void> {
  const { document, live, held, table, secretOf, undoes, jobs: after } = work;
  const { terminal, format, runtime } = session;
  if (format === 'table' || terminal.stderrIsTTY) {
    const color = terminal.color && terminal.stderrIsTTY;
    await terminal.stderr.write(
      planText(document, await createStyler(color)) + ((await after?.text(color)) ?? ''),
    );
  }
  refuseUnsupported(document, skipUnsupported);
  const things = [
    ...(isIdle(document) ? [] : [await deedOf(session, work)]),
    ...(after?.deed === undefined ? [] : [after.deed]),
  ];
  if (things.length > 0)
    await confirm(session, {
      ...(undoes === undefined
        ? { verb: 'apply', noun: 'manifest' }
        : { verb: 'undo', noun: `run ${undoes}` }),
      names: things,
    });
  const journal = openJournal(runsFolder(live.lockOptions.path), await headOf(session, work));
  const watch = watchApply(session, document);
  const rows = createRowPrinter(session);
  const used = new Set<string>();
  const reveal = (from: string): string | undefined => {
    const secret = secretOf(from);
    if (secret !== undefined) used.add(secret);
    return secret;
  };
  const concealed = <R extends ApplyResult['rows'][number]>(row: R): R =>
    row.problem === undefined ? row : { ...row, problem: concealProblem(row.problem, used) };
  let result: ApplyResult;
  try {
    result = await applyPlan({
      document,
      api: live.api,
      handle: held,
      table,
      concurrency: jobs,
      signal: runtime.signal,
      secretOf: reveal,
      skipUnsupported,
      journal: { file: journal, clock: runtime.clock },
      onEvent: (event) => {
        const shown = event.type === 'ended' ? { ...event, row: concealed(event.row) } : event;
        watch.onEvent(shown);
        if (shown.type === 'ended') rows.ended(shown.row);
      },
    });
  } finally {
    watch.done();
    journal.close();
  }
  const done = await after?.run(result);
  await printResult(session, {
    result: { ...result, rows: result.rows.map(concealed) },
    rows,
    jobs: done,
    waiting: work.waiting,
    detailedExitcode,
  });
}

/** The first line of the journal; who it was is asked only where something is done. */
async function headOf(
  { runtime }: Session,
  { document, live, held, files = [], undoes, jobs }: Work,
): Promise<RunHeader> {
  const { clock, randomBytes, version, signal } = runtime;
  const who = isIdle(document)
    ? undefined
    : await live.api.call(me, {}, { signal }).then(({ email, id }) => email ?? id, unknownIfRefused);
  const now = clock();
  return {
    type: 'run',
    version: 1,
    id: newRunId(now, randomBytes),
    place: document.place,
    organization: document.organization,
    at: new Date(now).toISOString(),
    docsctl: version,
    ...(who === undefined ? {} : { who }),
    files: [...files],
    ...(jobs === undefined || jobs.files.length === 0 ? {} : { ingests: [...jobs.files] }),
    serial: held.state.serial,
    ...(undoes === undefined ? {} : { undoes }),
  };
}

/** A token of an integration is nobody's. */
function unknownIfRefused(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

/** What is asked about: how much, where, and what would be lost. */
async function deedOf(session: Session, { document, live }: Work): Promise<string> {
  const { steps, counts } = document;
  const gone = steps
    .filter(({ action }) => action === 'delete')
    .map(({ address, name }: Step) => escapeControls(`${address} ${JSON.stringify(name)}`));
  return `to ${await titleOf(session, document, live)}: ${countsText(counts, insideDeletes(document))}${gone.length === 0 ? '' : ` (${some(gone, 5)})`}`;
}

/** What the organization is called, where somebody is asked; its id where that cannot be read. */
async function titleOf(
  { flags, runtime }: Session,
  { organization }: PlanDocument,
  { api }: Live,
): Promise<string> {
  if (flags.yes === true) return organization;
  const found = await api
    .call(getOrganization, { params: { organizationId: organization } }, { signal: runtime.signal })
    .catch(unknownIfRefused);
  return found === undefined ? organization : JSON.stringify(found.title);
}
