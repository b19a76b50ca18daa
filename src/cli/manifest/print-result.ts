import { plural } from '../../contract/values.ts';
import type { WaitingContent } from '../../content-sync/manifest-content.ts';
import { Problem } from '../../errors/problem.ts';
import { summarizeIngest } from '../../ingest/summarize-ingest.ts';
import type { ApplyResult, ResultRow } from '../../manifest/apply-plan.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { ExitCode } from '../composite-command.ts';
import type { Printer } from '../output/printer.ts';
import { wantsDocument, type Session } from '../session/session.ts';
import type { Broken } from '../results/broken-redirects.ts';
import type { Moved } from '../results/moved-redirects.ts';
import { refuseProtected } from './protected.ts';
import { jobData, type JobResult } from './run-jobs.ts';
import { describeFailure, formatProblem } from './watch-apply.ts';

export const resultDefaults = { columns: ['status', 'action', 'ref', 'id', 'why'], noun: 'changes' };

/** Prints the results of steps and jobs as a table on standard output. */
interface RowPrinter {
  /** Prints the row of a step that has ended, if the output is a log. */
  readonly ended: (row: ResultRow) => void;
  /** Prints the rows of steps, unless they are already printed, and those of jobs. */
  readonly end: (steps: readonly ResultRow[], jobs: readonly object[]) => Promise<void>;
}

interface RunOutcome {
  readonly result: ApplyResult;
  readonly rows: RowPrinter;
  readonly jobs?: readonly JobResult[] | undefined;
  readonly waiting?: readonly WaitingContent[] | undefined;
  /** The redirects for changed paths of published sites, and the broken ones. */
  readonly moved?:
    | { readonly redirects: readonly Moved[]; readonly brokenRedirects: readonly Broken[] }
    | undefined;
  /** Whether to exit with 2 if something waits for approval. */
  readonly detailedExitcode?: boolean | undefined;
  readonly document: PlanDocument;
}

/**
 * Prints the result of an apply and its jobs.
 *
 * @throws Problem(interrupted), Problem(partly-failed), Problem(guard-refused) with the verdict
 */
export async function printResult(
  session: Session,
  { result, rows, jobs, waiting = [], moved, detailedExitcode = false, document }: RunOutcome,
): Promise<void> {
  const jobResults = jobs ?? [];
  if (wantsDocument(session))
    await session.print(
      {
        ...result,
        rows: result.rows.map(rowData),
        ...(waiting.length === 0 ? {} : { waiting }),
        ...(jobs && { jobs: jobs.map(jobData) }),
        ...moved,
      },
      resultDefaults,
    );
  else await rows.end(result.rows, jobResults.map(jobRow));
  noteWaiting(session, result.rows);
  const verdict = `${verdictOf(result)}${jobsVerdict(jobResults)}`;
  // The last line on stderr is the verdict, so these errors have no hint.
  if (result.interrupted || jobResults.some(({ status }) => status === 'stopped'))
    throw new Problem('interrupted', `Interrupted: ${verdict} Run the command again to continue.`);
  if (result.counts.failed > 0 || jobResults.some(hasFailed))
    throw new Problem(
      'partly-failed',
      `${firstFailure(document, result.rows) ?? firstFailedJob(jobResults)}\n${verdict}`,
    );
  refuseProtected(document.protected, verdict);
  session.note(verdict);
  // A plan that is made now would contain changes.
  if (detailedExitcode && result.counts.waiting > 0) throw new ExitCode(2);
}

/** Describes the first step that failed, in the order of the plan; undefined if none did. */
export function firstFailure({ steps }: PlanDocument, rows: readonly EndedRow[]): string | undefined {
  const failed = rows.find(({ status }) => status === 'failed');
  const step = steps.find(({ key }) => key === failed?.key);
  return step && describeFailure(step, failed?.problem);
}

interface EndedRow {
  readonly status: string;
  readonly key: string;
  readonly problem?: Problem | undefined;
}

