import { escapeControls, escapeControlsByLine } from './escape-controls.ts';

/** Fields that come first in a line of text, or that are not interesting for a person. */
const leading = new Set(['level', 'time', 'event', 'method', 'route', 'status', 'message', 'stack', 'cause']);

/**
 * Converts a JSON line of a log to text for a terminal: the time, the level, the event, then the other fields. Foreign text is
 * escaped.
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
