import { setTimeout } from 'node:timers/promises';
import { maxHold, type ScrubResult } from '../../core/store.ts';
import { retryWhileBusy } from '../retry-while-busy.ts';
import type { Database } from './connection.ts';
import type { SqliteFile } from './file.ts';
import { wordsName } from './names.ts';

/** Number of pages of a full-text index that one write merges. */
const mergedPages = 64;
/** Maximum attempts to empty the log, 10 ms apart, while others read or write. */
const maxAttempts = 100;

interface ScrubOptions {
  /** Maximum size of a file that is rewritten, in bytes. */
  readonly maxSize: number;
  readonly signal: AbortSignal;
  /** Rewrites the file in another process. Receives a function that aborts the rewriting; call it before a write. */
  readonly onRewrite?: (giveWay: () => void) => void;
  /** Rewrites the file in another process. Receives a promise that writes have to wait for; undefined when it has ended. */
  readonly onHold?: (held: Promise<unknown> | undefined) => void;
}

/**
 * Erases the traces of removed rows in the file and its log. SQLite overwrites deleted bytes (`secure_delete`), except for words
 * of the full-text search and copies in the free space of pages from moving rows between them. Merging the index erases the
 * words; rewriting the file erases the copies.
 */
export async function scrubFile(
  file: SqliteFile,
  { maxSize, signal, onRewrite, onHold }: ScrubOptions,
): Promise<ScrubResult> {
  const database = await file.connect();
  try {
    for (const table of file.layouts.values()) {
      if (table.words.length === 0) continue;
      const merge = (pages: number) => mergeWords(file, database, wordsName(table), pages);
      // A negative number starts a merge of the whole index. If the merge reports one change, nothing was left to merge.
      await merge(-mergedPages);
      while (!signal.aborted && (await merge(mergedPages)) > 1) await new Promise(setImmediate);
    }
    const isSmall = sizeOf(database) <= maxSize;
    if (isSmall && !signal.aborted && (onRewrite ?? onHold) !== undefined) {
      const { rewriteApart } = await import('./rewrite-apart.ts');
      const rewritten = rewriteApart(file.path, {
        signal,
        onStart: onRewrite,
        maxTime: onHold === undefined ? undefined : maxHold,
      });
      onHold?.(rewritten.catch(() => {}));
      const end = await rewritten.finally(() => onHold?.(undefined));
      if (end !== 'done') return end;
    } else if (isSmall && !signal.aborted)
      await retryWhileBusy(file.path, file.busyTimeout, () => database.exec('VACUUM'));
    for (let attempt = 0; attempt < maxAttempts && !signal.aborted; attempt++) {
      if (database.emptyLog()) return isSmall ? 'done' : 'large';
      await setTimeout(10);
    }
    return 'busy';
  } finally {
    database.close();
  }
}

/** Merges some pages of a full-text index, which drops the words of removed rows. Returns how many rows of the index changed. */
async function mergeWords(
  file: SqliteFile,
  database: Database,
  words: string,
  pages: number,
): Promise<number> {
  return retryWhileBusy(file.path, file.busyTimeout, () => {
    const before = changesOf(database);
    database.run(`INSERT INTO ${words} (${words}, rank) VALUES ('merge', ?)`, pages);
    return changesOf(database) - before;
  });
}

function changesOf(database: Database): number {
  return database.get<[number]>('SELECT total_changes()')?.[0] ?? 0;
}

function sizeOf(database: Database): number {
  const [pages, size] = ['page_count', 'page_size'].map(
    (name) => database.get<[number]>(`PRAGMA ${name}`)?.[0] ?? 0,
  ) as [number, number];
  return pages * size;
}
