import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../files/make-folders.ts';
import { isSafePath } from './export-paths.ts';

/** The git IDs, by path, of the files that were equal in a folder and its space after the last export or import. */
export type ExportRecord = ReadonlyMap<string, string>;

/** A folder, by its real path, and its space. */
interface ExportedFolder {
  readonly dir: string;
  readonly spaceId: string;
}

const maxBytes = 16 * 1024 * 1024;
/** Maximum number of records. The least recently used ones are deleted. */
const maxRecords = 100;

/** Reads the record of a folder; undefined if there is none or it cannot be read. */
export function readExportRecord(settingsFolder: string, place: ExportedFolder): ExportRecord | undefined {
  try {
    const path = recordPath(settingsFolder, place);
    if (statSync(path).size > maxBytes) return undefined;
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: Record<string, unknown> };
    return new Map(
      Object.entries(files).filter(
        (file): file is [string, string] => isSafePath(file[0]) && typeof file[1] === 'string',
      ),
    );
  } catch {
    // Without a record, an export asks before it replaces files.
    return undefined;
  }
}

/** Saves the record of a folder, readable only by its owner. Returns false if that fails. */
export function writeExportRecord(
  settingsFolder: string,
  { dir, spaceId }: ExportedFolder,
  record: ExportRecord,
  randomBytes: (count: number) => Uint8Array,
): boolean {
  const text = JSON.stringify({
    dir,
    spaceId,
    files: Object.fromEntries([...record].sort(([one], [other]) => (one < other ? -1 : 1))),
  });
  if (Buffer.byteLength(text) > maxBytes) return false;
  const folder = recordsFolder(settingsFolder);
  const path = recordPath(settingsFolder, { dir, spaceId });
  const beside = `${path}.${Buffer.from(randomBytes(6)).toString('hex')}.new`;
  try {
    makeFolders(folder, 0o700);
    chmodSync(folder, 0o700);
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, path);
    deleteOldest(folder, path);
    return true;
  } catch {
    rmSync(beside, { force: true });
    return false;
  }
}

function deleteOldest(folder: string, kept: string): void {
  const records = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const usedAt = path === kept ? Infinity : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    return { path, usedAt };
  });
  if (records.length <= maxRecords) return;
  records.sort((one, other) => one.usedAt - other.usedAt);
  for (const { path } of records.slice(0, records.length - maxRecords)) rmSync(path, { force: true });
}

function recordsFolder(settingsFolder: string): string {
  return join(settingsFolder, 'exports');
}

function recordPath(settingsFolder: string, { dir, spaceId }: ExportedFolder): string {
  const name = createHash('sha256')
    .update(JSON.stringify([dir, spaceId]))
    .digest('hex')
    .slice(0, 32);
  return join(recordsFolder(settingsFolder), `${name}.json`);
}
