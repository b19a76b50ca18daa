import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../../errors/problem.ts';
import type { Session } from '../session/session.ts';

/**
 * Returns the URL of a repository. A path becomes a file URL.
 * @throws Problem(usage) for a path that the server cannot use, Problem(invalid-input) for one that does not exist
 */
export async function repositoryAddress(session: Session, repository: string): Promise<string> {
  if (/^[a-z][a-z0-9+.-]*(:\/\/|::)/i.test(repository) || /^[\w.-]+@[\w.-]+:/.test(repository))
    return repository;
  if ((await session.api()).work === undefined)
    throw new Problem('usage', `A server cannot use the path ${repository} of this machine.`, {
      hint: 'Give the https address of the repository, or use `docsctl spaces import` and `docsctl spaces export`.',
    });
  const path = resolve(session.runtime.cwd, repository);
  if (existsSync(path)) return pathToFileURL(path).href;
  throw new Problem('invalid-input', `There is no git repository at ${path}.`, {
    hint: 'Check the path, or create the repository with `git init --bare`.',
  });
}
