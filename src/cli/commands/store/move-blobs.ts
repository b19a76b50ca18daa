import { plural } from '../../../contract/values.ts';
import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { formatBytes } from '../../manifest/describe-step.ts';
import { withCounts } from '../../output/progress.ts';
import { printOutcome, type Session } from '../../session/session.ts';
import { targetOf } from './target.ts';

export const help: CommandHelp = {
  description: `
Moves the bytes of all files of 64 KiB or more to a folder, to an object store, or back into the store. Write the
destination like the value of DOCSCTL_BLOBS: folder:PATH, s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, or
store. If the files are in a folder or object store now, DOCSCTL_BLOBS must name it. The keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are used
for the old and the new object store.

Servers and commands can use the store during the move. If the move is interrupted, run the command again: it continues where it
stopped. docsctl moves the files one by one and verifies the hash of each. In a move from one folder or object store to
another, it first copies all files, then uses the copies, and keeps the old files. Remove the old files when no process uses
them anymore.

Before you move files out of the store, set DOCSCTL_BLOBS to the destination for the servers and restart them, so that
they know the new place. After the move, set DOCSCTL_BLOBS to the destination for every server and command line, or
unset it after a move into the store.
`,
  examples: [
    'docsctl store move-blobs folder:blobs --dry-run',
    'docsctl store move-blobs folder:blobs',
    'docsctl store move-blobs store',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<destination>', 'folder:PATH, s3://BUCKET/PREFIX?…, or store')
    .action(inSession(moveFiles));
};

async function moveFiles(session: Session, destination: string): Promise<void> {
  const { runtime, settings } = session;
  const target = await targetOf(session, 'store move-blobs');
  const [{ openBlobs }, { moveStoredBlobs }] = await Promise.all([
    runtime.wiring(),
    import('../../../stores/blobs/move-stored-blobs.ts'),
  ]);
  const to = destination === 'store' ? undefined : await openBlobs(runtime, destination, settings.caFile);
  const isDryRun = session.flags.dryRun === true;
  const { from, files, bytes } = await withCounts(session, 'moving file', (onCount) =>
    moveStoredBlobs(target, {
      to,
      isDryRun,
      clock: runtime.clock,
      signal: runtime.signal,
      newName: () => Buffer.from(runtime.randomBytes(9)).toString('hex'),
      onMoved: onCount,
    }),
  );
  const place = to?.url ?? 'store';
  const what = `${plural(files, 'file')} (${formatBytes(bytes)}) from ${from} to ${place}`;
  if (files === 0 && from === place)
    session.note(`All large files are already in ${to?.url ?? 'the store'}.`);
  else if (isDryRun) session.note(`Dry run: would move ${what}.`);
  else {
    session.note(`Moved ${what}.`);
    session.note(
      to === undefined
        ? 'Unset DOCSCTL_BLOBS for every process that uses the store.'
        : `Set DOCSCTL_BLOBS='${place}' for every process that uses the store.`,
    );
  }
  await printOutcome(session, { from, to: place, files, bytes }, 'to');
}
