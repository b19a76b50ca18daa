import { nameOf } from '../address.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import { canonical } from '../value.ts';
import type { KnownResource } from './export-organization.ts';

/** The checkpoint of a lock that says which files an export wrote, and the git id of each. */
const checkpoint = 'export';

/**
 * The files of the earlier export that a lock speaks of: path → git id of what it wrote. Undefined: there was none.
 * `isContent` says which paths an export of content may have written.
 */
export function exportedFiles(
  lock: ManifestState,
  isContent: (path: string) => boolean = () => false,
): ReadonlyMap<string, string> | undefined {
  const files = (lock.checkpoint(checkpoint) as { readonly files?: unknown } | undefined)?.files;
  if (typeof files !== 'object' || files === null) return undefined;
  return new Map(
    Object.entries(files).filter(
      (file): file is [string, string] =>
        (isSafePath(file[0]) || isContent(file[0])) && typeof file[1] === 'string',
    ),
  );
}

/** A lock comes with a checkout: what it names is deleted, so it is looked at like any other text from outside. */
function isSafePath(path: string): boolean {
  return (
    path.split('/').every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part)) &&
    /\.(yaml|md|json|pem)$/.test(path)
  );
}

/** What a lock knows of live resources. */
export function knownFromState(lock: ManifestState): (kind: string, id: string) => KnownResource | undefined {
  const byId = new Map(
    lock
      .entries()
      .map(([address, { kind, id, protect = false }]) => [
        `${kind} ${id}`,
        { name: nameOf(address).split('/').at(-1)!, protect },
      ]),
  );
  return (kind, id) => byId.get(`${kind} ${id}`);
}

/**
 * Makes a lock say what is exported, and no more of the kinds that are. Answers whether that changed anything: a lock that
 * says it already is not written again.
 */
export function updateState(
  lock: ManifestState,
  owned: ReadonlyMap<string, Owned>,
  kinds: ReadonlySet<string>,
  files: ReadonlyMap<string, string>,
): boolean {
  const before = stateOf(lock);
  for (const [address, { kind }] of lock.entries())
    if (kinds.has(kind) && !owned.has(address)) lock.delete(address);
  for (const [address, one] of owned) lock.set(address, one);
  recordFiles(lock, files);
  return stateOf(lock) !== before;
}

/** Makes a lock say which files exports wrote, and nothing else. */
export function recordFiles(lock: ManifestState, files: ReadonlyMap<string, string>): void {
  lock.setCheckpoint(checkpoint, {
    files: Object.fromEntries([...files].sort(([one], [other]) => (one < other ? -1 : 1))),
  });
}

function stateOf(lock: ManifestState): string {
  return canonical([
    lock.entries().sort(([one], [other]) => (one < other ? -1 : 1)),
    lock.checkpoint(checkpoint) ?? null,
  ]);
}
