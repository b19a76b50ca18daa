import { reportStep, type Watcher } from '../contract/progress.ts';
import type { WriteContext } from '../core/handler.ts';
import { notFound, invalid } from '../errors/problem.ts';
import { Draft } from './draft.ts';
import { insertPage, updatePage } from './edit-page.ts';
import { putFolderText } from './folder-text.ts';
import { editRevision, readContent, readPage } from './revisions.ts';
import type { PageEntry } from './rows.ts';
import type { ContentChange, AffectedPageBody, InsertedFileBody, RevertPageChange } from './changes.ts';
import { defined } from '../contract/values.ts';
import { revisions } from '../core/rows/revisions.ts';
import type { ReadTransaction } from '../core/store.ts';

interface AppliedChanges {
  /** The new revision, or the base where nothing differs. */
  readonly revision: string;
  readonly pages: readonly AffectedPageBody[];
  readonly insertedFiles: readonly InsertedFileBody[];
}

/**
 * Applies changes to a revision in their order; `origin` is the revision to which a page is reverted by default, and `at`
 * where the changes lie in the request.
 */
export async function applyChanges(
  context: WriteContext & Watcher,
  { base, origin, space }: { base: string; origin: string; space: string },
  changes: readonly ContentChange[],
  at = '/body',
): Promise<AppliedChanges> {
  const { tx } = context;
  const draft = new Draft(await readContent(tx, base), space);
  const affected: {
    type: AffectedPageBody['type'];
    page: PageEntry;
    path: string;
    ref?: string | undefined;
  }[] = [];
  const insertedFiles: InsertedFileBody[] = [];
  const note = (type: AffectedPageBody['type'], page: PageEntry, ref?: string) =>
    affected.push({ type, page, path: draft.path(page), ref });
  for (const [index, change] of changes.entries()) {
    const step = reportStep(context, index, changes.length, 'applying changes');
    if (step !== undefined) await step;
    const path = `${at}/changes/${index}`;
    switch (change.operation) {
      case 'insert_page': {
        const page = await insertPage(draft, context, context.newId('pag'), change, path);
        draft.name(change.ref, page.id, path);
        note('created_page', page, change.ref);
        break;
      }
      case 'update_page':
        note('updated_page', await updatePage(draft, context, change, path));
        break;
      case 'delete_page':
        for (const page of draft.withAllUnder(draft.page(change.page)).reverse()) {
          note('deleted_page', page);
          draft.remove(page.id);
        }
        break;
      case 'revert_page':
        note('updated_page', await revertPage(draft, tx, { origin, space }, change, path));
        break;
      case 'insert_files': {
        const { insertFile } = await import('./edit-file.ts');
        for (const [place, file] of change.files.entries()) {
          const entry = await insertFile(draft, tx, context.newId('fil'), file, `${path}/files/${place}`);
          draft.name(file.ref, entry.id, `${path}/files/${place}`);
          insertedFiles.push(defined({ id: entry.id, name: entry.name, ref: file.ref }));
        }
        break;
      }
      case 'put_text':
        await putFolderText(draft, tx, context.newId, change);
        break;
      case 'delete_files':
        for (const id of change.files) {
          if (!draft.files.has(id)) throw notFound('file', id);
          draft.remove(id);
        }
        break;
    }
  }
  const revision = await editRevision(tx, context, { base, space, changes: draft.changes });
  const pages = affected.map(({ type, page, path, ref }) =>
    defined({ type, id: page.id, title: page.title, path, ref }),
  );
  return { revision, pages, insertedFiles };
}

/** Restores a page from an earlier revision of its space, also a page that was deleted since. */
async function revertPage(
  draft: Draft,
  view: ReadTransaction,
  { origin, space }: { origin: string; space: string },
  { page: id, revision = origin }: RevertPageChange,
  path: string,
): Promise<PageEntry> {
  const row = await view.get(revisions, revision);
  if (row === undefined || row.space !== space) throw notFound('revision', revision);
  const page = await readPage(view, revision, id);
  if (page === undefined)
    throw invalid(
      `${path}/page`,
      `The revision "${revision}" has no page "${id}".`,
      'Name a revision that has the page, or delete the page instead.',
    );
  const parent = page.parent === null ? undefined : draft.page(page.parent);
  draft.checkParent(page, parent, `${path}/page`);
  const current = draft.pages.get(id);
  const keepsSlug = current?.slug === page.slug && current.parent === page.parent;
  if (page.type !== 'link' && !keepsSlug && draft.hasSlug(page.parent, page.slug, page.id))
    throw invalid(
      `${path}/page`,
      `Another page at the same level now has the slug "${page.slug}".`,
      'Change the slug of the other page first.',
    );
  const others = draft.siblings(page.parent).filter((other) => other.id !== id);
  const taken = others.findIndex(({ position }) => position === page.position);
  const reverted = taken < 0 ? page : { ...page, position: draft.placeAt(page.parent, taken, id) };
  draft.put(reverted);
  return reverted;
}
