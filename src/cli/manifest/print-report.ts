import { printText } from '../output/print-text.ts';
import { createStyler, type Styler } from '../output/style.ts';
import { wantsDocument, wantsReport, type Session } from '../session/session.ts';

/** A report of changes, such as a plan or drift, in each output format. */
interface Report {
  readonly text: (style: Styler) => string;
  readonly markdown: () => string;
  /** The whole report, for -o json, -o yaml and --query. */
  readonly document: unknown;
  /** The rows of the report, for other formats. */
  readonly rows: () => readonly object[];
  readonly columns: readonly string[];
}

/** Prints a report of changes on standard output in the requested format. */
export async function printReport(session: Session, report: Report, asMarkdown: boolean): Promise<void> {
  if (asMarkdown) return printText(session, report.markdown());
  if (wantsReport(session)) return printText(session, report.text(await createStyler(session.isColored)));
  const defaults = { columns: report.columns, noun: 'changes', idField: 'ref' };
  await (wantsDocument(session)
    ? session.print(report.document, defaults)
    : session.printAll(report.rows(), defaults));
}
