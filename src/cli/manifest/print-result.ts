import { Problem } from '../../errors/problem.ts';
import type { ApplyResult } from '../../manifest/apply.ts';
import type { Session } from '../session.ts';
import { problemText } from './watch-apply.ts';

/** Prints what an apply did; throws, with the verdict, when not all of it could be done. */
export async function printResult(session: Session, result: ApplyResult): Promise<void> {
  const isWhole = session.format === 'json' || session.format === 'yaml' || session.flags.query !== undefined;
  if (isWhole || result.rows.length > 0) {
    const printer = await session.printer({ columns: ['status', 'action', 'ref', 'id', 'why'], noun: 'changes' });
    if (isWhole) await printer.one(bodyOf(result));
    else await printer.page({ items: rowsOf(result), count: result.rows.length });
    await printer.end();
  }
  const verdict = verdictOf(result);
  // The last line on stderr is the verdict, so none of these has a hint.
  if (result.interrupted) throw new Problem('interrupted', `Stopped by a signal: ${verdict} Run it again to go on.`);
  if (result.counts.failed > 0) throw new Problem('partly-failed', verdict);
  session.note(verdict);
}

function verdictOf({ counts, unchanged }: ApplyResult): string {
  const { done, failed, skipped, unsupported, stopped } = counts;
  return `${done} done, ${failed} failed, ${skipped} skipped, ${unsupported} unsupported${stopped === 0 ? '' : `, ${stopped} not begun`}; ${unchanged} unchanged.`;
}

/** The result as data: a Problem as the API tells it. */
function bodyOf({ rows, ...rest }: ApplyResult): object {
  return { rows: rows.map(({ problem, ...row }) => (problem === undefined ? row : { ...row, problem: problem.toJSON().error })), ...rest };
}

function rowsOf({ rows }: ApplyResult): object[] {
  return rows.map(({ status, action, key, kind, name, id, problem, because }) => ({
    status,
    action,
    ref: key,
    kind,
    name,
    id: id ?? '',
    why: problem === undefined ? (because === undefined ? '' : `because of ${because}`) : problemText(problem),
  }));
}
