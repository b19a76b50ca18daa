import { listSome } from '../../contract/values.ts';
import type { ApplyEvent, ResultRow } from '../../manifest/apply-plan.ts';
import type { Action, PlanDocument, Step } from '../../manifest/plan-document.ts';
import { clearProgress, createProgress } from '../output/progress.ts';
import type { Session } from '../session/session.ts';
import { stepName, visibleSteps } from './describe-step.ts';

interface ApplyWatch {
  readonly onEvent: (event: ApplyEvent) => void;
  /** Removes the progress line. */
  readonly done: () => void;
}

const pastTense: Readonly<Record<Action, string>> = {
  create: 'created',
  update: 'updated',
  adopt: 'adopted',
  move: 'moved',
  delete: 'deleted',
  none: 'kept',
  unsupported: 'cannot be done',
};

/**
 * Draws a progress line on a terminal: running and waiting steps. Otherwise notes a line for each step. Failures are always
 * noted.
 */
export function watchApply(
  { terminal, note, format, runtime }: Pick<Session, 'terminal' | 'note' | 'format' | 'runtime'>,
  document: PlanDocument,
): ApplyWatch {
  const { clock } = runtime;
  const total = visibleSteps(document.steps).length;
  const running = new Set<string>();
  let ended = 0;
  const progress = createProgress(terminal, { label: 'applied', total, clock });
  const isQuiet = format !== 'table' && !terminal.stderrIsTTY;
  // Finished steps are printed on standard output, and waiting ones are noted at the end.
  const isNoted = (status: ResultRow['status']) =>
    terminal.stderrIsTTY
      ? status === 'failed'
      : terminal.stdoutIsTTY || (status !== 'done' && status !== 'waiting');

  const status = (): string => {
    const waiting = total - ended - running.size;
    return [
      ...(running.size === 0 ? [] : [`running ${listSome([...running], 3)}`]),
      ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ].join('; ');
  };
  const onEvent = (event: ApplyEvent): void => {
    if (event.type === 'waiting') return;
    if (event.step.action === 'none' && (event.type === 'started' || event.row.status === 'done')) return;
    if (event.type === 'started') running.add(stepName(event.step));
    else {
      running.delete(stepName(event.step));
      ended++;
      progress.tick();
      const line = describeRow(event.step, event.row);
      if (!isQuiet && isNoted(event.row.status)) {
        clearProgress(terminal.stderr);
        note(line);
      }
    }
    progress.note(status());
  };
  return { onEvent, done: () => progress.done() };
}

function describeRow(step: Step, { status, id, because, problem }: ResultRow): string {
  const { action, reason } = step;
  const key = stepName(step);
  switch (status) {
    case 'done':
      return `${pastTense[action]} ${key}${id === undefined ? '' : ` (${id})`}`;
    case 'waiting':
      return `waiting for approval: ${key}`;
    case 'failed':
      return `failed ${describeFailure(step, problem)}`;
    case 'skipped':
      return `skipped ${key}, because ${because ?? 'an earlier step'} failed`;
    case 'unsupported':
      return `skipped ${key}: ${reason ?? 'it cannot be done here'}`;
    default:
      return `not started: ${key}`;
  }
}

/** Describes why a step failed: its name and place, the problem and its hint. */
export function describeFailure(
  step: Pick<Step, 'key' | 'at'>,
  problem: ResultRow['problem'] | undefined,
): string {
  const place = step.at === undefined ? '' : ` at ${step.at}`;
  return `${stepName(step)}${place}: ${problem === undefined ? 'unknown' : formatProblem(problem)}`;
}

/** Writes a problem with its violations and hint on one line. */
export function formatProblem({ message, violations, hint }: NonNullable<ResultRow['problem']>): string {
  const more = violations
    .filter((violation) => !message.includes(violation.message))
    .map((violation) => `${violation.path} ${violation.message}`);
  return [message, ...more, hint].filter((text) => text !== undefined && text !== '').join(' ');
}
