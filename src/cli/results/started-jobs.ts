import type { Operation, PathParams } from '../../contract/operation.ts';
import { notePending } from '../session/wait.ts';
import type { Session } from '../session/session.ts';

/** Notes the job that an operation without an answer has queued, how to watch it, and who runs it. */
export async function noteStartedJob(
  session: Session,
  { id }: Operation,
  { spaceId }: PathParams,
): Promise<void> {
  if (id !== 'spaces.git.export' && id !== 'spaces.git.import') return;
  session.note(
    `The run is part of job git-sync.${spaceId}. \`docsctl spaces git runs ${spaceId}\` shows its state and result.`,
  );
  await notePending(session);
}
