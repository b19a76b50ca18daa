import type { PathParams } from '../../contract/operation.ts';
import { notePending } from '../session/wait.ts';
import type { Session } from '../session/session.ts';

/** Notes the job that a git import or export has queued, how to watch it, and which process runs it. */
export async function noteStartedJob(session: Session, { spaceId }: PathParams): Promise<void> {
  session.note(
    `The run is part of job git-sync.${spaceId}. \`docsctl spaces git runs ${spaceId}\` shows its state and result.`,
  );
  await notePending(session);
}
