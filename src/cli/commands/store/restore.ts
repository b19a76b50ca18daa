import { resolve } from 'node:path';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { withoutPassword } from '../../../stores/url.ts';
import { confirmQuestion } from '../../confirm/confirm.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { withCounts, withStep } from '../../output/progress.ts';
import { printOutcome, type Session } from '../../session/session.ts';
import { noteMissingKey } from './note-missing-key.ts';
import { targetOf } from './target.ts';

interface Options {
  readonly replace?: boolean;
}

export const help: CommandHelp = {
  description: `
Puts the rows of a backup into the store given with --store. The store must be empty, or must not exist. With
--replace, the command deletes everything that the store contains now. It verifies all hashes of the backup before it
writes anything.

If the restore fails or is killed, the store is unchanged. If the store is a file, stop the servers that use it before
you replace it. If the file is so damaged that docsctl cannot open it, --replace moves it aside, under a name that ends in .damaged. Jobs
that were running at the time of the backup are queued again.

To use encrypted secrets, you need the key of the store that was backed up: DOCSCTL_SECRET_KEY, or the file beside the
store whose name ends in .key. The command says so if the key is missing.
`,
  examples: [
    'docsctl store restore backup.ndjson.gz --store sqlite:restored.db',
    'docsctl store restore backup.ndjson.gz --replace --dry-run',
    'docsctl store restore backup.ndjson.gz --replace --yes',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<file>', 'backup that `docsctl store backup` wrote')
    .option('--replace', 'delete what the store contains now')
    .action(inSession(restore));
};

async function restore(session: Session, file: string, { replace = false }: Options): Promise<void> {
  const { runtime } = session;
  const target = await targetOf(session, 'store restore');
  const [{ inspectTarget, notEmptyProblem, restoreBackup }, { verifyBackup }] = await Promise.all([
    import('../../../stores/backup/restore.ts'),
    import('../../../stores/backup/read-backup.ts'),
  ]);
  const path = resolve(runtime.cwd, file);
  const facts = await withStep(session, 'Verifying the backup', () => verifyBackup(path, target.tables));
  const found = await inspectTarget(target);
  const url = withoutPassword(target.url);
  if (found.state === 'damaged' && !replace)
    throw new Problem('store-failed', found.problem.message, {
      hint: 'To put the backup in its place, add --replace. The damaged file is kept beside it.',
      cause: found.problem,
    });
  if (found.state === 'full' && !replace) throw notEmptyProblem(target.url);
  const { rows, tables } = facts.summary;
  const what = `${plural(rows, 'row')} of ${plural(tables.length, 'table')} from ${facts.header.createdAt}`;
  if (session.flags.dryRun === true) {
    await noteMissingKey(session, target, facts.summary.keys);
    return session.note(`Dry run: the backup is intact. It would restore ${what} to ${url}.`);
  }
  // An open file cannot be replaced, so the question must not open the store.
  if (found.state === 'full')
    await confirmQuestion(session, {
      question: `Delete everything in ${url} and restore ${what}?`,
      refusal: `Confirmation is required to delete everything in ${url}, but there is no terminal to ask on.`,
      hint: 'Add --yes to confirm.',
    });
  const newName = Buffer.from(runtime.randomBytes(8)).toString('hex');
  const { aside } = await withCounts(session, 'restored', (onProgress) =>
    restoreBackup(path, target, {
      facts,
      isDamaged: found.state === 'damaged',
      newName,
      replaces: replace,
      onProgress,
    }),
  );
  session.note(`Restored ${what} to ${url}.`);
  if (aside !== undefined) session.note(`The damaged store was moved to ${aside}.`);
  const missing = await noteMissingKey(session, target, facts.summary.keys);
  const outcome = {
    url,
    createdAt: facts.header.createdAt,
    rows,
    tables,
    sha256: facts.summary.sha256,
    missingKeys: missing,
    aside: aside ?? null,
  };
  await printOutcome(session, outcome, 'url');
}
