import type { GitTarget, SyncPoint } from './rows.ts';

/** Returns the purpose for which the credentials of a space are encrypted. */
export function credentialsOf(spaceId: string): string {
  return `the credentials of the git repository of ${spaceId}`;
}

/** Returns a point of an earlier run, if that run used the same branch and folder. */
export function pointOf<P extends SyncPoint>(point: P | undefined, run: GitTarget): P | undefined {
  const isSame = point?.url === run.url && point.ref === run.ref && point.directory === run.directory;
  return isSame ? point : undefined;
}
