import { join } from 'node:path';
import { compareExported } from '../../../content-sync/compare-folder.ts';
import { countDeletedPages, countImportedPages } from '../../../content-sync/deleted-pages.ts';
import type { Warning } from '../../../content-sync/folder.ts';
import type { ImportSource } from '../../../content-sync/import-source.ts';
import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { readFolder, type MarkdownFolder } from '../../../content-sync/read-folder.ts';
import { openContent, type ContentReader, type SpaceContent } from '../../../content-sync/space-content.ts';
import { defined } from '../../../contract/values.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import type { FormatOptions } from '../../manifest/annotate.ts';
import { withCounts, withStep } from '../../output/progress.ts';
import type { Session } from '../../session/session.ts';
import type { Space } from './import-space.ts';
import { listOverwritten } from './last-import.ts';
import { readOpenChangeRequest } from './unfinished-import.ts';

export interface ImportOptions extends FormatOptions {
  /** True for a new one, otherwise the number or ID of an existing one. */
  readonly changeRequest?: boolean | string;
  readonly subject: string;
  readonly ref?: string;
  readonly root?: string;
  readonly unlisted: 'skip' | 'hidden';
  readonly redirects?: boolean;
}

export interface ChangeRequest {
  readonly id: string;
  readonly number: number;
  readonly revisionInitial: string;
}

/** The source with the name that the user gave. */
export type NamedSource = ImportSource & { readonly from: string };

/** An import whose folder was read and compared with the space. */
export interface PlannedImport {
  readonly spaceId: string;
  readonly source: NamedSource;
  readonly options: ImportOptions;
  /** The existing change request that the import extends. */
  readonly existing: ChangeRequest | undefined;
  readonly folder: MarkdownFolder;
  readonly warnings: readonly Warning[];
  readonly plan: ImportPlan;
  readonly counts: PageCounts;
  readonly current: SpaceContent;
  readonly overwritten: readonly string[];
  /** Whether the change request is merged. */
  readonly isMerged: boolean;
  readonly readSpace: () => Promise<Space>;
}

export interface PageCounts {
  readonly deletedPages: number;
  /** Pages of the space that came from a folder. */
  readonly importedPages: number;
  /** Whether the space had pages or files before the import. */
  readonly hasContent: boolean;
}

async function createPlan(
  content: ContentReader,
  folder: MarkdownFolder,
  dir: string,
): Promise<{ plan: ImportPlan; counts: PageCounts; current: SpaceContent }> {
  const { current, plan } = await compareExported(content, folder, dir);
  const counts = {
    deletedPages: countDeletedPages(plan, current.pages),
    importedPages: countImportedPages(current.pages),
    hasContent: current.pages.length + current.files.length > 0,
  };
  return { plan, counts, current };
}

/** Returns the name of the imported folder in errors: not the address of a repository, which may have a password. */
function folderName({ commit, from }: NamedSource, root: string | undefined): string | undefined {
  return commit === undefined ? join(from, root ?? '') : root;
}

export async function prepareImport(
  session: Session,
  spaceId: string,
  source: NamedSource,
  options: ImportOptions,
): Promise<PlannedImport> {
  const { signal } = session.runtime;
  const { changeRequest, unlisted, root } = options;
  const api = await session.api();
  const existing =
    typeof changeRequest === 'string'
      ? await readOpenChangeRequest(session, spaceId, changeRequest)
      : undefined;
  let space: Promise<Space> | undefined;
  const folder = await withCounts(session, 'reading file', (onPage) =>
    readFolder(source.dir, { unlisted, shown: folderName(source, root), onPage, signal }),
  );
  const content = await openContent(api, { spaceId, ...defined({ changeRequestId: existing?.id }) }, signal);
  const compared = await withStep(session, 'comparing with the space', () =>
    createPlan(content, folder, source.dir),
  );
  const { current, plan } = compared;
  return {
    spaceId,
    source,
    options,
    existing,
    folder,
    warnings: [...source.warnings, ...folder.warnings],
    ...compared,
    overwritten:
      existing === undefined ? listOverwritten(session, { spaceId, source, folder, current, plan }) : [],
    isMerged: changeRequest === undefined,
    readSpace: () => (space ??= session.call(getSpace, { params: { spaceId } })),
  };
}
