import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { helpOf } from '../composite-command.ts';
import { memorySink } from '../output/stream-sink.ts';
import { withValues, type Runtime } from '../runtime.ts';
import { readSeconds } from '../input/timeout.ts';

/** Refuses to repeat a command that may change something or writes a file. @throws Problem(usage) */
export function checkWatch(command: Command): void {
  const { operation } = helpOf(command);
  if (operation?.method === 'GET' && operation.returns.file !== true) return;
  throw new Problem('usage', '--watch repeats only commands that list or show something.');
}

const defaultInterval = '2';

/**
 * Repeats a command until it is interrupted. When its output changes, it is drawn again on a terminal, and documents are printed
 * again. Of other output, only new lines are printed, as a stream of changed records.
 */
export async function watch(
  runtime: Runtime,
  interval: string | undefined,
  runOnce: (runtime: Runtime) => Promise<{ isDocument: boolean }>,
): Promise<void> {
  const seconds = readSeconds(interval ?? defaultInterval, '--interval', { min: 'positive' });
  const { terminal, signal } = runtime;
  const { stdout, stderr, stdoutIsTTY } = terminal;
  let shown: string | undefined;
  let noted = '';
  while (!signal.aborted && !stdout.closed) {
    const [out, notes] = [memorySink(), memorySink()];
    const round = withValues(runtime, {
      terminal: withValues(terminal, { stdout: out, stderr: notes, stderrIsTTY: false }),
    });
    const done = await runOnce(round).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (done === undefined) return;
    const text = out.text();
    if (text !== shown) {
      const changed = shown === undefined || done.isDocument ? text : newLines(text, shown);
      await stdout.write(stdoutIsTTY ? clearScreen + text : changed);
    }
    if (notes.text() !== noted || (stdoutIsTTY && text !== shown)) await stderr.write(notes.text());
    [shown, noted] = [text, notes.text()];
    await stdout.flush();
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
  }
}

/** Moves to the top and clears the screen. The scrollback of the terminal is kept. */
const clearScreen = '\u001b[H\u001b[J';

/** Returns the lines that were not printed before. */
function newLines(text: string, shown: string): string {
  const known = new Set(shown.split('\n'));
  return text
    .split('\n')
    .filter((line) => line !== '' && !known.has(line))
    .map((line) => `${line}\n`)
    .join('');
}
