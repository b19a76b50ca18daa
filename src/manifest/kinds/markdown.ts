import type { RichDocumentValue } from '../../contract/shapes.ts';
import { Problem } from '../../errors/problem.ts';
import { documentToMarkdown, markdownToDocument } from '../../richtext/index.ts';
import type { Body, Field } from '../kind.ts';

/** A rich document that a file states as Markdown, and null where it is empty. Two texts of the same document are the same. */
export function markdownField<R extends Body>(
  documentOf: (body: R) => RichDocumentValue,
  more: Pick<Field<R>, 'create' | 'call'> = {},
): Field<R> {
  return {
    shape: { kind: 'scalar', types: ['string'], maxLength: 2_000_000, nullable: true },
    default: null,
    read: (body) => textOf(documentOf(body)),
    normalize: (value, _, fault) => {
      try {
        const document = markdownToDocument(String(value));
        if (document.nodes.length > 10_000)
          fault(`has ${document.nodes.length} blocks; at most 10000 are taken`);
        return textOf(document);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        fault(`cannot be read as Markdown: ${error.message}`);
        return null;
      }
    },
    write: (value): RichDocumentValue =>
      value === null ? { object: 'document', data: {}, nodes: [] } : markdownToDocument(String(value)),
    ...more,
  };
}

function textOf(document: RichDocumentValue): string | null {
  return documentToMarkdown(document).trim() || null;
}
