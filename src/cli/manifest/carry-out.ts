import { applyPlan, type ApplyResult } from '../../manifest/apply.ts';
import type { Kind } from '../../manifest/kind.ts';
import type { HeldLock } from '../../manifest/lock-file.ts';
import { isEmpty, type PlanDocument, type Step } from '../../manifest/plan-document.ts';
import { confirm } from '../confirm.ts';
import { createInk } from '../output/markdown/ink.ts';
import type { Session } from '../session.ts';
import { concealProblem } from './conceal.ts';
import type { Live } from './live.ts';
import type { LiveOptions } from './options.ts';
import { refuseUnsupported } from './print-plan.ts';
import { printResult } from './print-result.ts';
import { countsText, planText } from './plan-text.ts';
import { some } from './shown-step.ts';
import { watchApply } from './watch-apply.ts';

export interface Work {
  readonly document: PlanDocument;
  readonly live: Live;
  readonly held: HeldLock;
  readonly table: readonly Kind[];
  readonly secretOf: (from: string) => string | undefined;
}

/** Shows a plan, asks, does it, and says what was done. */
export async function carryOut(session: Session, { document, live, held, table, secretOf }: Work, { jobs, skipUnsupported }: LiveOptions): Promise<void> {
  const { terminal, format, runtime } = session;
  if (format === 'table' || terminal.stderrIsTTY) await terminal.stderr.write(planText(document, await createInk(terminal.colour && terminal.stderrIsTTY)));
  refuseUnsupported(document, skipUnsupported);
  if (!isEmpty(document)) await confirm(session, { verb: 'apply', noun: 'manifest', things: [deedOf(document)] });
  const watch = watchApply(session, document);
  const used = new Set<string>();
  const reveal = (from: string): string | undefined => {
    const secret = secretOf(from);
    if (secret !== undefined) used.add(secret);
    return secret;
  };
  const concealed = <R extends ApplyResult['rows'][number]>(row: R): R => (row.problem === undefined ? row : { ...row, problem: concealProblem(row.problem, used) });
  let result: ApplyResult;
  try {
    result = await applyPlan({
      document,
      api: live.api,
      held,
      table,
      jobs,
      signal: runtime.signal,
      secretOf: reveal,
      skipUnsupported,
      onEvent: (event) => watch.onEvent(event.type === 'ended' ? { ...event, row: concealed(event.row) } : event),
    });
  } finally {
    watch.done();
  }
  await printResult(session, { ...result, rows: result.rows.map(concealed) });
}

/** What is asked about: how much, where, and what would be lost. */
function deedOf({ steps, counts, organization }: PlanDocument): string {
  const gone = steps.filter(({ action }) => action === 'delete').map(({ address, name }: Step) => `${address} ${JSON.stringify(name)}`);
  return `to ${organization}: ${countsText(counts)}${gone.length === 0 ? '' : ` (${some(gone, 5)})`}`;
}
