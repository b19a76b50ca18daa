import { subjectOf } from '../../core/authorize.ts';
import { minRole } from '../../core/permissions.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import { Problem } from '../../errors/problem.ts';
import type { MergedRequest } from '../../resources/change-requests/merge-request.ts';
import type { GitRunRow } from '../../resources/git-sync/rows.ts';
import { redirectMoved } from '../../resources/site-redirects/moves/redirect-moved.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Finds the redirects on published sites that an import needs, with the rights of its author, and creates them if the run
 * requests it. If the author may not create them, they are only listed.
 */
export async function redirectImported(
  { job, run, report }: SyncRun,
  context: MergedRequest,
  to: string,
): Promise<GitRunRow['redirects']> {
  const { tx, space, organization } = context;
  const member = await tx.get(members, memberId(organization.id, run.requestedBy));
  if (member === undefined || run.maxRole === undefined) return undefined;
  const subject = await subjectOf(tx, organization, member, run.maxRole);
  const role = minRole(subject.memberRole, run.maxRole);
  const redirectContext = { ...context, ...subject, role, url: job.url };
  const change = { space: space.id, from: space.revision, to };
  try {
    return await redirectMoved(redirectContext, change, run.makesRedirects === true);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'forbidden') throw error;
    report.warnings.push(`No redirects were created. ${error.message}`);
    return redirectMoved(redirectContext, change, false);
  }
}
