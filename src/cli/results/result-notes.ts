import type { Operation } from '../../contract/operation.ts';
import { isRecord } from '../../contract/values.ts';
import { propertiesIn } from '../input/field-schema.ts';
import type { PlannedCall } from '../confirm/refuse-certain.ts';
import type { Session } from '../session/session.ts';

/**
 * Notes what the results of calls do not contain: a title, secrets, redirects, refusals, failures, and pending jobs.
 * @throws Problem(partly-failed) if the server refused a part of the request
 */
export async function noteResults(
  session: Session,
  operation: Operation,
  call: PlannedCall | undefined,
  results: readonly unknown[],
): Promise<void> {
  noteTitle(session, operation, call?.body, results[0]);
  if (results.length === 1 && session.terminal.stderrIsTTY && /\.(?:create|add|update)$/.test(operation.id))
    await (await import('../names/same-title.ts')).noteSameTitle(session, operation, call, results[0]);
  if (operation.id === 'sites.publish')
    (await import('../serve/note-published.ts')).notePublished(session, results);
  const opens = isRecord(call?.body) && call.body['visibility'] !== undefined;
  if (operation.id === 'sites.publish' || (operation.id === 'sites.update' && opens))
    await (await import('./note-no-visitors.ts')).noteNoVisitors(session, results, call?.params);
  if (operation.id === 'spaces.restore')
    (await import('../confirm/showing-sites.ts')).noteFormerSites(session, results as never);
  if (operation.id === 'teams.create' && session.terminal.stderrIsTTY && results.length > 0) {
    // The owner of a store who is not a member of the organization is in no team.
    const named =
      isRecord(call?.body) && Array.isArray(call.body['members']) ? call.body['members'].length : 0;
    if (results.every((team) => isRecord(team) && Number(team['members']) > named))
      session.note(`You are an owner of the new team${results.length === 1 ? '' : 's'}.`);
  }
  const [first] = results;
  if (operation.id === 'invites.create' && session.terminal.stderrIsTTY && isRecord(first))
    session.note(
      `To join, people sign in and run \`docsctl invites accept ${String(first['id'])} --org ${call?.params['organizationId']}\`.`,
    );
  if (operation.secret) await (await import('./secret-notes.ts')).noteSecrets(session, operation, results);
  for (const result of results) await noteRedirects(session, result, call?.params);
  if (results.length > 0 && requiresSignIn(operation, call?.body))
    await (
      await import('./sign-in-notes.ts')
    ).noteSignIn(session, operation.id, call?.params['organizationId']);
  if (/^openapi\.(?:create|get|replace|update)$/.test(operation.id))
    (await import('../commands/openapi/wait.ts')).noteFailures(session, results);
  if (results.some(isPending)) await (await import('../session/wait.ts')).notePending(session);
  if (operation.id === 'sites.redirects.upsert')
    (await import('./moved-redirects.ts')).throwIfRefused(results);
}

/** Notes the title of a new resource that was created without one, or as a copy. */
function noteTitle(session: Session, { id, body: schema }: Operation, sent: unknown, created: unknown): void {
  if (!isRecord(created) || (isRecord(sent) && sent['title'] !== undefined)) return;
  const { id: newId, title } = created;
  const [noun = '', verb] = id.split('.');
  const rename = `To change it, run \`docsctl ${noun} update ${String(newId)} --title TITLE\`.`;
  if (id === 'spaces.duplicate') return session.note(`The copy has the same title. ${rename}`);
  const hasTitle = propertiesIn(schema).some(([name]) => name === 'title');
  if (verb === 'create' && hasTitle && typeof title === 'string' && title.startsWith('Untitled'))
    session.note(`The title is "${title}", because none was given. ${rename}`);
}

/** Notes the redirects for changed addresses on published sites, and a redirect without effect. */
async function noteRedirects(
  session: Session,
  result: unknown,
  { spaceId, changeRequestId }: PlannedCall['params'] = {},
): Promise<void> {
  if (!isRecord(result)) return;
  const { redirects, results = [result] } = result;
  if (Array.isArray(redirects) && redirects.length > 0) {
    const { createByMerge, noteMoved } = await import('./moved-redirects.ts');
    const isMerge = spaceId !== undefined && changeRequestId !== undefined;
    noteMoved(session, redirects, isMerge ? createByMerge(changeRequestId, spaceId) : undefined);
  }
  if (Array.isArray(results))
    for (const one of results)
      if (isRecord(one) && one['unused'] === true)
        (await import('./moved-redirects.ts')).noteUnused(session, one);
}

function requiresSignIn({ id }: Operation, body: unknown): boolean {
  return id === 'members.sso' || (isRecord(body) && body['sso'] === true);
}

/** Whether a job still has to process the result. */
function isPending(result: unknown): boolean {
  return isRecord(result) && result['processingState'] === 'pending';
}
