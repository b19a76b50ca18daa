import { Problem } from '../../errors/problem.ts';
import type { Drift } from '../../manifest/find-drift.ts';
import { createStyler } from '../output/style.ts';
import { wantsReport, type Session } from '../session.ts';
import { driftMarkdown } from './drift-markdown.ts';
import { driftText } from './drift-text.ts';
import { some } from './shown-step.ts';

/** Prints drift on standard output, in the format asked for. */
export async function printDrift(session: Session, drift: Drift, asMarkdown: boolean): Promise<void> {
  const { format, flags, terminal, isInteractive } = session;
  if (asMarkdown || wantsReport(session)) {
    await terminal.stdout.write(
      asMarkdown
        ? driftMarkdown(drift)
        : driftText(drift, await createStyler(terminal.color && isInteractive)),
    );
    return terminal.stdout.flush();
  }
  const printer = await session.printer({
    columns: ['status', 'ref', 'name', 'fields', 'id'],
    noun: 'changes',
    idField: 'ref',
  });
  if (format === 'json' || format === 'yaml' || flags.query !== undefined) await printer.one(drift);
  else {
    const items = drift.resources.map(({ status, address, kind, id, name, changes }) => ({
      status,
      ref: address,
      kind,
      id,
      name,
      fields: changes.map(({ field }) => field).join(' '),
    }));
    await printer.page({ items, count: items.length });
  }
  await printer.end();
}

/** Says with an exit code that not everything could be compared: no drift found is then no word that there is none. */
export function refuseUnread({ unreadable }: Drift, skip = false): void {
  if (unreadable.length === 0 || skip) return;
  const what = some(unreadable.map((one) => (one.what === 'member' ? 'what names members' : one.what)));
  throw new Problem(
    unreadable.every(({ reason }) => reason === 'forbidden') ? 'forbidden' : 'not-implemented',
    `Not all that the lock owns can be read here: ${what}.`,
    {
      hint: 'Leave that out with --skip-unsupported.',
      violations: unreadable.map((one) => ({ path: one.what, message: one.message })),
    },
  );
}
