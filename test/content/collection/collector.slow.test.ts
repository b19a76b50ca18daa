import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../../src/core/callers.ts';
import { specVersions, type SpecVersionRow } from '../../../src/content/generated/specification-rows.ts';
import { revisions } from '../../../src/core/rows/revisions.ts';
import type { ReadTransaction, Row, Store, Table } from '../../../src/core/store.ts';
import { putText, readBlob } from '../../../src/content/blobs.ts';
import { startCollection, type Collector } from '../../../src/content/collection/collector.ts';
import { updateLinks } from '../../../src/content/links/index.ts';
import {
  adoptRevision,
  copyRevision,
  createInitialRevision,
  diffRevisions,
  editRevision,
  readContent,
} from '../../../src/content/revisions.ts';
import {
  blobs,
  collectionStates,
  newReferences,
  nodes,
  type Entry,
  type PageEntry,
} from '../../../src/content/rows.ts';
import { readEntries } from '../../../src/content/trie.ts';
import { referringTables } from '../../../src/resources/removal/content-references.ts';
import { tables } from '../../../src/resources/tables.ts';
import { openStore } from '../../../src/stores/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'docsctl-collector-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = '2026-01-05T09:00:00.000Z';
const caller = { user: { id: 'usr_1' } } as Caller;

/** A change to the store by other processes, between two transactions of the collection. */
type Change = { readonly kind: (typeof kinds)[number]; readonly a: number; readonly b: number };
const kinds = ['space', 'edit', 'edit', 'revert', 'copy', 'links', 'drop', 'drop', 'spec', 'kill'] as const;
const change = fc.record({ kind: fc.constantFrom(...kinds), a: fc.nat(999), b: fc.nat(999) });

/** A store in which revisions are created and deleted. There are few texts, so deleted ones often come back. */
class Workshop {
  readonly #store: Store;
  #count = 0;
  /** The content of each revision and the text of each specification, as written. */
  readonly revisions = new Map<string, Map<string, string>>();
  readonly specs = new Map<string, string>();

  constructor(store: Store) {
    this.#store = store;
  }

  async make({ kind, a, b }: Change): Promise<void> {
    const { newId } = this;
    const context = { now: at, newId, caller };
    const ids = [...this.revisions.keys()];
    const from = ids[a % ids.length];
    if (kind === 'space') {
      const id = await this.#store.write((tx) =>
        createInitialRevision(tx, context, { organization: 'org', space: `spc${b % 3}` }),
      );
      this.revisions.set(id, new Map());
      return;
    }
    if (kind === 'spec') {
      const [oldest] = this.specs.keys();
      const id = newId('specv');
      await this.#store.write(async (tx) => {
        const text = await putText(tx, `text ${b % 40}`);
        await tx.insert(specVersions, { id, text } as SpecVersionRow);
        if (oldest !== undefined && a % 2 === 0) await tx.remove(specVersions, oldest);
      });
      if (oldest !== undefined && a % 2 === 0) this.specs.delete(oldest);
      this.specs.set(id, `text ${b % 40}`);
      return;
    }
    if (from === undefined) return;
    const texts = this.revisions.get(from) ?? new Map<string, string>();
    if (kind === 'drop') {
      await this.#store.write((tx) => tx.remove(revisions, from));
      this.revisions.delete(from);
    } else if (kind === 'copy') {
      const [id, copied] = await this.#store.write(async (tx) => {
        if (b % 2 === 0)
          return [
            await adoptRevision(tx, context, { content: from, parents: [from], type: 'merge' }),
            texts,
          ] as const;
        const copy = await copyRevision(tx, context, { from, source: 'spc0', space: `spc${b % 3}` });
        return [copy, await readTexts(tx, copy)] as const;
      });
      this.revisions.set(id, copied);
    } else if (kind === 'links') {
      const to = ids[b % ids.length] ?? from;
      await this.#store.write(async (tx) =>
        updateLinks(
          { tx },
          { from: await tx.get(revisions, from), to, changes: await diffRevisions(tx, from, to) },
        ),
      );
    } else await this.#edit(from, texts, a, kind === 'revert' ? 0 : b);
  }

  /** Changes up to 40 pages, so that tries have branches. */
  async #edit(from: string, texts: ReadonlyMap<string, string>, a: number, b: number): Promise<void> {
    const context = { now: at, newId: this.newId, caller };
    const after = new Map(texts);
    const id = await this.#store.write(async (tx) => {
      const changes = new Map<string, Entry | undefined>();
      for (let number = 0; number < (a % 41) + 1; number++) {
        const page = `page${(a + number * 7) % 60}`;
        if ((a + number + b) % 5 === 0) {
          changes.set(page, undefined);
          after.delete(page);
          continue;
        }
        const text = `text ${(b + number) % 40}\n\n[link](page${b % 9}.md)`;
        changes.set(page, pageEntry(page, await putText(tx, text)));
        after.set(page, text);
      }
      return editRevision(tx, context, { base: from, space: 'spc0', changes });
    });
    this.revisions.set(id, after);
  }

  readonly newId = (kind: string): string => `${kind}_${String(++this.#count).padStart(6, '0')}`;

  /** Fails unless everything that is referenced exists unchanged. */
  async check(): Promise<void> {
    await this.#store.read(async (view) => {
      for (const [id, texts] of this.revisions) {
        expect([...(await readTexts(view, id))].sort()).toEqual([...texts].sort());
        const row = await view.get(revisions, id);
        for (const root of [row?.children ?? '', ...Object.values(row?.links?.roots ?? {})])
          await readEntries(view, root);
      }
      for (const [id, text] of this.specs)
        expect(await readBlob(view, (await view.get(specVersions, id))?.text ?? '')).toBe(text);
    });
  }
}

