import { listSome, plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { refuseUnsupported } from '../../manifest/plan-document.ts';
import type { NotCopied } from '../../manifest/rehearse/copy.ts';
import type { Rehearsal } from '../../manifest/rehearse/rehearse.ts';
import { ExitCode } from '../composite-command.ts';
import { wantsDocument, type Session } from '../session/session.ts';
import type { LiveOptions } from './options.ts';
import { refuseProtected } from './protected.ts';
import { firstFailure, noteWaiting, reasonOf, resultDefaults, rowData } from './print-result.ts';
import { showPlan } from './show-plan.ts';
import { formatProblem } from './watch-apply.ts';

/** Prints the result of a rehearsal. @throws Problem(interrupted), Problem(partly-failed) with the verdict */
export async function printRehearsal(
  session: Session,
  rehearsal: Rehearsal,
  { skipUnsupported, detailedExitcode }: Pick<LiveOptions, 'skipUnsupported' | 'detailedExitcode'>,
): Promise<void> {
  const { plan, rows, counts, interrupted, unsettled, refused, notCopied } = rehearsal;
  await showPlan(session, plan);
  if (wantsDocument(session)) await session.print(rehearsalData(rehearsal), resultDefaults);
  else if (rows.length > 0) await session.printAll(displayRows(rehearsal), resultDefaults);
  noteWaiting(session, rows);
  for (const { key, action } of unsettled.slice(0, 20))
    session.note(`Every apply would change this: a plan after the apply would ${action} ${key} again.`);
  if (unsettled.length > 20)
    session.note(`… and ${unsettled.length - 20} more that every apply would change.`);
  if (refused !== undefined) session.note(`A plan after the apply would fail: ${formatProblem(refused)}`);
  if (notCopied.length > 0) session.note(`Not copied: ${listSome(notCopied.map(describeOmitted), 10)}.`);
  refuseUnsupported(plan, skipUnsupported);
  const verdict = verdictOf(rehearsal);
  const calls = plural(rehearsal.reads, 'read request');
  // The last line on stderr is the verdict, so these errors have no hint.
  const message = `${verdict} The rehearsal made ${calls} and changed nothing.`;
  if (interrupted) throw new Problem('interrupted', `Interrupted: ${message}`);
  if (counts.failed > 0 || unsettled.length > 0 || refused !== undefined)
    throw new Problem(
      'partly-failed',
      `An apply would not succeed: ${[firstFailure(plan, rows), message].filter(Boolean).join('\n')}`,
    );
  refuseProtected(plan.protected, message);
  session.note(`Rehearsed with ${calls}; nothing was changed. ${verdict}`);
  if (detailedExitcode === true && counts.waiting > 0) throw new ExitCode(2);
}

function verdictOf({ counts, unchanged, unsettled }: Rehearsal): string {
  const { done, waiting, failed, skipped, unsupported, stopped, unrehearsed } = counts;
  const parts = [
    `${done} would be done`,
    ...(waiting === 0 ? [] : [`${waiting} would wait for approval`]),
    `${failed} would fail`,
    `${skipped} would be skipped`,
    `${unsupported} unsupported`,
    ...(stopped === 0 ? [] : [`${stopped} not started`]),
    ...(unrehearsed === 0 ? [] : [`${unrehearsed} not rehearsed`]),
    ...(unsettled.length === 0 ? [] : [`${unsettled.length} would be changed by every apply`]),
  ];
  return `${parts.join(', ')}; ${unchanged} unchanged.`;
}

function describeOmitted({ kind, names, why }: NotCopied): string {
  const quoted = names.map((name) => JSON.stringify(name));
  return `${kind}${quoted.length === 0 ? '' : ` ${listSome(quoted, 3)}`} (${why.replace(/\.$/, '')})`;
}

function rehearsalData(rehearsal: Rehearsal): object {
  const { plan, rows, counts, unchanged, unsettled, refused, notCopied, reads } = rehearsal;
  return {
    plan,
    rows: rows.map(rowData),
    counts,
    unchanged,
    unsettled,
    ...(refused && { refused: refused.toJSON().error }),
    notCopied,
    reads,
  };
}

function displayRows({ rows }: Rehearsal): object[] {
  return rows.map((row) => {
    const { status, action, key, kind, name, id = 'new', why = '' } = row;
    return { status, action, ref: key, kind, name, id, why: reasonOf(row) || why };
  });
}
