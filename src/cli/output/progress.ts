import type { OnProgress } from '../../contract/api.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Clock } from '../../core/clock.ts';
import type { Sink, Terminal } from '../runtime.ts';
import { escapeControls } from './escape-controls.ts';
import { truncate } from './width.ts';

interface ProgressOptions {
  /** The label of the count: "imported", "jobs". */
  readonly label: string;
  readonly total?: number | (() => number) | undefined;
  readonly clock: Clock;
  /** False if the count is not an amount of work, such as seconds of waiting. */
  readonly hasRate?: boolean;
}

/** Milliseconds between two drawings on a terminal. */
const drawInterval = 100;
const lineInterval = 10_000;
/** Milliseconds after which the rate is shown. */
const rateAfter = 1000;
const clear = '\r\u001b[2K';

/** Milliseconds after which a call of the Api counts as slow. */
const slowAfter = 1000;
/** Milliseconds after which the remaining time of an unchanged count is replaced by the elapsed time. */
const staleAfter = 3000;

/** The progress lines that are currently shown on standard error. */
const drawnLines = new WeakMap<Sink, () => void>();

/** Those of them that only name a step. Counts of the step replace them. */
const stepLines = new WeakSet<() => void>();

/** Sinks that show nothing at the moment, because something else uses their screen. */
const hiddenSinks = new WeakSet<Sink>();

/** Removes the progress on a screen and shows no other while something else, such as a pager, uses the screen. */
export function hideProgress(sink: Sink, isHidden: boolean): void {
  clearProgress(sink);
  if (isHidden) hiddenSinks.add(sink);
  else hiddenSinks.delete(sink);
}

/** When a count was last written on its own line, by sink. */
const lastCounts = new WeakMap<Sink, number>();

/** Whether a count writes lines on a sink. Each line comes slightly later than one interval after the previous one. */
function hasCount(sink: Sink, now: number): boolean {
  const last = lastCounts.get(sink);
  return last !== undefined && now - last < 1.5 * lineInterval;
}

/** Whether a sink shows a progress line with a count. */
function hasLine(sink: Sink): boolean {
  const remove = drawnLines.get(sink);
  return remove !== undefined && !stepLines.has(remove);
}

/** Removes the progress line on a sink before other text is written. */
export function clearProgress(sink: Sink): void {
  drawnLines.get(sink)?.();
}

/**
 * Shows progress on stderr: the count, the rate and the remaining time. On a terminal it is one line, drawn at most ten times a
 * second; otherwise a line every ten seconds.
 */
export function createProgress(
  terminal: Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'columns'>,
  { label, total: given, clock, hasRate = true }: ProgressOptions,
): Progress {
  const { stderr, stderrIsTTY, columns } = terminal;
  const startedAt = clock();
  let count = 0;
  let activity = '';
  let drawnAt: number | undefined = stderrIsTTY ? undefined : startedAt;
  const text = (now: number): string => {
    const total = typeof given === 'function' ? given() : given;
    const share = total ? ` of ${total} (${Math.min(100, Math.floor((100 * count) / total))} %)` : '';
    const speed = hasRate ? describeSpeed(count, total, now - startedAt) : '';
    const counted = count === 0 && total === 0 ? '…' : `${count}${share}${speed}`;
    return escapeControls(`${label} ${counted}${activity === '' ? '' : ` ${activity}`}`);
  };
  const remove = () => {
    if (!stderrIsTTY || drawnAt === undefined) return;
    drawnAt = undefined;
    drawnLines.delete(stderr);
    void stderr.write(clear);
  };
  const draw = () => {
    if (stderrIsTTY && hiddenSinks.has(stderr)) return;
    const now = clock();
    const interval = stderrIsTTY ? drawInterval : lineInterval;
    if (drawnAt !== undefined && now >= drawnAt && now - drawnAt < interval) return;
    drawnAt = now;
    if (!stderrIsTTY) {
      lastCounts.set(stderr, now);
      return void stderr.write(`${text(now)}\n`);
    }
    void stderr.write(clear + truncate(text(now), columns - 1));
    drawnLines.set(stderr, remove);
  };
  return {
    tick: (by = 1) => {
      count += by;
      draw();
    },
    note: (now) => {
      activity = now;
      draw();
    },
    done: remove,
  };
}

/**
 * Runs a step of work without a count. On a terminal, a line names the step and, after a second, the elapsed time; otherwise a
 * line every ten seconds. If a call in the step has a count, it is shown instead.
 */