async function readTexts(view: ReadTransaction, revision: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const entry of await readContent(view, revision))
    texts.set(entry.id, await readBlob(view, (entry as PageEntry).blob ?? ''));
  return texts;
}

function pageEntry(id: string, blob: string): PageEntry {
  return {
    kind: 'page',
    id,
    type: 'document',
    parent: null,
    position: `a${id}`,
    title: id,
    slug: id,
    createdAt: at,
    updatedAt: at,
    size: 1,
    blob,
  };
}

async function idsOf(view: ReadTransaction, table: Table): Promise<string[]> {
  return (await view.scan(table, '', 1_000_000)).map(({ id }) => id);
}

/** Returns everything that rows refer to, found in the simplest way. */
async function referred(view: ReadTransaction): Promise<{ nodes: string[]; blobs: string[] }> {
  const found = { nodes: new Set<string>(), blobs: new Set<string>() };
  const follow = async (hash: string): Promise<void> => {
    found.nodes.add(hash);
    const node = await view.get(nodes, hash);
    for (const [child] of Object.values(node?.branches ?? {})) await follow(child);
    for (const entry of node?.entries ?? []) if ('blob' in entry) found.blobs.add(String(entry.blob));
  };
  for (const { table, references } of referringTables)
    for (const id of await idsOf(view, table)) {
      const { roots = [], blobs: texts = [] } = references((await view.get(table, id)) as Row);
      for (const root of roots) await follow(root);
      for (const text of texts) found.blobs.add(text);
    }
  return { nodes: [...found.nodes].sort(), blobs: [...found.blobs].sort() };
}

/** Runs collections, with changes before each of their transactions. After a kill, it starts again. */
async function collectDuring(store: Store, workshop: Workshop, changes: readonly Change[]): Promise<void> {
  const queue = [...changes];
  let killed = false;
  const others = async (): Promise<void> => {
    for (const next of queue.splice(0, 3)) {
      if (next.kind === 'kill') killed = true;
      else await workshop.make(next);
    }
    if (killed) throw new Error('killed');
  };
  const guarded = {
    read: <T>(work: (view: ReadTransaction) => Promise<T>) => others().then(() => store.read(work)),
    write: <T>(work: Parameters<typeof store.write<T>>[0]) => others().then(() => store.write(work)),
  };
  const start = (): Promise<Collector> =>
    store.write((tx) => startCollection(tx, referringTables, { epoch: workshop.newId('gc'), at }));
  while (queue.length > 0) {
    let collector = await start();
    for (let done = false; !done;) {
      try {
        done = await collector.step(guarded, at);
      } catch (error) {
        if (!killed) throw error;
        killed = false;
        collector = await start();
      }
    }
    await workshop.check();
  }
}

describe.each([
  ['memory', () => 'memory:', 60],
  ['sqlite', () => `sqlite:${join(mkdtempSync(join(folder, 's-')), 'store.db')}`, 12],
])('garbage collection in a %s store', (_, url, runs) => {
  test('keeps all referenced rows, and removes all others', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 20, maxLength: 160 }), async (changes) => {
        const store = await openStore(url(), { tables });
        try {
          const workshop = new Workshop(store);
          const early = Math.floor(changes.length / 3);
          for (const one of changes.slice(0, early)) if (one.kind !== 'kill') await workshop.make(one);
          await collectDuring(store, workshop, changes.slice(early));
          const last = await store.write((tx) =>
            startCollection(tx, referringTables, { epoch: 'gc_last', at }),
          );
          while (!(await last.step(store, at)));
          await workshop.check();
          await store.read(async (view) => {
            const expected = await referred(view);
            expect(await idsOf(view, nodes)).toEqual(expected.nodes);
            expect(await idsOf(view, blobs)).toEqual(expected.blobs);
            expect(await idsOf(view, newReferences)).toEqual([]);
            expect(await idsOf(view, collectionStates)).toEqual(['last']);
          });
        } finally {
          await store.close();
        }
      }),
      { numRuns: runs },
    );
  });
});
