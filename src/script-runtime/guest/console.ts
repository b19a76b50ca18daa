const maxDepth = 4;

function describe(value: unknown, depth: number, seen: readonly object[]): string {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return `[Function ${value.name}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Error) {
    const { name, message, stack = '' } = value;
    return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`.trimEnd();
  }
  if (seen.includes(value)) return '[Circular]';
  if (depth >= maxDepth) return Array.isArray(value) ? '[Array]' : '[Object]';
  const inside = [...seen, value];
  const show = (one: unknown) => describe(one, depth + 1, inside);
  if (Array.isArray(value)) return `[ ${value.slice(0, 100).map(show).join(', ')} ]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') return show(toJson.call(value));
  const isList = value instanceof Map || value instanceof Set;
  if (isList) return `${value.constructor.name} ${show([...value])}`;
  const fields = Object.entries(value).slice(0, 100);
  return `{ ${fields.map(([key, one]) => `${key}: ${show(one)}`).join(', ')} }`;
}

/** Describes a value of a script in one text. It never throws, whatever the value does when it is read. */
export function describeValue(value: unknown): string {
  try {
    return describe(value, 0, []);
  } catch {
    return '[not readable]';
  }
}

type Level = 'debug' | 'info' | 'warn' | 'error';

const ignore = () => undefined;

/** Returns the `console` of scripts. `log` receives each line, which becomes part of the trace of the event. */
export function createConsole(log: (level: Level, text: string) => void): object {
  const write =
    (level: Level) =>
    (...values: unknown[]): void => {
      const text = values.map(describeValue).join(' ');
      log(level, text.slice(0, 16_384));
    };
  return {
    debug: write('debug'),
    trace: write('debug'),
    log: write('info'),
    info: write('info'),
    dir: write('info'),
    table: write('info'),
    warn: write('warn'),
    error: write('error'),
    assert: (holds: unknown, ...values: unknown[]): void => {
      if (holds !== true) write('error')('Assertion failed', ...values);
    },
    group: write('info'),
    groupCollapsed: write('info'),
    groupEnd: ignore,
    time: ignore,
    timeLog: ignore,
    timeEnd: ignore,
    count: ignore,
  };
}
