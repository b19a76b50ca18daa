import { Document, visit } from 'yaml';
import { documentWriter } from './document.ts';
import { escapeControlsByLine } from './escape-controls.ts';
import type { OutputOptions, Writer } from './format.ts';

/** Creates a writer of the API's body as YAML; with --all, one document. */
export function yamlWriter(options: OutputOptions): Writer {
  return documentWriter(options, {
    separator: '---\n',
    write: yamlText,
    open: (fields) => (Object.keys(fields).length === 0 ? '' : yamlText(fields)),
    items: (items, count) =>
      items.length === 0 ? '' : (count === 0 ? 'items:\n' : '') + yamlText(items).replace(/^(?=.)/gm, '  '),
    close: (count) => `${count === 0 ? 'items: []\n' : ''}count: ${count}\n`,
  });
}

/** Texts of several lines that would change if `yaml` wrote them as a block. */
const unsafeInBlock = /^\s|[ \t]\n|\n\s|\n[^]*[ \t]$/;

/** Formats one value. Text with control characters is double-quoted, so that they can be escaped. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      const { value: text } = node;
      if (typeof text !== 'string') return;
      if (escapeControlsByLine(text) !== text || (text.includes('\n') && unsafeInBlock.test(text)))
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
