import { shellWord } from '../../../contract/shell-word.ts';
import { join } from 'node:path';
import { Option } from 'commander';
import { describePlan } from '../../../content-sync/describe-plan.ts';
import { openImportSource } from '../../../content-sync/import-source.ts';
import type { ImportPlan } from '../../../content-sync/plan-import.ts';
import { countChanges, previewChanges } from '../../../content-sync/send-import.ts';
import { defined, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../resources/change-requests/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import {
  addFormatOption,
  annotateErrors,
  annotateViolations,
  toViolations,
} from '../../manifest/annotate.ts';
import { confirmQuestion } from '../../confirm/confirm.ts';
import { drawImpact, readLinkImpact, readRedirects, type LinkImpact } from '../../results/link-impact.ts';
import { drawMoved, noteMoved, type Moved } from '../../results/moved-redirects.ts';
import { createStyler } from '../../output/style.ts';
import type { Session } from '../../session/session.ts';
import { catchUpRedirects } from './import-redirects.ts';
import { checkWritable, resolveImportSpace, type Space } from './import-space.ts';
import { findBrokenByMerge, noteBroken } from './import-links.ts';
import { describeWarnings } from './import-warnings.ts';
import { describeOverwritten, recordImport } from './last-import.ts';
import { brokenLinkViolations } from './link-place.ts';
import {
  prepareImport,
  type ChangeRequest,
  type ImportOptions,
  type NamedSource,
  type PageCounts,
  type PlannedImport,
} from './planned-import.ts';
import { noteMissingSpecifications } from './missing-specifications.ts';
import { endImport, send, type Sent } from './unfinished-import.ts';

export const help: CommandHelp = {
  description: `
The import creates a change request and merges it. Importing the folder again sends only the differences: pages that
came from the folder and are no longer in it are deleted, and pages made elsewhere are kept. The tree of pages follows
SUMMARY.md. Without that file, it follows mkdocs.yml, the toctrees of Sphinx, or the folders. In each folder,
README.md, index.md or _index.md becomes the parent of the other pages. In a folder without these files, the page beside the folder that has the same
name becomes the parent. A top-level folder without a parent page becomes a group.

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
With --dry-run or --change-request, it never asks. To undo an import, run the \`docsctl revisions restore\` command
that the import prints. The first import into an empty space prints none.

-o json prints all warnings, the counts of changes, the overwritten files and the broken links. -o id prints the ID of
the change request. With --format github, standard output has an annotation for each warning about the text of
a file and for each link that the import breaks. GitHub shows the annotation beside the line.
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
    .option('--ref <ref>', 'branch, tag or full commit ID of the repository (default: its default branch)')
    .option(
      '--root <folder>',
      'folder inside the source that holds the documentation (default: the root in .gitbook.yaml, or the whole source)',
    )
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
      inSession((session, space: string | undefined, from: string | undefined, options: ImportOptions) =>
        annotateErrors(session, options, (own) => importSource(own, space, from, options)),
      ),
    );
};

async function importSource(
  session: Session,
  space: string | undefined,
  from: string | undefined,
  options: ImportOptions,
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
        hint: `Create the redirects when you merge: \`docsctl change-requests merge NUMBER --space ${shellWord(space)} --redirects\`.`,
      },
    );
  const source = await openImportSource(session.runtime, from, options);
  try {
    await importFolder(session, spaceId, { ...source, from }, options);
  } finally {
    source.discard();
  }
}

async function importFolder(
  session: Session,
  spaceId: string,
  source: NamedSource,
  options: ImportOptions,
): Promise<void> {
  const planned = await prepareImport(session, spaceId, source, options);
  const { plan, warnings, overwritten, readSpace } = planned;
  const printer =
    session.format === 'table' ? undefined : await session.printer({ idField: 'changeRequest' });
  for (const line of describeWarnings(warnings)) session.note(line);
  if (overwritten.length > 0) session.note(describeOverwritten(overwritten, source.from));
  await noteMissingSpecifications(session, readSpace, plan);
  if (session.flags.dryRun === true || countChanges(plan) === 0)
    await endWithoutSending(session, planned, printer);
  else await sendImport(session, planned, printer);
}

type Printer = Awaited<ReturnType<Session['printer']>>;

async function printOutcome(
  session: Session,
  planned: PlannedImport,
  printer: Printer | undefined,
  outcome: Outcome,
): Promise<void> {
  const { spaceId, source, options, folder, warnings } = planned;
  if (options.format === 'github') {
    const { root = '' } = options;
    const dir = source.commit === undefined ? join(source.from, root) : root;
    await annotateViolations(session, 'warning', [
      ...toViolations(warnings, dir),
      ...brokenLinkViolations(outcome.links?.brokenLinks ?? [], (id) =>
        id === spaceId ? join(dir, folder.root) : undefined,
      ),
    ]);
  }
  // Without a change request there is no ID to print.
  if (session.format !== 'id' || outcome.change !== undefined)
    await printer?.one(resultOf(session, planned, outcome));
}

