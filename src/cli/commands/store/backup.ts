import { resolve } from 'node:path';
import { isoTime } from '../../../core/clock.ts';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import type { BackupSummary } from '../../../stores/backup/format.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import type { Sink } from '../../runtime.ts';
import { formatBytes } from '../../manifest/describe-step.ts';
import { withCounts, withStep } from '../../output/progress.ts';
import { printOutcome, type Session } from '../../session/session.ts';
import { interrupted, isRemote, receiveBackup } from './remote.ts';
import { targetOf } from './target.ts';

interface Options {
  readonly force?: boolean;
  readonly verify?: boolean;
}

export const help: CommandHelp = {
  description: `
Writes all rows of the store, as they are when the command starts, to a file. Servers and commands can continue to read
and write. The file has the same format for every kind of store, so you can restore it into another kind. Without a
file, or with -, the backup goes to standard output. It is compressed if the name of the file ends in .gz.

The file gets its name only when it is complete and on the disk. Only you can read it. It contains hashes, which
\`docsctl store restore\` verifies.

With --server, the server sends the backup of its store. This needs the token of the operator, which \`docsctl init\`
printed. The command verifies all hashes while it writes. If the connection ends early, no file is left. Each process
of the server sends one backup at a time.

Secrets stay encrypted as they are in the store. The backup does not contain their key. Keep a copy of the key in another safe place: it is in the file beside the store whose name ends in .key, or in DOCSCTL_SECRET_KEY.
`,
  examples: ['docsctl store backup today.ndjson.gz --verify', 'docsctl store backup > backup.ndjson'],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[file]', 'file to write, or - for standard output', '-')
    .option('--force', 'replace an older backup')
    .option(
      '--verify',
      'restore the backup into a temporary store beside its file and compare the rows; needs a file',
    )
    .action(inSession(backUp));
};

async function backUp(
  session: Session,
  file: string,
  { force = false, verify = false }: Options,
): Promise<void> {
  const { runtime, terminal } = session;
  const toOutput = file === '-' || file === '';
  if (toOutput && verify)
    throw new Problem('usage', '--verify needs a file.', {
      hint: 'Run `docsctl store backup FILE --verify`.',
    });
  if (toOutput && terminal.stdoutIsTTY)
    throw new Problem('usage', 'A backup is not written to a terminal.', {
      hint: 'Name a file: `docsctl store backup backup.ndjson.gz`.',
    });
  const [{ onlyOnce, tryRestore }, { checkBackupPath, saveBackup }] = await Promise.all([
    import('../../../stores/backup/backup-store.ts'),
    import('../../../stores/backup/save-backup.ts'),
  ]);
  const path = resolve(runtime.cwd, file);
  if (!toOutput) checkBackupPath(path, force);
  if (session.flags.dryRun === true) return session.note('Dry run: no backup was written.');
  let bytes = 0;
  const save = toOutput
    ? onlyOnce((lines: Lines) => print(terminal.stdout, stopOn(runtime.signal, lines)))
    : async (lines: Lines) => {
        bytes = await saveBackup(path, stopOn(runtime.signal, lines), force);
      };
  const { summary, createdAt } = await withStep(session, 'Writing the backup', () =>
    isRemote(session) ? receive(session, save) : read(session, save),
  );
  if (toOutput) return session.note(`${describe(summary)}.`);
  if (verify) {
    const { tables } = await import('../../../resources/tables.ts');
    const newName = Buffer.from(runtime.randomBytes(8)).toString('hex');
    if (
      !(await withStep(session, 'Restoring the backup as a trial', () => tryRestore(path, tables, newName)))
    )
      throw new Problem('store-failed', `The backup ${file} does not contain the same rows as the store.`, {
        hint: 'Check the disk, then write the backup again.',
      });
  }
  session.note(
    `${describe(summary)} to ${file} (${formatBytes(bytes)})${verify ? ', and restored them as a trial' : ''}.`,
  );
  const outcome = {
    path,
    bytes,
    createdAt,
    rows: summary.rows,
    tables: summary.tables,
    keys: summary.keys,
    sha256: summary.sha256,
    verified: verify,
  };
  await printOutcome(session, outcome, 'path');
}

/** @throws Problem(interrupted) if the program that reads the output has exited */
async function print(output: Sink, lines: Lines): Promise<void> {
  for await (const text of lines) {
    await output.write(text);
    if (output.closed)
      throw new Problem(
        'interrupted',
        'The program that reads the backup ended before all of it was written.',
      );
  }
}

type Lines = AsyncIterable<string | Uint8Array>;

interface Written {
  readonly summary: BackupSummary;
  /** ISO time of the snapshot. */
  readonly createdAt: string;
}

async function read(session: Session, save: (lines: Lines) => Promise<void>): Promise<Written> {
  const { runtime } = session;
  const target = await targetOf(session, 'store backup');
  const { backupStore } = await import('../../../stores/backup/backup-store.ts');
  const origin = { version: runtime.version, createdAt: isoTime(runtime.clock()) };
  const summary = await withCounts(session, 'written', (onProgress) =>
    backupStore(target, origin, save, { onProgress }),
  );
  return { summary, createdAt: origin.createdAt };
}

async function receive(session: Session, save: (lines: Lines) => Promise<void>): Promise<Written> {
  const { header, summary } = await receiveBackup(session, save);
  return { summary, createdAt: header.createdAt };
}

function describe({ rows, tables }: BackupSummary): string {
  return `Wrote ${plural(rows, 'row')} of ${plural(tables.length, 'table')}`;
}

/** Yields the lines, and throws when the command is interrupted. */
async function* stopOn(signal: AbortSignal, lines: Lines): AsyncGenerator<string | Uint8Array> {
  for await (const text of lines) {
    if (signal.aborted) throw interrupted();
    yield text;
  }
}
