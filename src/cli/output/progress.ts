import type { Clock } from '../../core/clock.ts';
import { escapeControls } from './escape-controls.ts';
import { truncate } from './width.ts';
import type { Progress } from '../../contract/progress.ts';
import type { Terminal } from '../runtime.ts';

interface ProgressOptions {
  readonly label: string;
  readonly total?: number | undefined;
  readonly clock: Clock;
}

/** Milliseconds between two drawings. */
const interval = 100;
const clear = '\r\u001b[2K';

/** Draws progress as one line on stderr, at most ten times a second; does nothing unless stderr is a terminal. */
export function createProgress(
  terminal: Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'columns'>,
  { label, total, clock }: ProgressOptions,
): Progress {
  if (!terminal.stderrIsTTY) return { tick: () => {}, note: () => {}, done: () => {} };
  let count = 0;
  let activity = '';
  let drawnAt: number | undefined;
  const draw = () => {
    const now = clock();
    if (drawnAt !== undefined && now >= drawnAt && now - drawnAt < interval) return;
    drawnAt = now;
    const share = total ? ` of ${total} (${Math.min(100, Math.floor((100 * count) / total))} %)` : '';
    const line = escapeControls(`${label} ${count}${share}${activity === '' ? '' : ` ${activity}`}`);
    void terminal.stderr.write(clear + truncate(line, terminal.columns - 1));
  };
  return {
    tick: (by = 1) => {
      count += by;
      draw();
    },
    note: (text) => {
      activity = text;
      draw();
    },
    done: () => {
      if (drawnAt !== undefined) void terminal.stderr.write(clear);
      drawnAt = undefined;
    },
  };
}
