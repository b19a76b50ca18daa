import { nullable, Type } from '../../contract/schema.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import { Problem } from '../../errors/problem.ts';
import { documentToMarkdown, markdownToDocument } from '../../richtext/markdown.ts';
import type { Body, Field } from '../kind.ts';

/** A rich document. In a manifest it is Markdown, or null if it is empty. Texts that mean the same document are equal. */
export function markdownField<R extends Body>(
  description: string,
  documentOf: (body: R) => RichDocumentValue,
  more: Pick<Field<R>, 'create'> = {},
): Field<R> {
  return {
    schema: nullable(Type.String({ maxLength: 2_000_000, description })),
    default: null,
    read: (body) => textOf(documentOf(body)),
    normalize: (value, _, fault) => {
      try {
        const document = markdownToDocument(String(value));
        if (document.nodes.length > 10_000)
          fault(`has ${document.nodes.length} blocks; at most 10000 are allowed`);
        return textOf(document);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        fault(`cannot be read as Markdown: ${error.message}`);
        return null;
      }
    },
    write: (value): RichDocumentValue =>
      value === null
        ? { object: 'document', data: { schemaVersion: 2 }, nodes: [] }
        : markdownToDocument(String(value)),
    ...more,
  };
}

function textOf(document: RichDocumentValue): string | null {
  return documentToMarkdown(document).trim() || null;
}
