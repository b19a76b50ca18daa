import { escapeControls, escapeControlsByLine } from './escape-controls.ts';

/** Fields that a line of text begins with, or that say nothing to a person. */
const leading = new Set(['level', 'time', 'event', 'method', 'route', 'status', 'message', 'stack', 'cause']);

/**
 * Turns a line of a log, which is JSON, into a text for a terminal: the time, the level, what happened, then the other fields.
 * Foreign text in it is escaped.
 */
export function logText(line: string): string {
  const entry = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const { level, time, event, method, route, status, message, stack, cause } = entry;
  const isRequest = event === 'request';
  const what = isRequest ? [method, route ?? '(no route)', status] : [event, message];
  const rest = Object.entries(entry)
    .filter(([name, value]) => !leading.has(name) && value !== null)
    .map(([name, value]) => `${name}=${String(value)}`);
  const words = [time, String(level).toUpperCase().padEnd(5), ...what, ...rest];
  const first = escapeControls(words.filter((word) => word !== undefined).join(' '));
  const traces = [stack, cause && `caused by: ${String(cause)}`].filter((text) => text !== undefined);
  return `${[first, ...traces.map((text) => escapeControlsByLine(String(text)))].join('\n')}\n`;
}
