import { Problem } from '../../errors/problem.ts';
import type { NotCopied } from '../../manifest/rehearse/copy.ts';
import type { Rehearsal } from '../../manifest/rehearse/rehearse.ts';
import { createStyler } from '../output/style.ts';
import type { Session } from '../session.ts';
import type { LiveOptions } from './options.ts';
import { planText } from './plan-text.ts';
import { refuseUnsupported } from './print-plan.ts';
import { noteWaiting } from './print-result.ts';
import { some } from './shown-step.ts';
import { problemText } from './watch-apply.ts';
import { ExitCode } from '../composite-command.ts';

/** Prints how a rehearsal went; throws, with the verdict, where an apply would not go well. */
export async function printRehearsal(
  session: Session,
  rehearsal: Rehearsal,
  { skipUnsupported, detailedExitcode }: Pick<LiveOptions, 'skipUnsupported' | 'detailedExitcode'>,
): Promise<void> {
  const { terminal, format, flags } = session;
  const { plan, rows, counts, interrupted, unsettled, refused, notCopied } = rehearsal;
  if (format === 'table' || terminal.stderrIsTTY)
    await terminal.stderr.write(planText(plan, await createStyler(terminal.color && terminal.stderrIsTTY)));
  const isWhole = format === 'json' || format === 'yaml' || flags.query !== undefined;
  if (isWhole || rows.length > 0) {
    const printer = await session.printer({
      columns: ['status', 'action', 'ref', 'id', 'why'],
      noun: 'changes',
    });
    if (isWhole) await printer.one(bodyOf(rehearsal));
    else await printer.page({ items: rowsOf(rehearsal), count: rows.length });
    await printer.end();
  }
  noteWaiting(session, rows);
  for (const { key, action } of unsettled.slice(0, 20))
    session.note(`Never settles: after an apply, a plan would ${action} ${key} again.`);
  if (unsettled.length > 20) session.note(`… and ${unsettled.length - 20} more that never settle.`);
  if (refused !== undefined) session.note(`A plan after that would be refused: ${problemText(refused)}`);
  if (notCopied.length > 0) session.note(`Not copied: ${some(notCopied.map(omittedText))}.`);
  refuseUnsupported(plan, skipUnsupported);
  const verdict = verdictOf(rehearsal);
  // The last line on stderr is the verdict, so none of these has a hint.
  const told = `${verdict} The rehearsal made ${readsText(rehearsal)} and changed nothing.`;
  if (interrupted) throw new Problem('interrupted', `Stopped by a signal: ${told}`);
  if (counts.failed > 0 || unsettled.length > 0 || refused !== undefined)
    throw new Problem('partly-failed', `An apply would not go well: ${told}`);
  session.note(`Rehearsed with ${readsText(rehearsal)}, nothing was changed: ${verdict}`);
  if (detailedExitcode === true && counts.waiting > 0) throw new ExitCode(2);
}

function readsText({ reads }: Rehearsal): string {
  return `${reads} reading ${reads === 1 ? 'call' : 'calls'}`;
}

function verdictOf({ counts, unchanged, unsettled }: Rehearsal): string {
  const { done, waiting, failed, skipped, unsupported, stopped, unrehearsed } = counts;
  const parts = [
    `${done} would be done`,
    ...(waiting === 0 ? [] : [`${waiting} would wait for approval`]),
    `${failed} would fail`,
    `${skipped} would be skipped`,
    `${unsupported} unsupported`,
    ...(stopped === 0 ? [] : [`${stopped} not begun`]),
    ...(unrehearsed === 0 ? [] : [`${unrehearsed} not rehearsed`]),
    ...(unsettled.length === 0 ? [] : [`${unsettled.length} would never settle`]),
  ];
  return `${parts.join(', ')}; ${unchanged} unchanged.`;
}

function omittedText({ kind, names, why }: NotCopied): string {
  return `${kind}${
    names.length === 0
      ? ''
      : ` ${some(
          names.map((name) => JSON.stringify(name)),
          3,
        )}`
  } (${why.replace(/\.$/, '')})`;
}

function bodyOf({ plan, rows, counts, unchanged, unsettled, refused, notCopied, reads }: Rehearsal): object {
  const shown = rows.map(({ problem, ...row }) =>
    problem === undefined ? row : { ...row, problem: problem.toJSON().error },
  );
  return {
    plan,
    rows: shown,
    counts,
    unchanged,
    unsettled,
    ...(refused === undefined ? {} : { refused: refused.toJSON().error }),
    notCopied,
    reads,
  };
}

function rowsOf({ rows }: Rehearsal): object[] {
  return rows.map(({ status, action, key, kind, name, id, problem, because, why = '' }) => ({
    status,
    action,
    ref: key,
    kind,
    name,
    id: id ?? 'new',
    why: problem !== undefined ? problemText(problem) : because === undefined ? why : `because of ${because}`,
  }));
}
