import type { OutputOptions, Writer } from './format.ts';

/** The API's own body, indented; with --all one document { …, items, count } that is written as the pages come. */
export function jsonWriter(options: OutputOptions): Writer {
  const document = (value: unknown) =>
    value === undefined ? '' : `${JSON.stringify(value, null, 2) ?? 'null'}\n`;
  if (!options.all) return { value: document, page: document, end: () => '' };
  let opened = false;
  let count = 0;
  return {
    value: document,
    page: (listing) => {
      const { next: _, count: __, items, ...extra } = listing;
      const beside = Object.entries(extra)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `  ${JSON.stringify(key)}: ${indented(value)},\n`);
      const opening = opened ? '' : `{\n${beside.join('')}  "items": [`;
      const body = items
        .map((item, index) => `${count + index > 0 ? ',' : ''}\n    ${indented(item, '    ')}`)
        .join('');
      opened = true;
      count += items.length;
      return opening + body;
    },
    // The count comes last: only then is it known to be that of the items above.
    end: () => (opened ? `${count > 0 ? '\n  ' : ''}],\n  "count": ${count}\n}\n` : ''),
  };
}

/** Line breaks in JSON text are only ever its layout. */
function indented(value: unknown, by = '  '): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`);
}