/** Notes what steps wait for. A table may cut this text. */
export function noteWaiting({ note }: Session, rows: readonly EndedRow[]): void {
  for (const { status, key, problem } of rows)
    if (status === 'waiting' && problem !== undefined) note(`${key}: ${formatProblem(problem)}`);
}

/** Returns a row as data. Its problem has the form of the API. */
export function rowData<R extends { problem?: Problem | undefined }>({ problem, ...row }: R): object {
  return problem === undefined ? row : { ...row, problem: problem.toJSON().error };
}

/** Returns why a step ended in its state. */
export function reasonOf({ problem, because }: Pick<ResultRow, 'problem' | 'because'>): string {
  if (problem !== undefined) return formatProblem(problem);
  return because === undefined ? '' : `because ${because} failed`;
}

function stepRow(row: ResultRow): object {
  const { status, action, key, kind, name, id = '' } = row;
  return { status, action, ref: key, kind, name, id, why: reasonOf(row) };
}

function jobRow({ job, status, counts, redacted = {}, problem, because }: JobResult): object {
  const why = [
    ...(problem === undefined ? [] : [formatProblem(problem)]),
    ...(because === undefined ? [] : [`because ${because} failed`]),
    ...(counts === undefined ? [] : [summarizeIngest({ counts, redacted })]),
  ];
  return { status, action: 'ingest', ref: job, kind: 'conversations', name: '', id: '', why: why.join(' ') };
}

/** Creates a printer that writes row by row to a log, or all rows at the end. */
export function createRowPrinter(session: Session): RowPrinter {
  const { terminal, format, flags } = session;
  // On a terminal, progress is shown meanwhile.
  const isLog =
    format === 'table' && flags.query === undefined && !terminal.stdoutIsTTY && !terminal.stderrIsTTY;
  let opened: Promise<Printer> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  const print = (items: readonly object[]): void => {
    opened ??= session.printer(resultDefaults);
    const printer = opened;
    written = written.then(async () => (await printer).page({ items, count: items.length }));
    // `end` throws the error after the running steps have ended.
    written.catch(() => {});
  };
  return {
    ended: (row) => {
      if (isLog && (row.action !== 'none' || row.status !== 'done')) print([stepRow(row)]);
    },
    end: async (steps, jobs) => {
      const rows = [...(isLog ? [] : steps.map(stepRow)), ...jobs];
      if (rows.length > 0) print(rows);
      await written;
      await (await opened)?.end();
    },
  };
}

function verdictOf({ counts, unchanged }: ApplyResult): string {
  const { done, waiting, failed, skipped, unsupported, stopped } = counts;
  return `${done} done, ${waiting === 0 ? '' : `${waiting} waiting for approval, `}${failed} failed, ${skipped} skipped, ${unsupported} unsupported${stopped === 0 ? '' : `, ${stopped} not started`}; ${unchanged} unchanged.`;
}

function hasFailed({ status, counts }: JobResult): boolean {
  return status === 'failed' || status === 'skipped' || (counts?.failed ?? 0) > 0;
}

function firstFailedJob(jobs: readonly JobResult[]): string {
  const failed = jobs.filter(hasFailed);
  const { job = '', problem, counts } = failed.find((one) => one.problem !== undefined) ?? failed[0] ?? {};
  return `${job}: ${problem === undefined ? `${plural(counts?.failed ?? 0, 'record')} failed.` : formatProblem(problem)}`;
}

function jobsVerdict(jobs: readonly JobResult[]): string {
  if (jobs.length === 0) return '';
  const counts = { created: 0, updated: 0, unchanged: 0, kept: 0, failed: 0 };
  for (const job of jobs)
    for (const name of Object.keys(counts) as (keyof typeof counts)[])
      counts[name] += job.counts?.[name] ?? 0;
  const undone = jobs.filter(({ status }) => status !== 'done').length;
  const rest = undone === 0 ? '' : ` ${undone} of ${plural(jobs.length, 'import')} not done.`;
  return ` Imports: ${summarizeIngest({ counts, redacted: {} })}${rest}`;
}
