import { Document, visit } from 'yaml';
import { escapeControlsByLine } from './escape-controls.ts';
import type { OutputOptions, Writer } from './format.ts';

/** The API's own body as YAML; with --all one document whose items are written as the pages come. */
export function yamlWriter(options: OutputOptions): Writer {
  let values = 0;
  const document = (value: unknown) =>
    value === undefined ? '' : `${values++ > 0 ? '---\n' : ''}${yamlText(value)}`;
  if (!options.all) return { value: document, page: document, end: () => '' };
  let opened = false;
  let count = 0;
  return {
    value: document,
    page: (listing) => {
      const { next: _, count: __, items, ...extra } = listing;
      const opening = opened || Object.keys(extra).length === 0 ? '' : yamlText(extra);
      opened = true;
      if (items.length === 0) return opening;
      const head = count === 0 ? 'items:\n' : '';
      count += items.length;
      return opening + head + yamlText(items).replace(/^(?=.)/gm, '  ');
    },
    end: () => (opened ? `${count === 0 ? 'items: []\n' : ''}count: ${count}\n` : ''),
  };
}

/** Several lines that `yaml` does not give back as they were when it writes them as a block. */
const loosely = /^\s|[ \t]\n|\n\s|\n[^]*[ \t]$/;

/** One value; text that has anything odd in it is put in double quotes, where it can be escaped. */
function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== 'string') return;
      if (
        escapeControlsByLine(node.value) !== node.value ||
        (node.value.includes('\n') && loosely.test(node.value))
      )
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
