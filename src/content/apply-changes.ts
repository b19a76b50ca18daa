import { reportStep, type Watcher } from '../contract/progress.ts';
import type { WriteContext } from '../core/handler.ts';
import { notFound, invalid } from '../errors/problem.ts';
import { Draft } from './draft.ts';
import { insertPage, updatePage } from './edit-page.ts';
import { putFolderText } from './folder-text.ts';
import { editRevision, readContent, readPage } from './revisions.ts';
import type { PageEntry } from './rows.ts';
import type {
  ContentChange,
  AffectedPageBody,
  InsertedFileBody,
  RevertPageChange,
  UpdatePageChange,
} from './changes.ts';
import { defined } from '../contract/values.ts';
import { revisions } from '../core/rows/revisions.ts';
import type { ReadTransaction } from '../core/store.ts';

interface AppliedChanges {
  /** The new revision, or the base if nothing differs. */
  readonly revision: string;
  readonly pages: readonly AffectedPageBody[];
  readonly insertedFiles: readonly InsertedFileBody[];
}

/**
 * Applies changes to a revision in order. `origin` is the revision to which a page is reverted by default. `at` is the location
 * of the changes in the request.
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
  const linkByRef = await nameRefs(draft, changes, context.newId, at);
  for (const [index, change] of changes.entries()) {
    const step = reportStep(context, index, changes.length, 'applying changes');
    if (step !== undefined) await step;
    const path = `${at}/changes/${index}`;
    switch (change.operation) {
      case 'insert_page': {
        const id = draft.named(change.ref) ?? context.newId('pag');
        const page = await insertPage(draft, context, id, linkByRef(change), path);
        note('created_page', page, change.ref);
        break;
      }
      case 'update_page':
        note('updated_page', await updatePage(draft, context, linkByRef(change), path));
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
          const id = draft.named(file.ref) ?? context.newId('fil');
          const entry = await insertFile(draft, tx, id, file, `${path}/files/${place}`);
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

/**
 * Assigns an ID to each page and file with a ref. Returns a function that replaces links to refs in the text of a change:
 * `./REF.md` leads to a page, and `./REF` to a file.
 * @throws Problem(invalid-input) if a ref is used twice
 */
async function nameRefs(
  draft: Draft,
  changes: readonly ContentChange[],
  newId: WriteContext['newId'],
  at: string,
): Promise<<C extends Pick<UpdatePageChange, 'document' | 'git'>>(change: C) => C> {
  const targets = new Map<string, string>();
  const name = (ref: string, id: string, path: string, link: string, target: string) => {
    draft.name(ref, id, path);
    targets.set(link, `${target}${id}`);
  };
  for (const [index, change] of changes.entries()) {
    const path = `${at}/changes/${index}`;
    if (change.operation === 'insert_page' && change.ref !== undefined)
      name(change.ref, newId('pag'), path, `./${change.ref}.md`, '/pages/');
    if (change.operation === 'insert_files')
      for (const [place, { ref, replaces }] of change.files.entries())
        if (ref !== undefined)
          name(ref, replaces ?? newId('fil'), `${path}/files/${place}`, `./${ref}`, '/files/');
  }
  if (targets.size === 0) return (change) => change;
  const { rewriteLinks } = await import('../richtext/rewrite-links.ts');
  return (change) => {
    const markdown = change.document?.markdown;
    // Texts from a folder do not link to refs.
    if (change.git !== undefined || markdown?.includes('./') !== true) return change;
    const linked = rewriteLinks(markdown, (href) => {
      const [path = '', ...anchor] = href.split(/(?=#)/);
      const target = targets.get(path);
      return target && target + anchor.join('');
    });
    return { ...change, document: { markdown: linked } };
  };
}

/** Restores a page from an earlier revision of its space, even if the page was deleted since. */
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
