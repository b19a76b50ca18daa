import { Problem } from '../../errors/problem.ts';
import { summarizeIngest as countsText } from '../../ingest/summarize-ingest.ts';
import type { ApplyResult } from '../../manifest/apply-plan.ts';
import type { Waiting } from '../../content-sync/manifest-content.ts';
import type { Session } from '../session.ts';
import { jobBody, type JobResult } from './run-jobs.ts';
import type { RowPrinter, ShownRow } from './print-rows.ts';
import { problemText } from './watch-apply.ts';
import { ExitCode } from '../composite-command.ts';

interface Done {
  readonly result: ApplyResult;
  readonly rows: RowPrinter;
  readonly jobs?: readonly JobResult[] | undefined;
  readonly waiting?: readonly Waiting[] | undefined;
  /** Exit 2 where something waits for approval. */
  readonly detailedExitcode?: boolean | undefined;
}

/** Prints what an apply and its jobs did; throws, with the verdict, when not all of it could be done. */
export async function printResult(
  session: Session,
  { result, rows, jobs, waiting = [], detailedExitcode = false }: Done,
): Promise<void> {
  const isWhole = session.format === 'json' || session.format === 'yaml' || session.flags.query !== undefined;
  if (isWhole) {
    const printer = await session.printer({
      columns: ['status', 'action', 'ref', 'id', 'why'],
      noun: 'changes',
    });
    await printer.one({
      ...bodyOf(result),
      ...(waiting.length === 0 ? {} : { waiting }),
      ...(jobs === undefined ? {} : { jobs: jobs.map(jobBody) }),
    });
    await printer.end();
  } else await rows.end(result.rows, (jobs ?? []).map(jobRow));
  noteWaiting(session, result.rows);
  const verdict = `${verdictOf(result)}${jobsVerdict(jobs ?? [])}`;
  // The last line on stderr is the verdict, so none of these has a hint.
  if (result.interrupted || jobs?.some(({ status }) => status === 'stopped') === true)
    throw new Problem('interrupted', `Stopped by a signal: ${verdict} Run it again to go on.`);
  if (
    result.counts.failed > 0 ||
    jobs?.some(
      ({ status, counts }) => status === 'failed' || status === 'skipped' || (counts?.failed ?? 0) > 0,
    ) === true
  )
    throw new Problem('partly-failed', verdict);
  session.note(verdict);
  // As a plan would that is made now.
  if (detailedExitcode && result.counts.waiting > 0) throw new ExitCode(2);
}

/** What each step waits for, in full: in a table it may be cut. */
export function noteWaiting(
  { note }: Session,
  rows: readonly { readonly status: string; readonly key: string; readonly problem?: Problem | undefined }[],
): void {
  for (const { status, key, problem } of rows)
    if (status === 'waiting' && problem !== undefined) note(`${key}: ${problemText(problem)}`);
}

function verdictOf({ counts, unchanged }: ApplyResult): string {
  const { done, waiting, failed, skipped, unsupported, stopped } = counts;
  return `${done} done, ${waiting === 0 ? '' : `${waiting} waiting for approval, `}${failed} failed, ${skipped} skipped, ${unsupported} unsupported${stopped === 0 ? '' : `, ${stopped} not begun`}; ${unchanged} unchanged.`;
}

function jobsVerdict(jobs: readonly JobResult[]): string {
  const counts = { created: 0, updated: 0, unchanged: 0, kept: 0, failed: 0 };
  for (const job of jobs)
    for (const name of Object.keys(counts) as (keyof typeof counts)[])
      counts[name] += job.counts?.[name] ?? 0;
  const undone = jobs.filter(({ status }) => status !== 'done').length;
  return jobs.length === 0
    ? ''
    : ` Jobs: ${countsText({ counts, redacted: {} })}${undone === 0 ? '' : ` ${undone} of ${jobs.length} not done.`}`;
}

function jobRow({ job, status, counts, redacted = {}, problem, because }: JobResult): ShownRow {
  const why = [
    ...(problem === undefined ? [] : [problemText(problem)]),
    ...(because === undefined ? [] : [`because of ${because}`]),
    ...(counts === undefined ? [] : [countsText({ counts, redacted })]),
  ];
  return { status, action: 'ingest', ref: job, kind: 'conversations', name: '', id: '', why: why.join(' ') };
}

/** The result as data: a Problem as the API tells it. */
function bodyOf({ rows, ...rest }: ApplyResult): object {
  return {
    rows: rows.map(({ problem, ...row }) =>
      problem === undefined ? row : { ...row, problem: problem.toJSON().error },
    ),
    ...rest,
  };
}
