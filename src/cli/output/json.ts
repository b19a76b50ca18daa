import { documentWriter, lineWriter } from './document.ts';
import type { OutputOptions, Writer } from './format.ts';

/** Creates a writer of the API's body as indented JSON; with --all, one document `{ …, items, count }`. */
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

/** Creates a writer of compact JSON, one item per line. */
export function ndjsonWriter(): Writer {
  return lineWriter((item) => JSON.stringify(item) ?? 'null');
}

/** Indents JSON text. Its line breaks are only layout. */
function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);
}
