import { shellWord } from '../../contract/shell-word.ts';
import type { OnProgress } from '../../contract/api.ts';
import type { ReadTransaction, Store, WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { openStore } from '../index.ts';
import { marks, type MarkRow } from '../marks.ts';
import { absoluteUrl, parseStoreUrl, pathOfStore, withoutPassword } from '../url.ts';
import type { BackupSummary } from './format.ts';
import { placeFile, removeStore } from './place-file.ts';
import { insertRows, inspectTarget, removeAllRows, type StoreTarget } from './restore.ts';
import { countAllRows, inBackupOrder, storedRows, toPortable } from './stored-rows.ts';
import { summarizeRows } from './write-backup.ts';

interface MigrationOptions {
  /** ISO time. */
  readonly now: string;
  /** 16 hexadecimal digits. */
  readonly newName: string;
  readonly onProgress?: OnProgress;
}

/**
 * Moves a store: refuses writes to the old store, copies its rows, compares the hashes, and then makes the new store usable.
 * After an interruption, call it again to continue.
 *
 * @throws Problem(conflict) if the old store is being moved elsewhere; Problem(guard-refused) if the new one is not empty;
 * Problem(store-failed), Problem(store-busy)
 */
export async function migrateStore(
  from: StoreTarget,
  to: StoreTarget,
  { now, newName, onProgress = () => {} }: MigrationOptions,
): Promise<BackupSummary> {
  refuseMemory(from.url);
  refuseMemory(to.url);
  const { tables } = from;
  const path = pathOfStore(to.url, to.cwd);
  if (path !== undefined && path === pathOfStore(from.url, from.cwd))
    throw new Problem('usage', 'Both URLs name the same store.', { hint: 'Name another store with --to.' });
  const old = await openStore(from.url, { tables, cwd: from.cwd, create: false, ignoreMarks: true });
  try {
    let isFenced = await isMoved(old, to);
    await refuseFull(from, to, isFenced);
    const fenceOld = async (): Promise<string> => {
      const since = await fence(old, absoluteUrl(to.url, to.cwd), now);
      isFenced = true;
      return since;
    };
    try {
      return await copyStore(old, from, to, { fenceOld, newName, onProgress });
    } catch (error) {
      throw isFenced ? explainFence(error, absoluteUrl(from.url, from.cwd)) : error;
    }
  } finally {
    await old.close();
  }
}

/** Says that the old store is still fenced after a move that failed. */
function explainFence(error: unknown, from: string): unknown {
  if (!(error instanceof Problem)) return error;
  const fenced = `Until the move is complete, ${from} refuses every write. To use it again, run \`docsctl store migrate --from ${shellWord(from)} --undo\`.`;
  return error.withHint(error.hint === undefined ? fenced : `${error.hint} ${fenced}`);
}

/** Refuses writes to a store, copies it, and puts the copy in its place. */
async function copyStore(
  old: Store,
  from: StoreTarget,
  to: StoreTarget,
  options: {
    readonly fenceOld: () => Promise<string>;
    readonly newName: string;
    readonly onProgress: OnProgress;
  },
): Promise<BackupSummary> {
  const { fenceOld, newName, onProgress } = options;
  const { tables } = from;
  const { scheme } = parseStoreUrl(to.url);
  const path = pathOfStore(to.url, to.cwd);
  const file = path === undefined ? undefined : { path, partial: `${path}.migrating` };
  const place = file === undefined ? to.url : `${scheme}:${file.partial}`;
  // Opened first, so that the old store stays in use if the new one cannot be created.
  const filled = await openStore(place, { tables, cwd: to.cwd, ignoreMarks: true });
  let summary: BackupSummary;
  try {
    const since = await fenceOld();
    summary = await old.read(async (view) => {
      await copyRows(view, filled, { from, since, isWrittenAsWhole: scheme === 'json', onProgress });
      return summarizeRows(view, tables);
    });
    const copied = await filled.read((view) => summarizeRows(view, tables));
    if (copied.sha256 !== summary.sha256)
      throw new Problem('store-failed', 'The copied rows are not those of the old store.', {
        hint: `Remove the new store${file === undefined ? '' : ` (${file.partial})`}, run \`docsctl store check\` on the old one, and migrate again.`,
      });
    await filled.write((tx) => tx.remove(marks, 'incoming'));
  } finally {
    await filled.close();
  }
  if (file !== undefined) {
    await placeFile({ scheme, ...file, isDamaged: false, aside: `${file.path}.${newName}.damaged` });
    removeStore(file.partial);
  }
  return summary;
}

/** Allows writes to a store that was moved. Returns the URL it was moved to; undefined if it was not moved. */
export async function undoMigration({ url, tables, cwd }: StoreTarget): Promise<string | undefined> {
  const store = await openStore(url, { tables, cwd, create: false, ignoreMarks: true });
  try {
    return await store.write(async (tx) => {
      const mark = await tx.get(marks, 'moved');
      await tx.remove(marks, 'moved');
      return mark?.to;
    });
  } finally {
    await store.close();
  }
}

function refuseMemory(url: string): void {
  if (parseStoreUrl(url).scheme !== 'memory') return;
  throw new Problem('usage', 'A store in memory ends with its process and cannot be migrated.', {
    hint: 'Name two stores that last, such as sqlite:docs.db.',
  });
}

/** Whether a move of a store to a place was started before. @throws Problem(conflict) if it is being moved elsewhere */
async function isMoved(old: Store, { url, cwd }: StoreTarget): Promise<boolean> {
  const moved = await old.read((view) => view.get(marks, 'moved'));
  const to = absoluteUrl(url, cwd);
  if (moved?.to === undefined || absoluteUrl(moved.to, cwd) === to) return moved !== undefined;
  const from = withoutPassword(old.url);
  throw new Problem('conflict', `The store ${from} is being moved to ${moved.to}, not to ${to}.`, {
    hint: `To move it elsewhere, run \`docsctl store migrate --from ${shellWord(from)} --undo\` first.`,
  });
}

/** Checks that a new store is empty, except for rows of an earlier attempt. @throws Problem(guard-refused) */
async function refuseFull(from: StoreTarget, to: StoreTarget, isFenced: boolean): Promise<void> {
  const found = await inspectTarget(to);
  if (found.state === 'damaged') throw found.problem;
  if (found.state !== 'full' || (await isContinued(from, to))) return;
  const url = withoutPassword(to.url);
  throw new Problem('guard-refused', `The store ${url} is not empty. Nothing was changed.`, {
    hint: isFenced
      ? `If the move to it is complete, use it: \`--store ${shellWord(url)}\`.`
      : 'Name a new store with --to.',
  });
}

async function isContinued(from: StoreTarget, { url, tables, cwd }: StoreTarget): Promise<boolean> {
  if (pathOfStore(url, cwd) !== undefined) return false;
  const store = await openStore(url, { tables, cwd, ignoreMarks: true });
  try {
    const mark = await store.read((view) => view.get(marks, 'incoming'));
    return mark?.from !== undefined && absoluteUrl(mark.from, cwd) === absoluteUrl(from.url, from.cwd);
  } finally {
    await store.close();
  }
}

/** Refuses writes to a store. Returns the time since which it has not changed. */
async function fence(old: Store, to: string, now: string): Promise<string> {
  return old.write(async (tx) => {
    const moved = await tx.get(marks, 'moved');
    if (moved === undefined) await tx.insert(marks, { id: 'moved', at: now, to });
    return moved?.at ?? now;
  });
}

/**
 * Copies rows in the order of backups, from where an earlier attempt ended. What was copied before the old store could be written
 * again is removed first.
 */
async function copyRows(
  view: ReadTransaction,
  filled: Store,
  options: {
    readonly from: StoreTarget;
    readonly since: string;
    readonly isWrittenAsWhole: boolean;
    readonly onProgress: OnProgress;
  },
): Promise<void> {
  const { from, since, isWrittenAsWhole, onProgress } = options;
  const found = await filled.read((other) => other.get(marks, 'incoming'));
  const done = found?.at === since ? found : undefined;
  if (done === undefined) await filled.write((tx) => removeAllRows(tx, from.tables));
  const mark: MarkRow = { id: 'incoming', at: since, from: absoluteUrl(from.url, from.cwd) };
  const total = await countAllRows(view, from.tables);
  let rows = 0;
  const copy = async (
    write: (work: (tx: WriteTransaction) => Promise<void>) => Promise<void>,
  ): Promise<void> => {
    for (const table of inBackupOrder(from.tables)) {
      if (done?.table !== undefined && table.name < done.table) continue;
      for await (const batch of storedRows(view, table, done?.table === table.name ? done.after : '')) {
        const last = batch.at(-1);
        if (last === undefined) continue;
        await write(async (tx) => {
          await insertRows(tx, { table, rows: batch.map((row) => toPortable(table, row)) });
          await putMark(tx, { ...mark, table: table.name, after: last.id });
        });
        onProgress((rows += batch.length), total);
      }
    }
  };
  if (isWrittenAsWhole && done === undefined)
    await filled.write(async (tx) => {
      await putMark(tx, mark);
      await copy((work) => work(tx));
    });
  else await copy((work) => filled.write(work));
}

async function putMark(tx: WriteTransaction, mark: MarkRow): Promise<void> {
  await tx.remove(marks, mark.id);
  await tx.insert(marks, mark);
}
