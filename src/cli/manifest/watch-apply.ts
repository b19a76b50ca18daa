import type { ApplyEvent, ResultRow } from '../../manifest/apply-plan.ts';
import type { Action, PlanDocument, Step } from '../../manifest/plan-document.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { visibleSteps } from './describe-step.ts';

/** Shows what an apply does while it does it. */
export interface ApplyWatch {
  readonly onEvent: (event: ApplyEvent) => void;
  /** Takes away what is drawn. */
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

/** On a terminal one line with what runs, what waits and how long it takes still; in a file beside it a line for each step. Failures are told everywhere. */
export function watchApply(
  { terminal, note, format, runtime }: Pick<Session, 'terminal' | 'note' | 'format' | 'runtime'>,
  document: PlanDocument,
): ApplyWatch {
  const { clock } = runtime;
  const total = visibleSteps(document.steps).length;
  const running = new Set<string>();
  const began = clock();
  let ended = 0;
  let progress = createProgress(terminal, { label: 'applied', total, clock });
  const isQuiet = format !== 'table' && !terminal.stderrIsTTY;
  // A failure is not to be missed; what is done stands on standard output, and what waits is told at the end.
  const isTold = (status: ResultRow['status']): boolean =>
    terminal.stderrIsTTY
      ? status === 'failed'
      : terminal.stdoutIsTTY || (status !== 'done' && status !== 'waiting');

  const status = (): string => {
    const waiting = total - ended - running.size;
    const elapsed = clock() - began;
    const left = ended >= 3 && elapsed >= 1000 ? (elapsed / ended) * (total - ended) : undefined;
    return [
      ...(running.size === 0 ? [] : [`running ${firstOf([...running])}`]),
      ...(waiting > 0 ? [`${waiting} waiting`] : []),
      ...(left === undefined ? [] : [`about ${formatDuration(left)} left`]),
    ].join('; ');
  };
  const say = (line: string): void => {
    progress.done();
    note(line);
    // A new one, since the line below the note is empty.
    progress = createProgress(terminal, { label: 'applied', total, clock });
    progress.tick(ended);
  };
  const onEvent = (event: ApplyEvent): void => {
    if (event.type === 'waiting') return;
    if (event.step.action === 'none' && (event.type === 'started' || event.row.status === 'done')) return;
    if (event.type === 'started') running.add(event.step.key);
    else {
      running.delete(event.step.key);
      ended++;
      progress.tick();
      const line = describeRow(event.step, event.row);
      if (!isQuiet && isTold(event.row.status)) say(line);
    }
    progress.note(status());
  };
  return { onEvent, done: () => progress.done() };
}

/** How a step ended, in one line. */
function describeRow({ key, action, at, reason }: Step, { status, id, because, problem }: ResultRow): string {
  switch (status) {
    case 'done':
      return `${pastTense[action]} ${key}${id === undefined ? '' : ` (${id})`}`;
    case 'waiting':
      return `waiting ${key}, for approval`;
    case 'failed':
      return `failed ${key}${at === undefined ? '' : ` at ${at}`}: ${problem === undefined ? 'unknown' : formatProblem(problem)}`;
    case 'skipped':
      return `skipped ${key}, because of ${because ?? 'what failed before'}`;
    case 'unsupported':
      return `left out ${key}: ${reason ?? 'it cannot be done here'}`;
    default:
      return `not begun: ${key}`;
  }
}

/** All of a Problem on one line. */
export function formatProblem({ message, violations, hint }: NonNullable<ResultRow['problem']>): string {
  const more = violations
    .filter((violation) => !message.includes(violation.message))
    .map((violation) => `${violation.path} ${violation.message}`);
  return [message, ...more, hint].filter((text) => text !== undefined && text !== '').join(' ');
}

function firstOf(keys: readonly string[]): string {
  return `${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ` and ${keys.length - 3} more` : ''}`;
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
