import type { Exported } from '../../manifest/export/export-organization.ts';
import type { Session } from '../session/session.ts';
import type { FolderChanges } from '../../content-sync/export-folder.ts';
import { listSome, plural } from '../../contract/values.ts';
import { noteFiles } from '../results/save-file.ts';
import { nameUnreadable } from './describe-step.ts';

/** The result of an export, or of its dry run. */
interface ExportReport {
  readonly folder: string;
  readonly exported: Exported;
  readonly changes: FolderChanges;
  readonly contents: number;
  readonly warnings: readonly string[];
}

/** Notes which files a dry run would write and delete, and which edited ones prevent it. */
export function noteDryRun(
  session: Session,
  { create, replace, remove, edited }: FolderChanges,
  isForced: boolean,
): void {
  const refused = new Set(isForced ? [] : edited);
  const paths = [...create, ...replace].map(({ path }) => path).filter((path) => !refused.has(path));
  noteFiles(session, 'would write', paths);
  for (const path of refused)
    session.note(`would not replace ${path}, which was edited since the last export (--force replaces it)`);
  noteFiles(session, 'would delete', remove);
}

/** Prints the result of an export: warnings, counts as data, and the verdict. */
export async function printExport(
  session: Session,
  { folder, exported, changes, contents, warnings }: ExportReport,
): Promise<void> {
  const { owned, unsupported } = exported;
  const { create, replace, same, remove, kept, others } = changes;
  const isDry = session.flags.dryRun === true;
  for (const why of new Set(unsupported.values())) {
    const left = [...unsupported]
      .filter(([, reason]) => reason === why)
      .map(([what]) => nameUnreadable(what));
    session.note(`Not exported: ${left.join(', ')}. ${why}`);
  }
  for (const warning of warnings.slice(0, 30)) session.note(`warning: ${warning}`);
  if (warnings.length > 30) session.note(`… and ${plural(warnings.length - 30, 'more warning')}.`);
  if (kept.length > 0)
    session.note(
      `No longer part of the export, but kept because they were edited: ${listSome(kept, 20)}. Use --force to delete them.`,
    );
  if (others.length > 0) session.note(`A plan of this folder also reads: ${listSome(others, 10)}.`);
  const kinds: Record<string, number> = {};
  for (const { kind } of owned.values()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const counts = {
    created: create.length,
    changed: replace.length,
    unchanged: same.length,
    deleted: remove.length,
    leftOut: [...unsupported.keys()],
    warnings: warnings.length,
  };
  if (session.format !== 'table')
    await session.print({ folder, resources: owned.size, kinds, contents, ...counts }, { idField: 'folder' });
  const perKind = Object.entries(kinds).map(([kind, count]) =>
    kind === 'org' ? 'the organization' : plural(count, kind),
  );
  const content = contents === 0 ? '' : `; content of ${plural(contents, 'space')}`;
  session.note(
    `${isDry ? 'Dry run; nothing was written. ' : ''}${perKind.join(', ')}${content}; files: ${create.length} new, ${replace.length} changed, ${same.length} unchanged, ${remove.length} deleted; ${plural(warnings.length, 'warning')}.`,
  );
}