export async function withStep<T>(
  { terminal, runtime }: { terminal: Terminal; runtime: { clock: Clock } },
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const { stderr, stderrIsTTY, columns } = terminal;
  const began = runtime.clock();
  const elapsed = () => `${escapeControls(text)}: ${formatDuration(runtime.clock() - began)}`;
  if (!stderrIsTTY) {
    const draw = (): void => {
      if (!hasCount(stderr, runtime.clock())) void stderr.write(`${elapsed()}\n`);
    };
    const timer = setInterval(draw, lineInterval).unref();
    return work().finally(() => clearInterval(timer));
  }
  const remove = () => {
    if (drawnLines.get(stderr) !== remove) return;
    drawnLines.delete(stderr);
    void stderr.write(clear);
  };
  stepLines.add(remove);
  const draw = (line: string) => {
    if (hasLine(stderr) || hiddenSinks.has(stderr)) return;
    void stderr.write(clear + truncate(line, columns - 1));
    drawnLines.set(stderr, remove);
  };
  draw(`${escapeControls(text)} …`);
  const timer = setInterval(() => draw(elapsed()), slowAfter).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    remove();
  }
}

/** Runs work that reports its count and total, with a progress line. */
export async function withCounts<T>(
  { terminal, runtime }: { terminal: Terminal; runtime: { clock: Clock } },
  label: string,
  work: (onCount: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let total = 0;
  let shown = 0;
  const progress = createProgress(terminal, { label, total: () => total, clock: runtime.clock });
  try {
    return await work((done, of) => {
      total = of;
      progress.tick(done - shown);
      shown = done;
      // The rest of the step is not part of the count, and may take long.
      if (done === of) progress.done();
    });
  } finally {
    progress.done();
  }
}

/** The activity of a call of the Api, shown if nothing else is. */
interface Activity {
  readonly onProgress: OnProgress;
  readonly end: () => void;
}

/**
 * Shows that a call of the Api takes long: on a terminal after a second, otherwise a line every ten seconds. If the call reports
 * its own progress, that is shown instead. `isHidden` returns whether something else uses the screen.
 */
export function showActivity(
  terminal: Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'columns'>,
  { label, clock, isHidden }: { label: string; clock: Clock; isHidden: () => boolean },
): Activity {
  const { stderr, stderrIsTTY, columns } = terminal;
  const began = clock();
  const isDrawn = () => drawnLines.get(stderr) === remove;
  const remove = () => {
    if (!isDrawn()) return;
    drawnLines.delete(stderr);
    if (stderrIsTTY) void stderr.write(clear);
  };
  /** Whether another progress line is shown, and this one has no count to show. */
  const isCovered = () => progress === undefined && !isDrawn() && hasLine(stderr);
  let progress: { what: string; line: Progress } | undefined;
  let countedAt = began;
  const draw = () => {
    const isCounting = progress !== undefined && clock() - countedAt < staleAfter;
    if (isCounting || isHidden() || isCovered()) return;
    const text = `${label}: ${formatDuration(clock() - began)}`;
    if (!stderrIsTTY) return hasCount(stderr, clock()) ? undefined : void stderr.write(`${text}\n`);
    void stderr.write(clear + truncate(text, columns - 1));
    drawnLines.set(stderr, remove);
  };
  const interval = stderrIsTTY ? slowAfter : lineInterval;
  const timer = setInterval(draw, interval).unref();
  let total = 0;
  let shown = 0;
  return {
    onProgress: (done, of, what = label) => {
      if (isHidden() || isCovered()) return;
      remove();
      if (progress?.what !== what) {
        progress?.line.done();
        progress = { what, line: createProgress(terminal, { label: what, total: () => total, clock }) };
        shown = 0;
      }
      total = of;
      countedAt = clock();
      progress.line.tick(done - shown);
      shown = done;
    },
    end: () => {
      clearInterval(timer);
      progress?.line.done();
      remove();
    },
  };
}

/** Returns `, 12/s, 5 s left` after a second if something is done. */
export function describeSpeed(count: number, total: number | undefined, elapsed: number): string {
  if (elapsed < rateAfter || count === 0) return '';
  // The first of many items are not representative.
  if (total !== undefined && count < Math.min(10, total / 20)) return '';
  const perSecond = count / (elapsed / 1000);
  const rate = perSecond >= 1 ? `${formatRate(perSecond)}/s` : `${formatRate(perSecond * 60)}/min`;
  const left = total === undefined || count >= total ? undefined : (elapsed / count) * (total - count);
  return `, ${rate}${left === undefined ? '' : `, ${formatDuration(left)} left`}`;
}

function formatRate(rate: number): string {
  return rate >= 10 ? String(Math.round(rate)) : String(Math.round(rate * 10) / 10);
}

/** Formats a duration in seconds, or in minutes from a minute and a half. */
function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
