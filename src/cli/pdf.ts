import type { FileAnswer } from '../contract/file.ts';
import type { Operation } from '../contract/operation.ts';
import type { SaveOptions } from './save-options.ts';
import type { Session } from './session.ts';

/** What is printed, and where to. */
export interface PdfRequest {
  /** Gives the address of a PDF. */
  readonly address: Operation;
  readonly download: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Saves a PDF and says what is in it; without a file to save it in, prints where it can be downloaded. */
export async function savePdf(session: Session, { address, download, params, query }: PdfRequest, options: SaveOptions): Promise<void> {
  if (options.out === undefined) {
    const api = await session.api();
    const answer: unknown = await api.call(address, { params, query } as never, { signal: session.runtime.signal });
    const printer = await session.printer();
    await printer.one(answer);
    return printer.end();
  }
  const { checkSave, saveFile } = await import('./save-file.ts');
  checkSave(session, options);
  const api = await session.api();
  const file: unknown = await api.call(download, { params, query } as never, { signal: session.runtime.signal });
  const { bytes } = file as FileAnswer;
  await saveFile(session, file as FileAnswer, options);
  const { readFacts } = await import('../pdf/facts.ts');
  const facts = readFacts(bytes);
  if (facts === undefined) return;
  session.note(`${facts.pages} ${facts.pages === 1 ? 'page' : 'pages'}`);
  if (facts.missing.length > 0) await warn(session, facts.missing);
}

/** Says which characters are missing, and what to install where that would help. */
async function warn(session: Session, missing: readonly string[]): Promise<void> {
  const { packageFor } = await import('../pdf/font-files.ts');
  const packages = [...new Set(missing.map(packageFor).filter((name) => name !== undefined))];
  session.note(`warning: characters of ${missing.join(', ').replace('other', 'other scripts')} are shown as □, for want of a font.`);
  if (packages.length > 0) session.note(`hint: install ${packages.join(' ')} beside docsctl where the PDF is made (npm install), and make it again.`);
}
