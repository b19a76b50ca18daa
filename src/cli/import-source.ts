import { realpathSync } from 'node:fs';
import { join, normalize, resolve, sep } from 'node:path';
import { invalid } from '../errors/problem.ts';
import type { Warning } from '../markdown-folder/folder.ts';
import type { Runtime } from './runtime.ts';

/** Where an import reads from. */
export interface Source {
  readonly dir: string;
  readonly commit?: string;
  readonly warnings: readonly Warning[];
  /** Takes away what was only there for the import. */
  readonly discard: () => void;
}

/** Opens a folder, or gets a git repository first; `root` is a folder inside of it. */
export async function openSource(runtime: Runtime, from: string, { ref, root }: { readonly ref?: string; readonly root?: string }): Promise<Source> {
  const { isRepository, checkOut } = await import('./git-checkout.ts');
  if (!isRepository(from, runtime.cwd)) {
    if (ref !== undefined) throw invalid('/ref', `${from} is a folder, which has no --ref.`, 'Give the address of a repository, such as file:///path/to/it.');
    return { dir: inner(resolve(runtime.cwd, from), root), warnings: [], discard: () => {} };
  }
  const checkout = await checkOut(runtime, from, ref);
  try {
    return { ...checkout, dir: inner(checkout.dir, root) };
  } catch (error) {
    checkout.discard();
    throw error;
  }
}

/** A folder inside another, wherever links lead. */
function inner(dir: string, root: string | undefined): string {
  if (root === undefined) return dir;
  const path = join(dir, normalize(`${sep}${root}`));
  try {
    const [outer, found] = [realpathSync(dir), realpathSync(path)];
    if (!/(^|[/\\])\.\.([/\\]|$)/.test(root) && (found === outer || found.startsWith(`${outer}${sep}`))) return found;
  } catch {
    throw invalid('/root', `There is no folder ${root} in the source.`, 'Write --root relative to the folder or repository, such as docs.');
  }
  throw invalid('/root', `--root ${root} does not lie in the source.`, 'Write it relative to the folder or repository, such as docs.');
}
