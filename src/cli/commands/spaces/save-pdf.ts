import { Problem } from '../../../errors/problem.ts';
import type { FileAnswer } from '../../../contract/file.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { PdfFacts } from '../../../pdf/book.ts';
import type { Session } from '../../session.ts';
import type { SaveOptions } from '../../fields.ts';

/** What is printed, and where to. */
export interface PdfRequest {
  /** Gives the address of a PDF. */
  readonly address: Operation;
  readonly download: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Saves a PDF and says what is in it; without a file to save it in, prints where it can be downloaded. */
export async function savePdf(
  session: Session,
  { address, download, params, query }: PdfRequest,
  options: SaveOptions,
): Promise<void> {
  if (options.out === undefined) {
    if (session.settings.server === undefined && session.format === 'table')
      throw new Problem('usage', 'Nothing serves this store, so the PDF has no address.', {
        hint: 'Save it with -O FILE.',
      });
    const api = await session.api();
    const answer: unknown = await api.call(
      address,
      { params, query },
      {
        signal: session.runtime.signal,
      },
    );
    const printer = await session.printer();
    await printer.one(answer);
    return printer.end();
  }
  const { checkSave, saveFile } = await import('../../save-file.ts');
  checkSave(session, options);
  const file = await fetchPdf(session, download, { params, query });
  await saveFile(session, file, options);
  const { readFacts } = await import('../../../pdf/book.ts');
  const facts = readFacts(file.bytes);
  if (facts === undefined) return;
  session.note(`${facts.pages} ${facts.pages === 1 ? 'page' : 'pages'}`);
  for (const line of await warnings(facts)) session.note(line);
}

/** How long nothing need be said, in milliseconds. */
const noticeAfter = 2000;

/** Asks for the PDF; on a terminal a line says how far it is, or that it takes its time where a server makes it. */
async function fetchPdf(session: Session, operation: Operation, input: object): Promise<FileAnswer> {
  const { runtime, terminal } = session;
  const api = await session.api();
  const { createProgress } = await import('../../output/progress.ts');
  const isFar = session.settings.server !== undefined;
  const waiting =
    isFar && terminal.stderrIsTTY
      ? setTimeout(() => session.note('making the PDF …'), noticeAfter)
      : undefined;
  let done = 0;
  let progress: ReturnType<typeof createProgress> | undefined;
  const onProgress = (count: number, total: number): void => {
    progress ??= createProgress(terminal, { label: 'rendering page', total, clock: runtime.clock });
    progress.tick(count - done);
    done = count;
  };
  try {
    const file: unknown = await api.call(operation, input, { signal: runtime.signal, onProgress });
    return file as FileAnswer;
  } finally {
    clearTimeout(waiting);
    progress?.done();
  }
}

/** Says which characters, images and texts are missing, and what would help. */
async function warnings({ missing, undrawn, cut }: PdfFacts): Promise<string[]> {
  const lines: string[] = [];
  const scripts = missing.filter((name) => name !== 'Emoji');
  if (scripts.length > 0) {
    const { packageFor } = await import('../../../pdf/font-files.ts');
    const packages = [...new Set(scripts.map(packageFor).filter((name) => name !== undefined))];
    lines.push(
      `warning: characters of ${scripts.join(', ').replace('other', 'other scripts')} are shown as □, for want of a font.`,
    );
    if (packages.length > 0)
      lines.push(
        `hint: install ${packages.join(' ')} beside docsctl where the PDF is made (npm install), and make it again.`,
      );
  }
  if (scripts.length < missing.length)
    lines.push(
      'warning: emoji are shown as □: there is no font with colour emoji for a PDF, and none to install.',
    );
  const images = Object.entries(undrawn);
  const count = images.reduce((sum, [, number]) => sum + number, 0);
  if (count > 0) {
    const list = images.map(([why, number]) => `${number} ${reasons[why] ?? why}`).join(', ');
    lines.push(
      `warning: ${count} ${count === 1 ? 'image is a frame with its name' : 'images are frames with their names'}: ${list}.`,
    );
    if (images.some(([why]) => why === 'other' || !(why in reasons)))
      lines.push('hint: PNG and JPEG can be drawn; convert the others.');
  }
  if (cut > 0)
    lines.push(
      `warning: the text of ${cut} ${cut === 1 ? 'page is' : 'pages is'} too long for a PDF and cut; a line in it says where.`,
    );
  return lines;
}

/** Why images are not drawn, beside their formats. */
const reasons: Readonly<Record<string, string>> = {
  web: 'on the web (not fetched)',
  absent: 'not found',
  broken: 'broken',
  large: 'too large',
  other: 'of other formats',
};
