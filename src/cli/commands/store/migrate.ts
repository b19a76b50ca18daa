import { plural } from '../../../contract/values.ts';
import { isoTime } from '../../../core/clock.ts';
import { Problem } from '../../../errors/problem.ts';
import { pathOfStore, withoutPassword } from '../../../stores/url.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { withCounts, withStep } from '../../output/progress.ts';
import { printOutcome, type Session } from '../../session/session.ts';
import { noteMissingKey } from './note-missing-key.ts';
import { storeAt } from './target.ts';

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly undo?: boolean;
}

export const help: CommandHelp = {
  description: `
Copies all rows of a store into a new one of any kind and compares their hashes. As soon as the copy starts, docsctl
refuses every write to the old store, including those of running servers, with an error that names the new store. You
can use the new store when it is complete. Then start the servers with the new store, and change DOCSCTL_STORE and
profiles.

If the command is interrupted or killed, run it again: it continues where it stopped. --undo allows writes to the old
store again. It does not change the new store, and does not copy changes back from it.

The command does not copy the key that encrypts secrets. If the new store does not have the key, docsctl prints a command that copies it.
`,
  examples: [
    'docsctl store migrate --from sqlite:old.db --to sqlite:moved.db',
    'docsctl store migrate --from sqlite:old.db --undo',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .option('--from <store>', 'old store, as a URL or path (required)')
    .option('--to <store>', 'new store, which must be missing or empty; required without --undo')
    .option('--undo', 'allow writes to the old store again')
    .action(inSession(migrate));
};

async function migrate(session: Session, { from, to, undo = false }: Options): Promise<void> {
  const { runtime, note, flags } = session;
  if (flags.server !== undefined)
    throw new Problem(
      'usage',
      'store migrate works only on the machine of the stores, but --server is given.',
      {
        hint: 'Run it there, and name the stores with --from and --to.',
      },
    );
  if (from === undefined || (to === undefined) !== undo)
    throw new Problem('usage', 'A migration needs --from, and either --to or --undo.', {
      hint: 'Run `docsctl store migrate --from sqlite:old.db --to sqlite:moved.db`.',
    });
  const source = await storeAt(runtime.cwd, from);
  const { migrateStore, undoMigration } = await import('../../../stores/backup/migrate.ts');
  if (flags.dryRun === true) return note('Dry run: no store was changed.');
  if (to === undefined) {
    const was = await undoMigration(source);
    note(
      was === undefined
        ? `${from} was not moved.`
        : `${withoutPassword(from)} accepts writes again. The rows that were already copied to ${was} were kept.`,
    );
    return printOutcome(session, { from: withoutPassword(from), was: was ?? null }, 'from');
  }
  const target = await storeAt(runtime.cwd, to);
  const { rows, tables, keys, sha256 } = await withStep(session, 'Moving the store', () =>
    withCounts(session, 'copied', (onProgress) =>
      migrateStore(source, target, {
        now: isoTime(runtime.clock()),
        newName: Buffer.from(runtime.randomBytes(8)).toString('hex'),
        onProgress,
      }),
    ),
  );
  const [old, moved] = [withoutPassword(from), withoutPassword(to)];
  note(
    `Copied ${plural(rows, 'row')} of ${plural(tables.length, 'table')} from ${old} to ${moved}, and compared them. Use ${moved} from now on.`,
  );
  const missingKeys = await noteMissingKey(session, target, keys, pathOfStore(from, runtime.cwd));
  await printOutcome(session, { from: old, to: moved, rows, tables, sha256, missingKeys }, 'to');
}
