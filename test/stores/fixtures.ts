import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { table, type Row, type Store } from '../../src/core/store.ts';
import { openStore } from '../../src/stores/index.ts';

export interface PageRow extends Row {
  readonly space: string | null;
  readonly position?: string | number | null;
  readonly slug?: string | null;
  readonly title?: string;
}

/** A table with every type of index. */
export const pages = table<PageRow>()('pages', {
  all: { on: [] },
  bySpace: { on: ['space'], by: ['position'] },
  bySlug: { on: ['space', 'slug'], unique: true },
  byTitle: { on: ['title'], by: ['space', 'position'] },
  byPosition: { on: ['position'], small: true },
});

export interface NoteRow extends Row {
  readonly text: string;
}

/** A table without an index, which writes with keepsStamp may change. */
export const notes = { ...table<NoteRow>()('notes', {}), keepsStamp: true };

export interface TextRow extends Row {
  readonly space: string | null;
  readonly page?: string | number;
  readonly title?: string;
  readonly body?: string;
}

/** A table that can be searched. */
export const texts = table<TextRow>()(
  'texts',
  { all: { on: [] }, bySpace: { on: ['space'] }, byPage: { on: ['space', 'page'] } },
  { title: 3, body: 1 },
);

export const tables = [pages, notes, texts];

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a store that is closed after the test. */
export async function open(
  url: string,
  busyTimeout?: number,
  of = tables as Parameters<typeof openStore>[1]['tables'],
): Promise<Store> {
  const store = await openStore(url, { tables: of, ...(busyTimeout === undefined ? {} : { busyTimeout }) });
  onTestFinished(() => store.close());
  return store;
}
