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

const interval = 100;
const clear = '\r\u001b[2K';

/** One line on stderr that is rewritten at most ten times a second; nothing at all unless stderr is a terminal. */
export function createProgress(
  terminal: Pick<Terminal, 'stderr' | 'stderrIsTTY' | 'columns'>,
  { label, total, clock }: ProgressOptions,
): Progress {
  if (!terminal.stderrIsTTY) return { tick: () => {}, note: () => {}, done: () => {} };
  let count = 0;
  let doing = '';
  let drawnAt: number | undefined;
  const draw = () => {
    const now = clock();
    if (drawnAt !== undefined && now >= drawnAt && now - drawnAt < interval) return;
    drawnAt = now;
    const share = total ? ` of ${total} (${Math.min(100, Math.floor((100 * count) / total))} %)` : '';
    void terminal.stderr.write(
      clear +
        truncate(
          escapeControls(`${label} ${count}${share}${doing === '' ? '' : ` ${doing}`}`),
          terminal.columns - 1,
        ),
    );
  };
  return {
    tick: (by = 1) => {
      count += by;
      draw();
    },
    note: (text) => {
      doing = text;
      draw();
    },
    done: () => {
      if (drawnAt !== undefined) void terminal.stderr.write(clear);
      drawnAt = undefined;
    },
  };
}
