import type { Exported } from '../../manifest/export/export-organization.ts';
import type { Session } from '../session.ts';
import { someOf, type FolderChanges } from '../../content-sync/export-folder.ts';

/** What was, or would be, exported. */
export interface ExportReport {
  readonly folder: string;
  readonly exported: Exported;
  readonly changes: FolderChanges;
  /** Spaces whose content is exported with them. */
  readonly contents: number;
  /** What a person should know of it. */
  readonly warnings: readonly string[];
}

/** Says what would be written, and what stands in the way. */
export function noteDryRun(
  session: Session,
  { create, replace, remove, edited }: FolderChanges,
  isForced: boolean,
): void {
  const refused = new Set(isForced ? [] : edited);
  const paths = [...create, ...replace].map(({ path }) => path).filter((path) => !refused.has(path));
  for (const path of paths.slice(0, 30)) session.note(`would write ${path}`);
  if (paths.length > 30) session.note(`would write ${paths.length - 30} more files`);
  for (const path of refused)
    session.note(`would refuse to replace ${path}: it was edited since the last export; --force replaces it`);
  for (const path of remove.slice(0, 30)) session.note(`would delete ${path}`);
  if (remove.length > 30) session.note(`would delete ${remove.length - 30} more files`);
}

/** Says what an export did: warnings, counts as data, and the verdict. */
export async function printExport(
  session: Session,
  { folder, exported, changes, contents, warnings }: ExportReport,
): Promise<void> {
  const { owned, unsupported } = exported;
  const { create, replace, same, remove, kept, others } = changes;
  const isDry = session.flags.dryRun === true;
  for (const why of new Set(unsupported.values())) {
    const left = [...unsupported].flatMap(([kind, reason]) =>
      reason === why ? [kind === 'member' ? 'what names members' : kind] : [],
    );
    session.note(`Left out: ${left.join(', ')}. ${why}`);
  }
  for (const warning of warnings.slice(0, 30)) session.note(`warning: ${warning}`);
  if (warnings.length > 30) session.note(`… and ${warnings.length - 30} more like these.`);
  if (kept.length > 0)
    session.note(
      `Not part of the export any more, and kept because they were edited: ${someOf(kept, 20)}; --force deletes them.`,
    );
  if (others.length > 0)
    session.note(`A plan of the folder reads these as well: ${others.slice(0, 10).join(', ')}.`);
  const kinds: Record<string, number> = {};
  for (const { kind } of owned.values()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  if (session.format !== 'table') {
    const printer = await session.printer({ idField: 'folder' });
    const result = {
      folder,
      resources: owned.size,
      kinds,
      contents,
      created: create.length,
      changed: replace.length,
      unchanged: same.length,
      deleted: remove.length,
      leftOut: [...unsupported.keys()],
      warnings: warnings.length,
    };
    await printer.one(result);
    await printer.end();
  }
  const words = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  const content =
    contents === 0 ? '' : ` with content of ${contents === 1 ? '1 space' : `${contents} spaces`}`;
  session.note(
    `${isDry ? 'Dry run, nothing was written: ' : ''}${words.join(', ')}${content}; files: ${create.length} new, ${replace.length} changed, ${same.length} as they were, ${remove.length} deleted; warnings: ${warnings.length}.`,
  );
}
