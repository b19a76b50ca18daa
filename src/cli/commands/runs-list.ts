import type { Command } from 'commander';
import { keptRuns, runsFolder } from '../../manifest/journal/journal-file.ts';
import { summarizeRuns } from '../../manifest/journal/summary.ts';
import { openLock } from '../manifest/lock-place.ts';
import { addLockOption } from '../manifest/options.ts';
import type { Session } from '../session.ts';
import type { RunIn } from './index.ts';

const columns = ['id', 'at', 'ended', 'created', 'updated', 'moved', 'deleted', 'failed', 'undoes', 'undoneBy'];

export function define(command: Command, run: RunIn): void {
  addLockOption(command)
    .addHelpText(
      'after',
      `
Each apply that changes something writes a journal into docsctl.runs beside the lock; the newest ${keptRuns} are kept. A run that
was killed is "open".

Examples:
  docsctl runs list
  docsctl runs show "$(docsctl runs list -o id | head -n 1)"
`,
    )
    .action((options: { lock?: string }) => run((session) => list(session, options.lock)));
}

async function list(session: Session, named: string | undefined): Promise<void> {
  const { lockOptions } = await openLock(session, named);
  const { runs, unreadable } = summarizeRuns(runsFolder(lockOptions.path));
  const items = runs
    .filter(({ head }) => head.place === lockOptions.place && head.organization === lockOptions.organization)
    .map(({ head, ended, did, failed, undoneBy }) => ({
      id: head.id,
      at: head.at,
      ended,
      created: did['create'] ?? 0,
      updated: did['update'] ?? 0,
      moved: did['move'] ?? 0,
      adopted: did['adopt'] ?? 0,
      deleted: did['delete'] ?? 0,
      failed,
      who: head.who ?? null,
      files: head.files,
      undoes: head.undoes ?? null,
      undoneBy: undoneBy ?? null,
    }));
  const printer = await session.printer({ columns, noun: 'runs', fields: [...columns, 'adopted', 'who', 'files'] });
  await printer.page({ items, count: items.length });
  await printer.end();
  for (const why of unreadable.values()) session.note(`warning: ${why}`);
}
