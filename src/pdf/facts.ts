import type { Pdf } from './book.ts';
import type { Doc } from './engine.ts';

/** What is to be said of a PDF beside its bytes. */
export type Facts = Omit<Pdf, 'bytes'>;

/** Writes the facts into the file itself, so that whoever gets only the bytes can tell them. */
export function writeFacts(doc: Doc, { pages, missing }: Facts): void {
  doc.info['Docsctl' as 'Keywords'] = `docsctl: ${pages} pages${missing.length === 0 ? '' : `, without ${missing.join(' ')}`}`;
}

/** Reads the facts out of a file made here; undefined for any other. */
export function readFacts(bytes: Uint8Array): Facts | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = file.lastIndexOf('(docsctl: ');
  const [, pages, missing] = at === -1 ? [] : (/^\(docsctl: (\d{1,7}) pages(?:, without ([A-Za-z ]{1,300}))?\)/.exec(file.toString('latin1', at, at + 400)) ?? []);
  return pages === undefined ? undefined : { pages: Number(pages), missing: missing?.split(' ') ?? [] };
}