/** Ends an import that has nothing to send, or that is a dry run. */
async function endWithoutSending(
  session: Session,
  planned: PlannedImport,
  printer: Printer | undefined,
): Promise<void> {
  const { spaceId, source, options, existing, folder, plan, current, isMerged, readSpace } = planned;
  const isDryRun = session.flags.dryRun === true;
  const isEmpty = countChanges(plan) === 0;
  if (!isDryRun && isMerged) recordImport(session, spaceId, source, folder);
  const links = isEmpty ? undefined : await findImpact(session, readSpace, existing, plan);
  const moved =
    isEmpty && isMerged && options.redirects === true ? await catchUpRedirects(session, spaceId) : undefined;
  await printOutcome(session, planned, printer, {
    change: existing,
    merged: false,
    links,
    moved: moved ?? links?.redirects ?? [],
  });
  if (isEmpty) {
    session.note(
      `Nothing to import: the ${existing === undefined ? 'space' : 'change request'} already has the content of the folder.`,
    );
    return noteMoved(session, moved ?? [], createAll);
  }
  const { terminal } = session;
  const style = await createStyler(terminal.color && terminal.stderrIsTTY);
  if (links !== undefined && printer === undefined) await terminal.stderr.write(drawImpact(links, style));
  session.note(`Dry run: ${describePlan(plan, current)}. Nothing was sent.`);
}

async function sendImport(
  session: Session,
  planned: PlannedImport,
  printer: Printer | undefined,
): Promise<void> {
  const { spaceId, source, options, existing, folder, warnings, plan, counts, current, isMerged } = planned;
  const { note } = session;
  const target = await planned.readSpace();
  const { title, organization } = target;
  await checkWritable(session, target, { merges: isMerged });
  if (isMerged) await confirmDeletion(session, { title, from: source.from, counts });
  const { subject } = options;
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
      const body = options.redirects === true ? { redirects: true } : {};
      moved = (await session.call(mergeChangeRequest, { params, body })).redirects ?? [];
    } else moved = await readRedirects(session, organization, { space: spaceId, changeRequest: change.id });
  } catch (error) {
    const { number } = change;
    throw await endImport(session, { params, number, isNew: existing === undefined, sent }, error);
  }
  if (isMerged) recordImport(session, spaceId, source, folder);
  const links = typeof found === 'string' ? undefined : found;
  await printOutcome(session, planned, printer, { change, merged: isMerged, links, moved });
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

/** Returns how to create the redirects of an import without --redirects. */
const createAll =
  'To create all of them, import the folder again with --redirects, before the space changes again.';

/** If fewer pages would be deleted, an import does not ask. */
const minDeletedPages = 10;

/**
 * Asks before an import that would delete more than half of the pages that came from a folder, because it may be the wrong
 * folder.
 * @throws Problem(guard-refused) if the answer is no, or there is no terminal
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

/** Finds the links that an import would break; undefined if they cannot be checked. */
async function findImpact(
  session: Session,
  readSpace: () => Promise<Space>,
  existing: ChangeRequest | undefined,
  plan: ImportPlan,
): Promise<LinkImpact | undefined> {
  const api = await session.api();
  const changes = previewChanges(plan, /^https?:/.test(api.place));
  if (changes === undefined) {
    session.note('The changes are too large to check their links before the import.');
    return undefined;
  }
  const { organization, id: space } = await readSpace();
  const planned = { space, changes, ...defined({ changeRequest: existing?.id }) };
  return readLinkImpact(api, organization, { spaces: [planned] }, session.runtime.signal);
}

interface Outcome {
  readonly change: ChangeRequest | undefined;
  readonly merged: boolean;
  /** Undefined if they were not checked. */
  readonly links: LinkImpact | undefined;
  readonly moved: readonly Moved[];
}

function resultOf(
  { format }: Session,
  { source, plan, counts, warnings, overwritten }: PlannedImport,
  { change, merged, links, moved }: Outcome,
): Record<string, unknown> {
  const hasLists = ['json', 'yaml', 'ndjson'].includes(format);
  return defined({
    changeRequest: change?.id,
    number: change?.number,
    merged,
    commit: source.commit,
    pages: plan.pages.length,
    texts: plan.texts.length,
    files: plan.files.length,
    deletedFiles: plan.deletedFiles.length,
    warnings: warnings.length,
    deletedPages: counts.deletedPages,
    warningList: hasLists ? warnings : undefined,
    overwritten: hasLists ? overwritten : undefined,
    brokenLinks: hasLists ? links?.brokenLinks : undefined,
    brokenRedirects: hasLists ? links?.brokenRedirects : undefined,
    redirects: hasLists ? moved : undefined,
  });
}
