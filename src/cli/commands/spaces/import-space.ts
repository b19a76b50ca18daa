import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OutputOf } from '../../../contract/operation.ts';
import { requiredRole } from '../../../contract/required-role.ts';
import { roles } from '../../../contract/shapes.ts';
import { askForRole, describeLimit } from '../../../core/missing-role.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import type { getSpace } from '../../../resources/spaces/contract.ts';
import { myToken } from '../../../resources/users/contract.ts';
import { resolveName, resolveOrganization } from '../../names/names.ts';
import type { Session } from '../../session/session.ts';
import { shellWord } from '../../../contract/shell-word.ts';

export type Space = OutputOf<typeof getSpace>;

/**
 * Finds the space of an import by its title or ID.
 * @throws Problem(usage) if `space` is a folder and `from` is not, because the order is wrong
 * @throws Problem(not-found) if there is no such space
 */
export async function resolveImportSpace(session: Session, space: string, from: string): Promise<string> {
  try {
    return await resolveName(session, 'spaceId', space);
  } catch (error) {
    if (!isProblem(error, 'not-found')) throw error;
    // Report a missing organization first.
    await resolveOrganization(session);
    const { cwd } = session.runtime;
    if (!existsSync(resolve(cwd, space)) || existsSync(resolve(cwd, from)))
      throw new Problem('not-found', error.message, {
        hint: `${error.hint ?? ''} To create the space, run \`docsctl spaces create ${shellWord(space)}\`.`.trim(),
      });
    throw new Problem('usage', `The space comes before the folder, and "${space}" is a folder.`, {
      hint: `Did you mean \`docsctl spaces import ${shellWord(from)} ${shellWord(space)}\`?`,
    });
  }
}

/**
 * Checks that the caller may import into a space, before questions and requests.
 * @throws Problem(forbidden) if the role of the caller is too low, Problem(conflict) if the space is locked
 */
export async function checkWritable(
  session: Session,
  { id, title, editMode, permissions }: Space,
  { merges }: { merges: boolean },
): Promise<void> {
  if (editMode === 'locked')
    throw new Problem('conflict', `The space "${title}" is locked, so nothing can be imported into it.`, {
      hint: `Unlock it with \`docsctl spaces update ${id} --edit-mode live\`.`,
    });
  const missing = !permissions.edit ? 'edit' : merges && !permissions.merge ? 'review' : undefined;
  if (missing === undefined) return;
  const limit = await limitOfToken(session, missing);
  const instead =
    missing === 'review' ? 'Add --change-request to leave the changes for someone who may merge them. ' : '';
  const required = requiredRole('import into a space', missing, `on the space "${title}"`);
  if (limit !== undefined)
    throw new Problem('forbidden', `${required}, but ${describeLimit(limit === 'guest' ? null : limit)}.`, {
      hint: `${instead}If you have the ${missing} role yourself, use a token with a higher role. Otherwise, ask an administrator of the organization for the role.`,
    });
  throw new Problem('forbidden', `${required}. You do not have this role.`, {
    hint: instead + askForRole,
  });
}

const ranks: readonly string[] = [...roles, 'guest'];

/** Returns the role of the token if it is lower than `role`; undefined if it does not limit the caller or is unknown. */
async function limitOfToken(session: Session, role: string): Promise<string | undefined> {
  if (session.settings.server === undefined) return undefined;
  try {
    const { role: allowed } = await session.call(myToken, {});
    return ranks.indexOf(allowed) > ranks.indexOf(role) ? allowed : undefined;
  } catch {
    // Integrations and servers of other vendors may not answer. The limit is then unknown.
    return undefined;
  }
}
