import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isProblem, Problem } from '../../../errors/problem.ts';
import { resolveName } from '../../names.ts';
import type { Session } from '../../session.ts';
import { shellWord } from '../../shell-word.ts';

/**
 * Finds the space of an import by its title or ID.
 * @throws Problem(usage) if `space` is a folder and `from` is not, because they were given in the wrong order
 * @throws Problem(not-found) if there is no such space
 */
export async function resolveImportSpace(session: Session, space: string, from: string): Promise<string> {
  try {
    return await resolveName(session, 'spaceId', space);
  } catch (error) {
    const { cwd } = session.runtime;
    const isSwapped =
      isProblem(error, 'not-found') && existsSync(resolve(cwd, space)) && !existsSync(resolve(cwd, from));
    if (!isSwapped) throw error;
    throw new Problem('usage', `The space comes before the folder, and "${space}" is a folder.`, {
      hint: `Did you mean \`docsctl spaces import ${shellWord(from)} ${shellWord(space)}\`?`,
    });
  }
}
