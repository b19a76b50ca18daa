import { Problem } from '../../errors/problem.ts';
import type { Key, Table } from '../../core/store.ts';
import { groupOf, keysOf, layoutOf, type Keys, type TableLayout } from '../layout.ts';
import { readBackup } from './read-backup.ts';

/**
 * Returns the Problem for the first row of a backup that no store takes, although the hashes are right: a key is not a text or a
 * number, or another row has it. Undefined if there is none.
 */
export async function findRefusedRow(backup: string, tables: readonly Table[]): Promise<Problem | undefined> {
  let line = 0;
  let layout: TableLayout | undefined;
  const lines = new Map<string, number>();
  for await (const { table, rows } of readBackup(backup, tables)) {
    if (layout?.name !== table.name) {
      // Before the first row of a table are two lines: the header or the end of the last table, and the name of this one.
      line += 2;
      layout = layoutOf(table);
      lines.clear();
    }
    for (const row of rows) {
      line++;
      let keys: Keys;
      try {
        keys = keysOf(layout, row);
      } catch (error) {
        return refusal(backup, `line ${line} cannot be stored. ${(error as Error).message}`, error);
      }
      for (const index of layout.indexes.values()) {
        const group = groupOf(index, keys);
        if (!index.unique || group.includes(null)) continue;
        const key = JSON.stringify([index.name, group]);
        const first = lines.get(key);
        if (first !== undefined)
          return refusal(
            backup,
            `lines ${first} and ${line} are two rows of ${table.name} with the same ${describe(layout, index.on, group)}.`,
          );
        lines.set(key, line);
      }
    }
  }
  return undefined;
}

function describe({ fields }: TableLayout, on: readonly number[], group: readonly Key[]): string {
  return group.map((key, at) => `${fields[on[at] ?? 0]} ${JSON.stringify(key).slice(0, 120)}`).join(' and ');
}

function refusal(backup: string, what: string, cause?: unknown): Problem {
  return new Problem(
    'invalid-input',
    `The backup ${backup} was changed by hand: ${what} Nothing was restored.`,
    {
      hint: 'Correct these lines and the hashes, or use a backup that `docsctl store backup` wrote.',
      cause,
    },
  );
}
