import type { Log, LogEntry, LogLevel } from '../../server/log.ts';
import type { Runtime } from '../runtime.ts';

interface OpenLogOptions {
  readonly logLevel: LogLevel;
  /** Default: text on a terminal, otherwise JSON. */
  readonly logFormat?: 'json' | 'text' | undefined;
  /** Fields of every entry (default: none). */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The levels, the most severe first. */
const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

/**
 * Opens a log on standard error, even with --quiet, because log entries were requested or are errors. The code for entries is
 * loaded with the first one. `written` resolves when all entries so far are written.
 */
export function openLog(
  runtime: Pick<Runtime, 'terminal' | 'clock'>,
  options: OpenLogOptions,
): Log & { written: () => Promise<void> } {
  const isEnabled = (level: LogLevel) => levels.indexOf(level) <= levels.indexOf(options.logLevel);
  const waiting: (readonly [LogLevel, LogEntry])[] = [];
  let opened: Log | undefined;
  let opening: Promise<void> = Promise.resolve();
  const open = async (): Promise<void> => {
    const log = await loadLog(runtime, options);
    for (const entry of waiting) log.write(...entry);
    opened = log;
  };
  /** The files of docsctl may have been replaced since its start. The next entry tries again. */
  const fail = (error: Error): void => {
    waiting.length = 0;
    void runtime.terminal.stderr.write(`error: The log could not be written: ${error.message}\n`);
  };
  return {
    write: (level, entry) => {
      if (!isEnabled(level)) return;
      if (opened !== undefined) return opened.write(level, entry);
      waiting.push([level, entry]);
      if (waiting.length === 1) opening = open().catch(fail);
    },
    isEnabled,
    written: () => opening,
  };
}

async function loadLog(
  { terminal, clock }: Pick<Runtime, 'terminal' | 'clock'>,
  { logLevel, logFormat, fields }: OpenLogOptions,
): Promise<Log> {
  const { stderr, stderrIsTTY } = terminal;
  const [{ createLog }, { logText }, { escapeControlsByLine }] = await Promise.all([
    import('../../server/log.ts'),
    import('../output/log-text.ts'),
    import('../output/escape-controls.ts'),
  ]);
  const isText = (logFormat ?? (stderrIsTTY ? 'text' : 'json')) === 'text';
  return createLog({
    level: logLevel,
    clock,
    fields,
    // After escaping, it is JSON with the same value, and safe on a terminal.
    write: (line) => void stderr.write(isText ? logText(line) : escapeControlsByLine(line)),
  });
}
