import { writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { makeFolders } from '../../files/make-folders.ts';
import { listSome } from '../../contract/values.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { getExisting, type WriteTransaction } from '../../core/store.ts';
import { readRevision } from '../../content/revisions.ts';
import { Problem } from '../../errors/problem.ts';
import { gitSyncs, type GitRunChange, type GitRunRow } from '../../resources/git-sync/rows.ts';
import { pointOf } from '../../resources/git-sync/rules.ts';
import { recordGitSync } from '../../resources/integration-events/record.ts';
import { isMarkdown } from '../contents.ts';
import { foldersOf, isSafePath } from '../export-paths.ts';
import { withoutHooks } from '../git-checkout.ts';
import { findInside } from '../import-source.ts';
import { planExport } from '../plan-export.ts';
import { listOids, readFolder } from '../read-folder.ts';
import { readerOf } from '../write-folder.ts';
import { openContent, type ContentReader } from '../space-content.ts';
import { composeMessage, identityOf, readMessage } from './commit.ts';
import type { connect } from './connect.ts';
import { finishSent } from './import-commit.ts';
import { noBranch, readState, targetOf, writeBase, type SyncRun } from './sync-run.ts';

type Repository = Awaited<ReturnType<typeof connect>>;

/** A file of a commit. */
interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
}
type Tree = ReadonlyMap<string, TreeEntry>;

/** What a commit changes: the IDs of new contents by path, and the deleted paths. */
interface TreeEdit {
  readonly put: ReadonlyMap<string, string>;
  readonly deleted: readonly string[];
  /** The kind of each page, file and text of the space, by path. */
  readonly kinds: ReadonlyMap<string, GitRunChange['kind']>;
}

/**
 * Commits the content of the space to the branch. Returns `moved` if the branch got another commit meanwhile.
 * @throws Problem(conflict) if the branch has commits that were not imported, unless the run takes the side of the space
 */
export async function exportRevision(sync: SyncRun, repository: Repository): Promise<'done' | 'moved'> {
  const { job, run, report } = sync;
  const head = repository.commit;
  if (head !== undefined) await finishSent(sync, { oid: head, message: await readMessage(repository, head) });
  const { space, sync: state } = await job.read((view) => readState(view, sync));
  const base = pointOf(state.base, run);
  const isForced = run.take === 'space';
  report.revision = space.revision;
  if (base !== undefined && base.commit === head && base.revision === space.revision && base.isWhole) {
    report.commit = base.commit;
    return 'done';
  }
  if (!isForced) await checkImported(sync, head, base?.commit);
  const content = await openContent(sync.api, { spaceId: run.space, revisionId: space.revision }, job.signal);
  job.progress('reading the space');
  const tree = head === undefined ? new Map<string, TreeEntry>() : await readTree(repository, head);
  const edit = await planTree(sync, repository, content, tree);
  const isReplacing = edit.deleted.length > 0 || [...edit.put.keys()].some((path) => tree.has(path));
  if (base === undefined && isReplacing && !isForced) throw neverImported(sync, edit, tree);
  const point = { ...targetOf(run), revision: space.revision, isWhole: true };
  if (edit.put.size + edit.deleted.length === 0) {
    // An empty space does not create a branch. If the repository has other branches, the name may be mistyped.
    if (head === undefined) {
      const { url, config } = repository;
      const pack = `--upload-pack=${withoutHooks('git-upload-pack', url)}`;
      if ((await repository.git(['ls-remote', '--heads', pack, '--', url], { config })) !== '')
        throw noBranch(run);
      return 'done';
    }
    const git =
      base === undefined ? undefined : (await job.read((view) => readRevision(view, base.revision))).git;
    const commit =
      git?.oid === head ? git : { message: await readMessage(repository, head), createdByGitBook: false };
    await job.write((tx) => writeBase(tx, sync, { ...point, commit: head }, commit));
    return 'done';
  }
  const message = await job.read((view) => composeMessage(view, sync, space.revision));
  const { createdAt } = await job.read((view) => readRevision(view, space.revision));
  const commit = await makeCommit(repository, {
    head,
    tree,
    edit,
    message,
    identity: identityOf(sync, createdAt),
  });
  const sent = { ...point, commit };
  const event = { revisionId: space.revision, commitId: commit };
  // If the process stops after the push, the next run recognizes this commit on the branch.
  await job.write(async (tx) => {
    await readState(tx, sync);
    await tx.update(gitSyncs, run.space, { sent });
    await recordGitSync({ tx, now: job.now() }, space, { type: 'space_gitsync_started', ...event });
  });
  job.progress('sending the commit');
  const end = (tx: WriteTransaction, ended: 'success' | 'failure') =>
    recordGitSync({ tx, now: job.now() }, space, { type: 'space_gitsync_completed', state: ended, ...event });
  const isSent = await push(repository, commit, run).catch(async (error: unknown) => {
    await job.write((tx) => end(tx, 'failure'));
    throw error;
  });
  await job.write(async (tx) => {
    await end(tx, isSent ? 'success' : 'failure');
    if (isSent) await writeBase(tx, sync, sent, { message, createdByGitBook: true });
  });
  if (!isSent) return 'moved';
  report.changes.push(...listExported(edit, tree));
  return 'done';
}

