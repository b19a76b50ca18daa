import type { OnProgress } from '../../contract/api.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Clock } from '../../core/clock.ts';
import type { Sink, Terminal } from '../runtime.ts';
import { escapeControls } from './escape-controls.ts';
import { truncate } from './width.ts';

interface ProgressOptions {
  /** The thing that is counted: "imported", "jobs". */
  readonly label: string;
  readonly total?: number | (() => number) | undefined;
  readonly clock: Clock;
  /** False where the count is no amount of work, such as seconds of waiting. */
  readonly hasRate?: boolean;
}

/** Milliseconds between two drawings on a terminal, and between two lines elsewhere. */
const drawInterval = 100;
const lineInterval = 10_000;
/** Milliseconds before a rate says anything. */
const rateAfter = 1000;
const clear = '\r\u001b[2K';

/** Milliseconds before a call of the Api is said to take long. */
const slowAfter = 1000;
/** Milliseconds after which a count that stands still, with its time left, is replaced by the time that has passed. */
const staleAfter = 3000;

/** The lines of progress that stand on standard error now. */
const drawnLines = new WeakMap<Sink, () => void>();

/** Those of them that only name a step. What the step counts is shown instead. */
const stepLines = new WeakSet<() => void>();

/** Whether a line of progress stands on a sink that counts something itself. */
function hasLine(sink: Sink): boolean {
  const remove = drawnLines.get(sink);
  return remove !== undefined && !stepLines.has(remove);
}

/** Removes the line of progress that stands on a sink, so that other text does not stick to it. */
export function clearProgress(sink: Sink): void {
  drawnLines.get(sink)?.();
}

/**
 * Shows progress on stderr: how many of how many, the rate and the time left. On a terminal it is one line, drawn at most
 * ten times a second; elsewhere a line every ten seconds.
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
    const now = clock();
    const interval = stderrIsTTY ? drawInterval : lineInterval;
    if (drawnAt !== undefined && now >= drawnAt && now - drawnAt < interval) return;
    drawnAt = now;
    if (!stderrIsTTY) return void stderr.write(`${text(now)}\n`);
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
 * Runs a step of work that cannot be counted. On a terminal, a line names the step and says after a second how long it has
 * taken; elsewhere a line every ten seconds. What a call in the step counts is shown instead.
 */
export async function withStep<T>(
  { terminal, runtime }: { terminal: Terminal; runtime: { readonly clock: Clock } },
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  const { stderr, stderrIsTTY, columns } = terminal;
  const began = runtime.clock();
  const elapsed = () => `${escapeControls(text)}: ${formatDuration(runtime.clock() - began)}`;
  if (!stderrIsTTY) {
    const timer = setInterval(() => void stderr.write(`${elapsed()}\n`), lineInterval).unref();
    return work().finally(() => clearInterval(timer));
  }
  const remove = () => {
    if (drawnLines.get(stderr) !== remove) return;
    drawnLines.delete(stderr);
    void stderr.write(clear);
  };
  stepLines.add(remove);
  const draw = (line: string) => {
    if (hasLine(stderr)) return;
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

/** Runs work that tells how many things of how many are done, with a line of progress. */
export async function withCounts<T>(
  { terminal, runtime }: { terminal: Terminal; runtime: { readonly clock: Clock } },
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
    });
  } finally {
    progress.done();
  }
}

/** What a call of the Api is doing, where nothing else says so. */
interface Activity {
  readonly onProgress: OnProgress;
  readonly end: () => void;
}

/**
 * Shows that a call of the Api takes long: on a terminal after a second, elsewhere a line every ten seconds. What the call
 * itself tells about its progress is shown instead. `isHidden` says whether something else has the screen.
 */
export function showActivity(
  terminal: Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'columns'>,
  { label, clock, isHidden }: { label: string; clock: Clock; isHidden: () => boolean },
): Activity {
  const { stderr, stderrIsTTY, columns } = terminal;
  const began = clock();
  let isDrawn = false;
  const remove = () => {
    if (!isDrawn) return;
    isDrawn = false;
    drawnLines.delete(stderr);
    if (stderrIsTTY) void stderr.write(clear);
  };
  let progress: { readonly what: string; readonly line: Progress } | undefined;
  let countedAt = began;
  const draw = () => {
    const isCounting = progress !== undefined && clock() - countedAt < staleAfter;
    if (isCounting || isHidden() || (!isDrawn && progress === undefined && hasLine(stderr))) return;
    const text = `${label}: ${formatDuration(clock() - began)}`;
    if (!stderrIsTTY) return void stderr.write(`${text}\n`);
    void stderr.write(clear + truncate(text, columns - 1));
    isDrawn = true;
    drawnLines.set(stderr, remove);
  };
  const interval = stderrIsTTY ? slowAfter : lineInterval;
  const timer = setInterval(draw, interval).unref();
  let total = 0;
  let shown = 0;
  return {
    onProgress: (done, of, what = label) => {
      if (isHidden() || (progress === undefined && !isDrawn && hasLine(stderr))) return;
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

/** `, 12/s, 5 s left`, as soon as a second has passed and something is done. */
function describeSpeed(count: number, total: number | undefined, elapsed: number): string {
  if (elapsed < rateAfter || count === 0) return '';
  // The first of many things says little about the others.
  if (total !== undefined && count < Math.min(10, total / 20)) return '';
  const perSecond = count / (elapsed / 1000);
  const rate = perSecond >= 1 ? `${formatRate(perSecond)}/s` : `${formatRate(perSecond * 60)}/min`;
  const left = total === undefined || count >= total ? undefined : (elapsed / count) * (total - count);
  return `, ${rate}${left === undefined ? '' : `, ${formatDuration(left)} left`}`;
}

function formatRate(rate: number): string {
  return rate >= 10 ? String(Math.round(rate)) : String(Math.round(rate * 10) / 10);
}

/** Writes a time in seconds, or in minutes above a minute and a half. */
function formatDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
