import type { Log, LogLevel } from '../server/log.ts';
import type { Runtime } from './runtime.ts';

/** How a log is written. */
export interface OpenLogOptions {
  readonly logLevel: LogLevel;
  /** Default: text on a terminal, else JSON. */
  readonly logFormat?: 'json' | 'text' | undefined;
}

/** Opens a log on standard error, also with --quiet: what is logged was asked for, or is an error. */
export async function openLog(
  { terminal, clock }: Pick<Runtime, 'terminal' | 'clock'>,
  { logLevel, logFormat }: OpenLogOptions,
): Promise<Log> {
  const { stderr, stderrIsTTY } = terminal;
  const [{ createLog }, { logText }, { escapeControlsByLine }] = await Promise.all([
    import('../server/log.ts'),
    import('./output/log-text.ts'),
    import('./output/escape-controls.ts'),
  ]);
  const isText = (logFormat ?? (stderrIsTTY ? 'text' : 'json')) === 'text';
  return createLog({
    level: logLevel,
    clock,
    // What is escaped is still JSON with the same value, and safe on a terminal.
    write: (line) => void stderr.write(isText ? logText(line) : escapeControlsByLine(line)),
  });
}