/** @throws Problem(conflict) if the branch has commits that were not imported, or an import is still waiting */
async function checkImported(
  sync: SyncRun,
  head: string | undefined,
  known: string | undefined,
): Promise<void> {
  const { job, run } = sync;
  const { sync: state } = await job.read((view) => readState(view, sync));
  const waiting = pointOf(state.waiting, run);
  if (waiting !== undefined) {
    const { number, status } = await job.read((view) =>
      getExisting(view, changeRequests, waiting.changeRequest),
    );
    if (status === 'draft' || status === 'open')
      throw new Problem(
        'conflict',
        `Change request ${number}, which imports a commit of the branch, is not merged yet.`,
        {
          hint: `Merge it with \`docsctl change-requests merge ${number} --space ${run.space}\`, or archive it, then synchronize again.`,
        },
      );
  }
  if (known === undefined || known === head) return;
  const branch = run.ref.replace(/^refs\/heads\//, '');
  if (head === undefined)
    throw new Problem('conflict', `The branch ${branch} no longer exists.`, {
      hint: `Name another branch with \`docsctl spaces git-sync ${run.space} --ref BRANCH\`, or create the branch again with \`docsctl spaces git-sync ${run.space} --take space\`.`,
    });
  throw new Problem(
    'conflict',
    `The branch ${branch} has commits that were not imported: it is at ${head.slice(0, 12)}, and the last synchronized commit is ${known.slice(0, 12)}.`,
    {
      hint: `Import them first with \`docsctl spaces git-sync ${run.space} --direction import\`, or replace them with \`docsctl spaces git-sync ${run.space} --direction export --take space\`.`,
    },
  );
}

function neverImported({ run }: SyncRun, { put, deleted }: TreeEdit, tree: Tree): Problem {
  const paths = [...[...put.keys()].filter((path) => tree.has(path)), ...deleted];
  return new Problem(
    'conflict',
    `The branch was never synchronized with the space, and the export would replace or delete ${listSome(paths)}.`,
    {
      hint: `Import the branch first with \`docsctl spaces git-sync ${run.space} --direction import\`, or replace these files with \`docsctl spaces git-sync ${run.space} --take space\`.`,
    },
  );
}

async function readTree({ git }: Repository, commit: string): Promise<Tree> {
  const listing = await git(['ls-tree', '-r', '-z', commit]);
  return new Map(
    listing.split('\0').flatMap((line): [string, TreeEntry][] => {
      const [, mode, oid, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return mode === undefined || oid === undefined || path === undefined ? [] : [[path, { mode, oid }]];
    }),
  );
}

/** Compares the export of the space with the files of the branch, and stores new contents in the repository. */
async function planTree(
  { job, run, report }: SyncRun,
  repository: Repository,
  content: ContentReader,
  tree: Tree,
): Promise<TreeEdit> {
  const plan = planExport(await content.read(true), readerOf(join(repository.dir, run.directory)));
  report.warnings.push(...plan.warnings.slice(0, 30).map(({ file, message }) => `${file}: ${message}`));
  const pathOf = (path: string): string => posix.join(run.directory, path);
  const read = readerOf(repository.dir);
  const files = new Map<string, Uint8Array>();
  const kept = new Set<string>();
  for (const file of plan.files) {
    const path = pathOf(file.path);
    kept.add(path);
    if (file.oid !== '' && tree.get(path)?.oid === file.oid) continue;
    // A file that is not UTF-8 has other bytes than its text. It stays as it is until the text is edited.
    if ('bytes' in file.content && tree.has(path) && read(path) === file.content.bytes.toString()) continue;
    files.set(
      path,
      'bytes' in file.content ? file.content.bytes : await content.download(file.content.fileId),
    );
    job.progress(`writing file ${files.size} of ${plan.files.length}`);
  }
  const oids = await storeFiles(repository, [...files.values()]);
  const put = new Map(
    [...files.keys()].flatMap((path, index) => {
      const oid = oids[index] ?? '';
      return tree.get(path)?.oid === oid ? [] : [[path, oid] as const];
    }),
  );
  const unlisted = plan.unlisted > 0 ? 'hidden' : 'skip';
  const imported = await listImportable(repository, run.directory, unlisted);
  // Hidden files that an export never writes are not deleted.
  const deleted = imported
    .filter(isSafePath)
    .map(pathOf)
    .filter((path) => !kept.has(path) && tree.has(path));
  checkPlaces(put, deleted, tree);
  const kinds = new Map([
    ...[...plan.paths.pages.values()].map((path) => [pathOf(path), 'page'] as const),
    ...[...plan.paths.files.values()].map((path) => [pathOf(path), 'file'] as const),
  ]);
  return { put, deleted, kinds };
}

/** Returns the files of the branch that an import would take. */
async function listImportable(
  { dir, commit }: Repository,
  directory: string,
  unlisted: 'hidden' | 'skip',
): Promise<string[]> {
  if (commit === undefined) return [];
  try {
    const root = findInside(dir, directory === '' ? undefined : directory);
    return [...listOids(await readFolder(root, { unlisted, mayLackPages: true })).keys()];
  } catch (error) {
    // The folder does not exist, or contains no documentation yet.
    if (error instanceof Problem && error.reason === 'invalid-input') return [];
    throw error;
  }
}

/** Refuses to replace symbolic links, submodules and folders. @throws Problem(conflict) */
function checkPlaces(put: ReadonlyMap<string, string>, deleted: readonly string[], tree: Tree): void {
  const gone = new Set(deleted);
  const folders = new Set([...tree.keys()].filter((path) => !gone.has(path)).flatMap(foldersOf));
  const isFile = (path: string): boolean => tree.has(path) && !gone.has(path);
  for (const path of put.keys()) {
    const mode = tree.get(path)?.mode ?? '100644';
    const blocked = folders.has(path) || !/^100(644|755)$/.test(mode) ? path : foldersOf(path).find(isFile);
    if (blocked === undefined) continue;
    throw new Problem(
      'conflict',
      `${path} cannot be exported: the repository has something else at ${blocked}.`,
      { hint: `Rename the page or file in the space, or remove ${blocked} from the repository.` },
    );
  }
}

/** Stores contents in the repository, and returns their IDs. */
async function storeFiles({ dir, git }: Repository, files: readonly Uint8Array[]): Promise<string[]> {
  if (files.length === 0) return [];
  const folder = join(dir, '.git', 'docsctl');
  makeFolders(folder);
  for (const [index, bytes] of files.entries()) writeFileSync(join(folder, String(index)), bytes);
  const input = files.map((_, index) => `.git/docsctl/${index}\n`).join('');
  const answer = await git(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input });
  return answer.trim().split('\n');
}

/** Creates the commit on top of the branch. Files that the space does not contain are kept. */
async function makeCommit(
  { git }: Repository,
  {
    head,
    tree: before,
    edit,
    message,
    identity,
  }: {
    head: string | undefined;
    tree: Tree;
    edit: TreeEdit;
    message: string;
    identity: Record<string, string>;
  },
): Promise<string> {
  await git(['read-tree', head ?? '--empty']);
  const none = '0'.repeat(40);
  const lines = [
    ...edit.deleted.map((path) => `0 ${none}\t${path}\0`),
    ...[...edit.put].map(([path, oid]) => `${before.get(path)?.mode ?? '100644'} ${oid}\t${path}\0`),
  ];
  await git(['update-index', '-z', '--index-info'], { input: lines.join('') });
  const tree = (await git(['write-tree'])).trim();
  const parents = head === undefined ? [] : ['-p', head];
  return (
    await git(['commit-tree', tree, ...parents, '-F', '-'], { input: `${message}\n`, identity })
  ).trim();
}

/** Pushes a commit. Returns false if the branch got another commit meanwhile. */
async function push(
  { git, url, config }: Repository,
  commit: string,
  { ref, space }: GitRunRow,
): Promise<boolean> {
  const args = [
    'push',
    '--porcelain',
    '--no-verify',
    '--no-follow-tags',
    '--no-signed',
    '--recurse-submodules=no',
    `--receive-pack=${withoutHooks('git-receive-pack', url)}`,
    '--',
    url,
    `${commit}:${ref}`,
  ];
  try {
    await git(args, { config });
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'conflict') throw error;
    const { message } = error;
    if (
      / rejected the commit: [^·]*\b(fetch first|non-fast-forward|stale info|lock|failed to update ref)\b/.test(
        message,
      )
    )
      return false;
    throw new Problem('conflict', message, {
      hint: `If the branch is protected, create another branch from it, and export to that one with \`docsctl spaces git-sync ${space} --ref BRANCH --direction export --take space\`.`,
      cause: error,
    });
  }
}

function listExported({ put, deleted, kinds }: TreeEdit, tree: Tree): GitRunChange[] {
  const kindOf = (path: string): GitRunChange['kind'] =>
    kinds.get(path) ?? (put.has(path) ? 'text' : isMarkdown(path) ? 'page' : 'file');
  const one = (change: GitRunChange['change'], name: string): GitRunChange => ({
    direction: 'export',
    change,
    kind: kindOf(name),
    name,
  });
  return [
    ...[...put.keys()].map((path) => one(tree.has(path) ? 'changed' : 'added', path)),
    ...deleted.map((path) => one('deleted', path)),
  ];
}
