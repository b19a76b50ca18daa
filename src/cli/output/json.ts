import { documentWriter, lineWriter } from './document.ts';
import type { OutputOptions, Writer } from './format.ts';

/** The API's own body as indented JSON; with --all one document `{ …, items, count }`. */
export function jsonWriter(options: OutputOptions): Writer {
  return documentWriter(options, {
    separator: '',
    write: (value) => `${JSON.stringify(value, null, 2) ?? 'null'}\n`,
    open: (fields) => {
      const lines = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `  ${JSON.stringify(key)}: ${indented(value, '  ')},\n`);
      return `{\n${lines.join('')}  "items": [`;
    },
    items: (items, count) =>
      items.map((item, index) => `${count + index > 0 ? ',' : ''}\n    ${indented(item, '    ')}`).join(''),
    close: (count) => `${count > 0 ? '\n  ' : ''}],\n  "count": ${count}\n}\n`,
  });
}

/** One item a line, as compact JSON. */
export function ndjsonWriter(): Writer {
  return lineWriter((item) => JSON.stringify(item) ?? 'null');
}

/** Line breaks in JSON text are only ever its layout. */
function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);
}
