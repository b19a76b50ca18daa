import type { CountChanges } from '../counts.ts';
import type { Database } from './connection.ts';

/** Writes the changes of the numbers of rows to the database. */
export function saveCounts(database: Database, counts: CountChanges): void {
  for (const [name, by] of counts.take()) {
    database.run(
      'INSERT INTO docsctl_counts (name, number) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET number = number + excluded.number',
      name,
      by,
    );
    if (by < 0) database.run('DELETE FROM docsctl_counts WHERE name = ? AND number = 0', name);
  }
}
