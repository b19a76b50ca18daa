import pino from 'pino';
import { isoTime, type Clock } from '../core/clock.ts';
import { redactSecrets } from '../redaction/redact-secrets.ts';

/** Log levels, from the least output to the most. `info` logs each request and job, `debug` also probes. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** One entry of the log. Secrets are removed from its texts (`message`, `stack`, `cause`, `store`). */
export interface LogEntry {
  /** What happened. */
  readonly event: 'request' | 'fault' | 'backup' | 'job' | 'start' | 'stop' | 'reload' | 'process';
  readonly [field: string]: unknown;
}

export interface Log {
  readonly write: (level: LogLevel, entry: LogEntry) => void;
  readonly isEnabled: (level: LogLevel) => boolean;
}

interface LogOptions {
  /** The least severe level that is logged. */
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Fields that are added to every entry (default: none). */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Receives each entry as one line of JSON. */
  readonly write: (line: string) => void;
}

/** Creates a log of JSON lines with the fields `level` and `time`, an ISO time. */
export function createLog({ level, clock, fields, write }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: fields ?? null,
      timestamp: () => `,"time":"${isoTime(clock())}"`,
      formatters: { level: (label) => ({ level: label }), log: withoutSecrets },
    },
    { write },
  );
  return {
    write: (severity, entry) => logger[severity](entry),
    isEnabled: (severity) => logger.isLevelEnabled(severity),
  };
}

const freeTexts = ['message', 'stack', 'cause', 'store'] as const;

function withoutSecrets(entry: Record<string, unknown>): Record<string, unknown> {
  const texts = freeTexts.filter((name) => typeof entry[name] === 'string');
  if (texts.length === 0) return entry;
  return { ...entry, ...Object.fromEntries(texts.map((name) => [name, redactSecrets(String(entry[name]))])) };
}
