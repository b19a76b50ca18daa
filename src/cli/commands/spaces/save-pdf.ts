import type { Command } from 'commander';
import type { FileAnswer } from '../../../contract/file.ts';
import type { Operation, PathParams } from '../../../contract/operation.ts';
import type { Progress } from '../../../contract/progress.ts';
import { defined, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import type { PdfFacts } from '../../../pdf/book.ts';
import { forceOption, type SaveOptions } from '../../input/fields.ts';
import { refuseWithout } from '../../input/given-twice.ts';
import { resolveName } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';

export interface PdfOptions extends SaveOptions {
  readonly space?: string;
  readonly page?: string;
  readonly only?: boolean;
}

interface PdfSource {
  readonly address: Operation;
  readonly download: Operation;
  readonly params: PathParams;
}

/** Adds the options of commands that save a PDF. */
export function addPdfOptions(command: Command): Command {
  return command
    .option('--page <page>', 'only this page and the pages below it, by path, title or ID')
    .option('--only', 'with --page: leave out the pages below it')
    .option(
      '-O, --out <file>',
      'file to write; in a folder such as DIR/, docsctl chooses the name of the file; - is standard output',
    )
    .option(...forceOption);
}

/** Saves a PDF and notes facts about it. If there is no file to save it to, prints its download address. */
export async function savePdf(
  session: Session,
  { page, only, ...options }: PdfOptions,
  { address, download, params }: PdfSource,
): Promise<void> {
  refuseWithout(['page', page], { only });
  const pageId = page === undefined ? undefined : await resolveName(session, 'pageId', page, params);
  const input = { params, query: { ...defined({ page: pageId }), ...(only === true ? { only } : {}) } };
  if (options.out === undefined) {
    if (session.settings.server === undefined && session.format === 'table')
      throw new Problem('usage', 'Without a server, the PDF has no address.', {
        hint: 'Save the PDF with -O FILE.',
      });
    return session.print(await session.call(address, input));
  }
  const { checkSave, printSaved, saveFile } = await import('../../results/save-file.ts');
  checkSave(session, options);
  const file = await downloadPdf(session, download, input);
  const path = await saveFile(session, file, options);
  await printSaved(session, file, path);
  const { readFacts } = await import('../../../pdf/book.ts');
  const facts = readFacts(file.bytes);
  if (facts === undefined) return;
  session.note(plural(facts.pages, 'page'));
  for (const line of await describeFacts(facts)) session.note(line);
}

/** Milliseconds until a note is shown while a server makes a PDF. */
const noteAfter = 2000;

/** Downloads a PDF with a progress line, or with a note while a server makes it. */
async function downloadPdf(session: Session, operation: Operation, input: object): Promise<FileAnswer> {
  const { runtime, terminal, settings } = session;
  const { createProgress } = await import('../../output/progress.ts');
  const isRemote = settings.server !== undefined;
  const timer =
    isRemote && terminal.stderrIsTTY
      ? setTimeout(() => session.note('The server is making the PDF …'), noteAfter)
      : undefined;
  let shown = 0;
  let progress: Progress | undefined;
  const onProgress = (done: number, total: number): void => {
    progress ??= createProgress(terminal, { label: 'rendering page', total, clock: runtime.clock });
    progress.tick(done - shown);
    shown = done;
  };
  try {
    const file: unknown = await session.call(operation, input, { onProgress });
    return file as FileAnswer;
  } finally {
    clearTimeout(timer);
    progress?.done();
  }
}

/** Describes missing characters, images and texts, and possible solutions. */
async function describeFacts({ missing, undrawn, cut }: PdfFacts): Promise<string[]> {
  const lines: string[] = [];
  const scripts = missing.filter((name) => name !== 'Emoji');
  if (scripts.length > 0)
    lines.push(
      `warning: no installed font has characters of ${scripts.join(', ').replace('other', 'other scripts')}; they are shown as □.`,
    );
  if (scripts.length < missing.length)
    lines.push('warning: no installed font has some of the emoji; they are shown as □.');
  if (missing.length > 0) {
    const { packageFor } = await import('../../../pdf/font-files.ts');
    const packages = [...new Set(missing.map(packageFor).filter((name) => name !== undefined))];
    if (packages.length > 0)
      lines.push(
        `hint: Run \`npm install ${packages.join(' ')}\` where docsctl is installed, and make the PDF again.`,
      );
  }
  const images = Object.entries(undrawn);
  const count = images.reduce((sum, [, number]) => sum + number, 0);
  if (count > 0) {
    const list = images.map(([why, number]) => `${number} ${reasons[why] ?? why}`).join(', ');
    const frames = plural(
      count,
      'image is drawn as a frame with its name',
      'images are drawn as frames with their names',
    );
    lines.push(`warning: ${frames}: ${list}.`);
    if (images.some(([why]) => why === 'other' || !(why in reasons)))
      lines.push('hint: Convert other images to PNG or JPEG.');
  }
  if (cut > 0)
    lines.push(
      `warning: the text of ${plural(cut, 'page')} is too long for a PDF and is cut off; a line on the page says where.`,
    );
  return lines;
}

/** Reasons why images are not drawn, besides their formats. */
const reasons: Readonly<Record<string, string>> = {
  web: 'on the web (not fetched)',
  absent: 'not found',
  broken: 'broken',
  large: 'too large',
  other: 'of other formats',
};
