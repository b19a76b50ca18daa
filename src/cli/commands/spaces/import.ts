import { join } from 'node:path';
import { Option } from 'commander';
import { countDeletedPages, countImportedPages } from '../../../content-sync/deleted-pages.ts';
import { describePlan } from '../../../content-sync/describe-plan.ts';
import type { Warning } from '../../../content-sync/folder.ts';
import { openImportSource, type ImportSource } from '../../../content-sync/import-source.ts';
import { compareFolder } from '../../../content-sync/compare-folder.ts';
import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { readFolder, type MarkdownFolder } from '../../../content-sync/read-folder.ts';
import { countChanges, previewChanges } from '../../../content-sync/send-import.ts';
import { openContent, type ContentReader, type SpaceContent } from '../../../content-sync/space-content.ts';
import { defined, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../resources/change-requests/contract.ts';
import { getSpace } from '../../../resources/spaces/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import {
  addFormatOption,
  annotateErrors,
  annotateViolations,
  toViolations,
  type FormatOptions,
} from '../../manifest/annotate.ts';
import { confirmQuestion } from '../../confirm/confirm.ts';
import { drawImpact, readLinkImpact, readRedirects, type LinkImpact } from '../../results/link-impact.ts';
import { drawMoved, noteMoved, type Moved } from '../../results/moved-redirects.ts';
import { createStyler } from '../../output/style.ts';
import { withCounts, withStep } from '../../output/progress.ts';
import type { Session } from '../../session/session.ts';
import type { CommandHelp } from '../../command-help.ts';
import { catchUpRedirects } from './import-redirects.ts';
import { checkWritable, resolveImportSpace, type Space } from './import-space.ts';
import { findBrokenByMerge, noteBroken } from './import-links.ts';
import { describeWarnings } from './import-warnings.ts';
import { describeOverwritten, listOverwritten, recordImport } from './last-import.ts';
import { brokenLinkViolations } from './link-place.ts';
import { noteMissingSpecifications } from './missing-specifications.ts';
import { endImport, readOpenChangeRequest, send, type Sent } from './unfinished-import.ts';
import { requiredArgument } from '../../input/required.ts';

interface Options extends FormatOptions {
  /** True for a new one, else the number or id of one. */
  readonly changeRequest?: boolean | string;
  readonly subject: string;
  readonly ref?: string;
  readonly root?: string;
  readonly unlisted: 'skip' | 'hidden';
  readonly redirects?: boolean;
}

