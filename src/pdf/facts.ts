import type { Pdf, Undrawn } from './book.ts';
import type { Doc } from './engine.ts';

/** What is to be said of a PDF beside its bytes. */
export type Facts = Omit<Pdf, 'bytes'>;

/** Writes the facts into the file itself, so that whoever gets only the bytes can tell them. */
export function writeFacts(doc: Doc, { pages, missing, undrawn, cut }: Facts): void {
  const images = Object.entries(undrawn).map(([why, count]) => `${count} ${why}`);
  const parts = [
    `${pages} pages`,
    ...(missing.length === 0 ? [] : [`without ${missing.join(' ')}`]),
    ...(images.length === 0 ? [] : [`undrawn ${images.join(' ')}`]),
    ...(cut === 0 ? [] : [`cut ${cut}`]),
  ];
  doc.info['Docsctl' as 'Keywords'] = `docsctl: ${parts.join(', ')}`;
}

/** Reads the facts out of a file made here; undefined for any other. */
export function readFacts(bytes: Uint8Array): Facts | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = file.lastIndexOf('(docsctl: ');
  const written = at === -1 ? '' : file.toString('latin1', at, at + 800);
  const found =
    /^\(docsctl: (\d{1,7}) pages(?:, without ([A-Za-z ]{1,300}))?(?:, undrawn ([A-Za-z0-9 ]{1,300}))?(?:, cut (\d{1,7}))?\)/.exec(
      written,
    );
  if (found === null) return undefined;
  const [, pages, missing, undrawn = '', cut = '0'] = found;
  const images = [...undrawn.matchAll(/(\d+) (\w+)/g)].map(
    ([, count, why]) => [why as Undrawn, Number(count)] as const,
  );
  return {
    pages: Number(pages),
    missing: missing?.split(' ') ?? [],
    undrawn: Object.fromEntries(images),
    cut: Number(cut),
  };
}
