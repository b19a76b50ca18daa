import { realpathSync } from 'node:fs';
import { join, normalize, resolve, sep } from 'node:path';
import { Problem } from '../errors/problem.ts';
import type { Warning } from './folder.ts';
import type { GitHost } from './run-git.ts';

export interface ImportSource {
  readonly dir: string;
  readonly commit?: string;
  readonly warnings: readonly Warning[];
  /** Deletes temporary files. */
  readonly discard: () => void;
}

/** Opens a folder or fetches a git repository. `root` is a folder inside it. */
export async function openImportSource(
  host: GitHost,
  from: string,
  { ref, root }: { ref?: string; root?: string },
): Promise<ImportSource> {
  const { isRepository, checkOut } = await import('./git-checkout.ts');
  if (!isRepository(from, host.cwd)) {
    if (ref !== undefined)
      throw new Problem(
        'invalid-input',
        `--ref names a branch, tag or commit of a repository, but ${from} is not the address of a repository.`,
        { hint: 'Leave --ref out, or give the address of the repository, such as file:///path/to/it.' },
      );
    return { dir: findInside(resolve(host.cwd, from), root), warnings: [], discard: () => {} };
  }
  const checkout = await checkOut(host, from, ref);
  try {
    return { ...checkout, dir: findInside(checkout.dir, root) };
  } catch (error) {
    checkout.discard();
    throw error;
  }
}

/** Returns a folder inside another one, after following links. @throws Problem(invalid-input) if it is outside */
export function findInside(dir: string, root: string | undefined): string {
  if (root === undefined) return dir;
  const hint = 'Write --root relative to the folder or repository, such as docs.';
  const path = join(dir, normalize(`${sep}${root}`));
  try {
    const [outer, found] = [realpathSync(dir), realpathSync(path)];
    if (!/(^|[/\\])\.\.([/\\]|$)/.test(root) && (found === outer || found.startsWith(`${outer}${sep}`)))
      return found;
  } catch {
    throw new Problem(
      'invalid-input',
      `--root names the folder ${root}, which does not exist in the imported folder or repository.`,
      { hint },
    );
  }
  throw new Problem(
    'invalid-input',
    `--root names ${root}, which is outside the imported folder or repository.`,
    { hint },
  );
}