export const help: CommandHelp = {
  description: `
The import creates a change request and merges it. Importing the folder again sends only the differences: pages that
came from the folder and are no longer in it are deleted, and pages made elsewhere are kept. The tree of pages follows
SUMMARY.md. Without that file, the tree follows the folders. The README.md, index.md or _index.md of a folder, or
else the page beside the folder with the same name, becomes the page above the other pages of the folder. A top-level
folder without such a page becomes a group.

The import overwrites pages that were edited in the space. It warns about them if this machine has imported or
exported the folder before. \`docsctl spaces git-sync\` merges both sides instead.

The space keeps paths relative to the imported folder. After an import with --root docs, an export writes paths without
docs/.

With --dry-run, nothing is changed. The output lists the links and anchors that the import would break, with their
page, line and reason. This includes links from other spaces. After an import of up to 500 changes, the command prints
how many links it broke.

If a published site shows the space, the output lists the redirects that the old paths of moved pages need, even with
--dry-run. With --redirects, the merge also creates them. If you forgot --redirects, import the unchanged folder again
with --redirects. A page keeps its redirects if its file is renamed.

If an import would delete at least 10 pages, and more than half of the pages that came from a folder, the folder may
be the wrong one. The command then asks for confirmation. Without a terminal, it exits with 9 unless you give --yes.
With --dry-run or --change-request, it never asks. To undo an import, run the command \`docsctl revisions restore\`
that the import prints.

-o json prints all warnings, the counts of changes, the overwritten files and the broken links. -o id prints the ID of
the change request. With --format github, standard output has an annotation for each warning and for each link
that the import breaks. GitHub shows the annotation beside the line.
`,
  examples: [
    'docsctl spaces import Guide ./docs',
    'docsctl spaces import "Old guide" ./docs --change-request --subject "Use the new guide"',
    'docsctl spaces import Guide ./docs --dry-run',
    'docsctl spaces import Guide ./docs --dry-run --format github',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  addFormatOption(command, 'an annotation per warning and broken link')
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .addArgument(requiredArgument('[source]', 'folder of Markdown, or address of a git repository'))
    .option(
      '--change-request [cr]',
      'do not merge: leave the changes in a new change request, or in the one with this number',
    )
    .option('--subject <text>', 'subject of the new change request', 'Import from a folder')
    .option('--ref <ref>', 'branch, tag or full commit ID of the repository')
    .option('--root <folder>', 'folder inside the source that holds the documentation')
    .option('--redirects', 'redirect the old paths of moved pages on published sites to the new ones')
    .addOption(
      new Option(
        '--unlisted <how>',
        'what to do with pages that SUMMARY.md does not list: skip them, or import them as hidden pages',
      )
        .choices(['skip', 'hidden'])
        .default('skip'),
    )
    .action(
      inSession((session, space: string | undefined, from: string | undefined, options: Options) =>
        annotateErrors(session, options, (own) => importSource(own, space, from, options)),
      ),
    );
};

async function importSource(
  session: Session,
  space: string | undefined,
  from: string | undefined,
  options: Options,
): Promise<void> {
  if (space === undefined || from === undefined)
    throw new Problem('usage', 'An import needs a space and a folder.', {
      hint: 'Give both, for example `docsctl spaces import Guide ./docs`.',
    });
  const spaceId = await resolveImportSpace(session, space, from);
  if (options.redirects === true && options.changeRequest !== undefined)
    throw new Problem(
      'usage',
      '--redirects needs a merge, and --change-request leaves the changes unmerged.',
      {
        hint: 'Create the redirects when you merge: `docsctl change-requests merge NUMBER --redirects`.',
      },
    );
  const source = await openImportSource(session.runtime, from, options);
  try {
    await importFolder(session, spaceId, { ...source, from }, options);
  } finally {
    source.discard();
  }
}

interface ChangeRequest {
  readonly id: string;
  readonly number: number;
  readonly revisionInitial: string;
}

/** The source as the user named it. */
type NamedSource = ImportSource & { readonly from: string };

async function importFolder(
  session: Session,
  spaceId: string,
  source: NamedSource,
  { changeRequest, subject, unlisted, redirects = false, root = '', format: annotated }: Options,
): Promise<void> {
  const { runtime, format, flags, note } = session;
  const api = await session.api();
  const existing: ChangeRequest | undefined =
    typeof changeRequest === 'string'
      ? await readOpenChangeRequest(session, spaceId, changeRequest)
      : undefined;
  let space: Promise<Space> | undefined;
  const readSpace = () => (space ??= session.call(getSpace, { params: { spaceId } }));
  const place = { spaceId, ...defined({ changeRequestId: existing?.id }) };
  const folder = await withCounts(session, 'reading file', (onPage) =>
    readFolder(source.dir, { unlisted, onPage, signal: runtime.signal }),
  );
  const warnings = [...source.warnings, ...folder.warnings];
  const content = await openContent(api, place, runtime.signal);
  const { plan, counts, current } = await withStep(session, 'comparing with the space', () =>
    createPlan(content, folder),
  );
  const overwritten =
    existing === undefined ? listOverwritten(session, { spaceId, source, folder, current, plan }) : [];
  const printer = format === 'table' ? undefined : await session.printer({ idField: 'changeRequest' });
  for (const line of describeWarnings(warnings)) note(line);
  if (overwritten.length > 0) note(describeOverwritten(overwritten, source.from));
  await noteMissingSpecifications(session, readSpace, plan);
  const print = async (
    change: ChangeRequest | undefined,
    merged: boolean,
    { links, moved = links?.redirects ?? [] }: Pick<Outcome, 'links'> & { moved?: readonly Moved[] },
  ): Promise<void> => {
    if (annotated === 'github') {
      const dir = source.commit === undefined ? join(source.from, root) : root;
      await annotateViolations(session, 'warning', [
        ...toViolations(warnings, dir),
        ...brokenLinkViolations(links?.brokenLinks ?? [], (id) =>
          id === spaceId ? join(dir, folder.root) : undefined,
        ),
      ]);
    }
    // Without a change request there is no id.
    if (format !== 'id' || change !== undefined)
      await printer?.one(
        resultOf(session, plan, {
          change,
          merged,
          commit: source.commit,
          warnings,
          links,
          moved,
          counts,
          overwritten,
        }),
      );
  };
  const isMerged = changeRequest === undefined;
  const isDryRun = flags.dryRun === true;
  const isEmpty = countChanges(plan) === 0;
  if (isDryRun || isEmpty) {
    if (!isDryRun && isMerged) recordImport(session, spaceId, source, folder);
    const links = isEmpty ? undefined : await findImpact(session, readSpace, existing, plan);
    const moved = isEmpty && isMerged && redirects ? await catchUpRedirects(session, spaceId) : undefined;
    await print(existing, false, { links, ...defined({ moved }) });
    if (isEmpty) {
      note(
        `Nothing to import: the folder and the ${existing === undefined ? 'space' : 'change request'} are the same.`,
      );
      return noteMoved(session, moved ?? [], createAll);
    }
    const { terminal } = session;
    const style = await createStyler(terminal.color && terminal.stderrIsTTY);
    if (links !== undefined && printer === undefined) await terminal.stderr.write(drawImpact(links, style));
    return note(`Dry run: ${describePlan(plan, current)}. Nothing was sent.`);
  }
  const target = await readSpace();
  const { title, organization } = target;
  await checkWritable(session, target, { merges: isMerged });
  if (isMerged) await confirmDeletion(session, { title, from: source.from, counts });
  const change =
    existing ?? (await session.call(createChangeRequest, { params: { spaceId }, body: { subject } }));
  const params = { spaceId, changeRequestId: change.id };
  let moved: readonly Moved[] = [];
  let found: LinkImpact | string | undefined;
  const sent: Sent = { part: 'nothing' };
  try {
    await send(session, params, plan, sent);
    if (isMerged) {
      found = await findBrokenByMerge(session, plan, { ...params, organization });
      const body = redirects ? { redirects } : {};
      moved = (await session.call(mergeChangeRequest, { params, body })).redirects ?? [];
    } else moved = await readRedirects(session, organization, { space: spaceId, changeRequest: change.id });
  } catch (error) {
    const { number } = change;
    throw await endImport(session, { params, number, isNew: existing === undefined, sent }, error);
  }
  if (isMerged) recordImport(session, spaceId, source, folder);
  const links = typeof found === 'string' ? undefined : found;
  await print(change, isMerged, { links, moved });
  if (found !== undefined) noteBroken(session, spaceId, found);
  if (isMerged) noteMoved(session, moved, createAll);
  else if (moved.length > 0) note(drawMoved(moved, (text) => text).trimEnd());
  const where = `${isMerged ? 'merged as' : 'in'} change request ${change.number}`;
  const warned = warnings.length === 0 ? '' : `; ${plural(warnings.length, 'warning')}`;
  const back =
    isMerged && counts.hasContent
      ? ` To go back, run \`docsctl revisions restore ${change.revisionInitial} --space ${spaceId} --merge\`.`
      : '';
  note(`Imported: ${describePlan(plan, current)}; ${where}${warned}.${back}`);
}

/** How to create the redirects of an import without --redirects. */
const createAll =
  'To create all of them, import the folder again with --redirects, before the space changes again.';

/** Where fewer pages would be deleted, an import never asks. */
const minDeletedPages = 10;

/**
 * Asks before an import that looks like one of the wrong folder: it would delete more than half of the pages that came from
 * a folder.
 * @throws Problem(guard-refused) when the answer is no, or there is no terminal to ask on
 */
async function confirmDeletion(
  session: Session,
  {
    title,
    from,
    counts: { deletedPages, importedPages },
  }: { title: string; from: string; counts: PageCounts },
): Promise<void> {
  if (deletedPages < minDeletedPages || deletedPages * 2 <= importedPages) return;
  if (session.flags.yes === true) return;
  const pages = `${deletedPages} of the ${plural(importedPages, 'page')} that came from a folder in the space "${title}"`;
  await confirmQuestion(session, {
    question: (where) => `The import of ${from} deletes ${pages}, on ${where}. Import it?`,
    refusal: `The import of ${from} would delete ${pages}. Nothing was changed.`,
    hint: 'Check the folder. Add --dry-run to see the changes, --change-request to review them first, or --yes to import them.',
  });
}

/** Finds the links that an import would break; undefined where that cannot be checked. */
async function findImpact(
  session: Session,
  readSpace: () => Promise<Space>,
  existing: ChangeRequest | undefined,
  plan: ImportPlan,
): Promise<LinkImpact | undefined> {
  const api = await session.api();
  const changes = previewChanges(plan, { remote: /^https?:/.test(api.place) });
  if (changes === undefined) {
    session.note('The changes are too large to check their links before the import.');
    return undefined;
  }
  const { organization, id: space } = await readSpace();
  const planned = { space, changes, ...defined({ changeRequest: existing?.id }) };
  return readLinkImpact(api, organization, { spaces: [planned] }, session.runtime.signal);
}

interface PageCounts {
  readonly deletedPages: number;
  /** Pages of the space that came from a folder. */
  readonly importedPages: number;
  /** Whether the space had pages or files before the import. */
  readonly hasContent: boolean;
}

async function createPlan(
  content: ContentReader,
  folder: MarkdownFolder,
): Promise<{ readonly plan: ImportPlan; readonly counts: PageCounts; readonly current: SpaceContent }> {
  const { current, plan } = await compareFolder(content, folder);
  const counts = {
    deletedPages: countDeletedPages(plan, current.pages),
    importedPages: countImportedPages(current.pages),
    hasContent: current.pages.length + current.files.length > 0,
  };
  return { plan, counts, current };
}

interface Outcome {
  readonly change: ChangeRequest | undefined;
  readonly merged: boolean;
  readonly commit: string | undefined;
  readonly warnings: readonly Warning[];
  /** Undefined where they were not checked. */
  readonly links: LinkImpact | undefined;
  readonly moved: readonly Moved[];
  readonly counts: PageCounts;
  readonly overwritten: readonly string[];
}

function resultOf(
  { format }: Session,
  { pages, texts, files, deletedFiles }: ImportPlan,
  { change, merged, commit, warnings, links, moved, counts, overwritten }: Outcome,
): Record<string, unknown> {
  const hasLists = ['json', 'yaml', 'ndjson'].includes(format);
  return defined({
    changeRequest: change?.id,
    number: change?.number,
    merged,
    commit,
    pages: pages.length,
    texts: texts.length,
    files: files.length,
    deletedFiles: deletedFiles.length,
    warnings: warnings.length,
    deletedPages: counts.deletedPages,
    warningList: hasLists ? warnings : undefined,
    overwritten: hasLists ? overwritten : undefined,
    brokenLinks: hasLists ? links?.brokenLinks : undefined,
    brokenRedirects: hasLists ? links?.brokenRedirects : undefined,
    redirects: hasLists ? moved : undefined,
  });
}
