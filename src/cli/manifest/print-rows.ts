import type { ResultRow } from '../../manifest/apply-plan.ts';
import type { Printer } from '../output/printer.ts';
import type { Session } from '../session.ts';
import { problemText } from './watch-apply.ts';

/** How a step or a job ended, as a line of a table. */
export interface ShownRow {
  readonly status: string;
  readonly action: string;
  readonly ref: string;
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly why: string;
}

/** The table of what was done, on standard output. */
export interface RowPrinter {
  /** In a log a row is printed as soon as its step ends, and is the only line on it; elsewhere this does nothing. */
  readonly ended: (row: ResultRow) => void;
  /** Prints what is not printed yet: all of `steps`, unless they were printed as they ended, and `more`. */
  readonly end: (steps: readonly ResultRow[], more: readonly ShownRow[]) => Promise<void>;
}

/** Whether all goes into a log: rows are written as they come, since no progress is drawn. */
export function isLogged({ terminal, format }: Pick<Session, 'terminal' | 'format'>): boolean {
  return format === 'table' && !terminal.stdoutIsTTY && !terminal.stderrIsTTY;
}

export function createRowPrinter(session: Session): RowPrinter {
  let opened: Promise<Printer> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  const print = (items: readonly ShownRow[]): void => {
    opened ??= session.printer({ columns: ['status', 'action', 'ref', 'id', 'why'], noun: 'changes' });
    const printer = opened;
    written = written.then(async () => (await printer).page({ items, count: items.length }));
    // Thrown at the end, when what runs has ended.
    written.catch(() => {});
  };
  const streams = isLogged(session) && session.flags.query === undefined;
  return {
    ended: (row) => {
      if (streams && (row.action !== 'none' || row.status !== 'done')) print([shownRow(row)]);
    },
    end: async (steps, more) => {
      const rows = [...(streams ? [] : steps.map(shownRow)), ...more];
      if (rows.length > 0) print(rows);
      await written;
      await (await opened)?.end();
    },
  };
}

function shownRow({ status, action, key, kind, name, id = '', problem, because }: ResultRow): ShownRow {
  const why =
    problem === undefined ? (because === undefined ? '' : `because of ${because}`) : problemText(problem);
  return { status, action, ref: key, kind, name, id, why };
}
