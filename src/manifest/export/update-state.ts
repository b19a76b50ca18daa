import { isRecord } from '../../contract/values.ts';
import { nameOf } from '../address.ts';
import type { ManifestState, Owned } from '../manifest-state.ts';
import { canonical } from '../value.ts';
import type { KnownResource } from './export-organization.ts';

/** The name of the checkpoint in a state file that lists the files of an export. */
const checkpoint = 'export';

/**
 * Returns the files of an earlier export: git IDs by path. Undefined if there was no export. `isContent` recognizes paths of
 * content exports.
 */
export function exportedFiles(
  state: ManifestState,
  isContent: (path: string) => boolean = () => false,
): ReadonlyMap<string, string> | undefined {
  const { files } = (state.checkpoint(checkpoint) ?? {}) as { files?: unknown };
  if (!isRecord(files)) return undefined;
  return new Map(
    Object.entries(files).filter(
      (file): file is [string, string] =>
        (isSafePath(file[0]) || isContent(file[0])) && typeof file[1] === 'string',
    ),
  );
}

/** Files that a state file names may be deleted, so only plain paths are accepted. */
function isSafePath(path: string): boolean {
  return (
    path.split('/').every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(part)) &&
    /\.(yaml|md|json|pem)$/.test(path)
  );
}

/** Returns a function that looks up live resources in a state file. */
export function knownFromState(
  state: ManifestState,
): (kind: string, id: string) => KnownResource | undefined {
  const byId = new Map(
    state.entries().map(([address, { kind, id, protect = false }]) => {
      const path = nameOf(address);
      return [`${kind} ${id}`, { name: path.slice(path.lastIndexOf('/') + 1), protect }];
    }),
  );
  return (kind, id) => byId.get(`${kind} ${id}`);
}

/** Makes a state file own exactly the exported resources of these kinds. Returns whether the state has changed. */
export function updateState(
  state: ManifestState,
  owned: ReadonlyMap<string, Owned>,
  kinds: ReadonlySet<string>,
  files: ReadonlyMap<string, string>,
): boolean {
  const before = describe(state);
  for (const [address, { kind }] of state.entries())
    if (kinds.has(kind) && !owned.has(address)) state.delete(address);
  for (const [address, one] of owned) state.set(address, one);
  recordFiles(state, files);
  return describe(state) !== before;
}

/** Records the exported files in a state file. */
export function recordFiles(state: ManifestState, files: ReadonlyMap<string, string>): void {
  state.setCheckpoint(checkpoint, { files: Object.fromEntries([...files].sort(byFirst)) });
}

function describe(state: ManifestState): string {
  return canonical([state.entries().sort(byFirst), state.checkpoint(checkpoint)]);
}

function byFirst([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
