import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isSafePath } from '../../../content-sync/export-paths.ts';
import type { Runtime } from '../../runtime.ts';
import { settingsFolder } from '../../settings.ts';

/** What a folder and its space had in common when docsctl last wrote or imported it: path → git id of the file. */
export type ExportRecord = ReadonlyMap<string, string>;

/** A folder, by its real path, and the space whose content is in it. */
export interface RecordPlace {
  readonly dir: string;
  readonly spaceId: string;
}

type Home = Pick<Runtime, 'env' | 'home'>;

/** The most bytes of a record, and how many of them are kept: those that were used last. */
const maxBytes = 16 * 1024 * 1024;
const maxRecords = 100;

/** The record of a folder; undefined where there is none, or none that can be read. */
export function readExportRecord(home: Home, place: RecordPlace): ExportRecord | undefined {
  try {
    const path = pathOf(home, place);
    if (statSync(path).size > maxBytes) return undefined;
    const { dir, spaceId, files } = JSON.parse(readFileSync(path, 'utf8')) as {
      dir: unknown;
      spaceId: unknown;
      files: Record<string, unknown>;
    };
    if (dir !== place.dir || spaceId !== place.spaceId) return undefined;
    return new Map(
      Object.entries(files).filter(
        (file): file is [string, string] => isSafePath(file[0]) && typeof file[1] === 'string',
      ),
    );
  } catch {
    // Without it, an export asks before it replaces anything.
    return undefined;
  }
}

/** Keeps the record of a folder, readable by its owner only; false where that cannot be done. */
export function writeExportRecord(
  home: Pick<Runtime, 'env' | 'home' | 'randomBytes'>,
  { dir, spaceId }: RecordPlace,
  record: ExportRecord,
): boolean {
  const text = JSON.stringify({
    dir,
    spaceId,
    files: Object.fromEntries([...record].sort(([one], [other]) => (one < other ? -1 : 1))),
  });
  if (Buffer.byteLength(text) > maxBytes) return false;
  const path = pathOf(home, { dir, spaceId });
  const beside = `${path}.${Buffer.from(home.randomBytes(6)).toString('hex')}.new`;
  try {
    mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
    chmodSync(folderOf(home), 0o700);
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, path);
    forgetOldest(folderOf(home), path);
    return true;
  } catch {
    rmSync(beside, { force: true });
    return false;
  }
}

function forgetOldest(folder: string, kept: string): void {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  if (paths.length <= maxRecords) return;
  const age = new Map(
    paths.map((path) => [
      path,
      path === kept ? Infinity : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0),
    ]),
  );
  const oldest = paths
    .sort((one, other) => age.get(one)! - age.get(other)!)
    .slice(0, paths.length - maxRecords);
  for (const path of oldest) rmSync(path, { force: true });
}

function folderOf(home: Home): string {
  return join(settingsFolder(home), 'exports');
}

function pathOf(home: Home, { dir, spaceId }: RecordPlace): string {
  const name = createHash('sha256')
    .update(JSON.stringify([dir, spaceId]))
    .digest('hex')
    .slice(0, 32);
  return join(folderOf(home), `${name}.json`);
}
