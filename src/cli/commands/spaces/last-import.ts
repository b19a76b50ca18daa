import { existsSync, realpathSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readExportRecord, writeExportRecord } from '../../../content-sync/export-record.ts';
import { findOverwritten } from '../../../content-sync/find-overwritten.ts';
import type { ImportSource } from '../../../content-sync/import-source.ts';
import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { listOids, type MarkdownFolder } from '../../../content-sync/read-folder.ts';
import type { SpaceContent } from '../../../content-sync/space-content.ts';
import { listSome, plural } from '../../../contract/values.ts';
import { settingsFolder } from '../../settings/settings.ts';
import type { Session } from '../../session/session.ts';

/**
 * Returns the pages and files that changed in the space since the last import or export of the folder, and would be overwritten.
 */
export function listOverwritten(
  { runtime }: Session,
  {
    spaceId,
    source: { dir, commit },
    folder,
    current,
    plan,
  }: {
    spaceId: string;
    source: ImportSource;
    folder: MarkdownFolder;
    current: SpaceContent;
    plan: ImportPlan;
  },
): string[] {
  if (commit !== undefined) return [];
  const last = readExportRecord(settingsFolder(runtime), { dir: realpathSync(dir), spaceId });
  return last === undefined ? [] : findOverwritten(current, folder, plan, last);
}

/** Returns the warning about the pages and files that an import overwrites. `from` is the folder. */
export function describeOverwritten(paths: readonly string[], from: string): string {
  const [were, them] = paths.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return `warning: ${plural(paths.length, 'file')} ${were} changed in the space since ${from} was last imported or exported, and the import overwrites ${them}: ${listSome(paths)}`;
}

/** Records that the space equals the folder, so that an export may replace its files until they are edited. */
export function recordImport(
  { runtime }: Session,
  spaceId: string,
  { dir, commit }: ImportSource,
  folder: MarkdownFolder,
): void {
  if (commit !== undefined) return;
  const place = { dir: realpathSync(dir), spaceId };
  const settings = settingsFolder(runtime);
  // A file that this import skipped, or that is not below its root, is no longer a page of the space.
  const start = posix.join('/', folder.root, '/');
  const skipped = new Set(
    folder.warnings.filter(({ rule }) => rule === 'unlisted-page').map(({ file }) => file),
  );
  const before = [...(readExportRecord(settings, place) ?? [])].filter(
    ([path]) => !skipped.has(path) && `/${path}`.startsWith(start) && existsSync(join(dir, path)),
  );
  // If this fails, an export refuses to replace files that it could replace.
  writeExportRecord(settings, place, new Map([...before, ...listOids(folder)]), runtime.randomBytes);
}
