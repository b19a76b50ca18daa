import { sha256 } from '../../../content/hashing.ts';
import { isRecord } from '../../../contract/values.ts';
import type { RichDocumentValue } from '../../../contract/shapes.ts';
import { rewriteLinks } from '../../../richtext/rewrite-links.ts';
import type { AnsweredFile, AnsweredPage } from './read-answer.ts';

type Text = Pick<AnsweredPage, 'document' | 'markdown'>;

/** Replaces the file IDs of an integration by the file IDs of the space. */
export type FileReferences = (text: Text) => Text;

/** Returns the ID of a computed file in the space. */
export function computedFileId(seed: string, { key }: AnsweredFile): string {
  return `fil_${seed.replace(/^pag_/, '')}-${sha256(key).slice(0, 12)}`;
}

/** Returns the ID of the page that the integration replaces, from the ID of a computed file; undefined for other IDs. */
export function seedOfFile(id: string): string | undefined {
  const [, seed] = /^fil_(\w+)-[\da-f]{12}$/.exec(id) ?? [];
  return seed === undefined ? undefined : `pag_${seed}`;
}

/** Prepares the replacement of file IDs in the texts of one source. */
export function fileReferences(seed: string, files: readonly AnsweredFile[]): FileReferences {
  if (files.length === 0) return (text) => text;
  const ids = new Map(files.map((file) => [file.key, computedFileId(seed, file)]));
  const valueOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(valueOf);
    if (!isRecord(value)) return value;
    const id =
      value['kind'] === 'file' && typeof value['file'] === 'string' ? ids.get(value['file']) : undefined;
    if (id !== undefined) return { ...value, file: id };
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, valueOf(inner)]));
  };
  return ({ document, markdown }) => ({
    ...(document === undefined ? {} : { document: valueOf(document) as RichDocumentValue }),
    ...(markdown === undefined
      ? {}
      : {
          markdown: rewriteLinks(markdown, (href) => {
            const id = href.startsWith('/files/') ? ids.get(href.slice('/files/'.length)) : undefined;
            return id === undefined ? undefined : `/files/${id}`;
          }),
        }),
  });
}
