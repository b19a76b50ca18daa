import { posix } from 'node:path';
import { defined } from '../contract/values.ts';
import type { WriteTransaction } from '../core/store.ts';
import { invalid, Problem } from '../errors/problem.ts';
import { readBody, putText } from './blobs.ts';
import type { Draft } from './draft.ts';
import { isFromSpecification, type PageSource } from './computed-source.ts';
import { addressOfComputed } from './read-computed.ts';
import { gitOid } from './hashing.ts';
import { freeSlug, toSlug } from './slugs.ts';
import { markdownOf, readText, type PageTextInput } from './page-text.ts';
import { readSettings } from './page-settings.ts';
import { hasSettings } from './setting-fields.ts';
import { isSameEntry } from './trie.ts';
import type { PageEntry } from './rows.ts';
import type { InsertPageChange, UpdatePageChange } from './changes.ts';

type PageFields = Omit<UpdatePageChange, 'operation' | 'page' | 'document' | 'whole' | 'into' | 'at'>;
interface EditContext {
  readonly tx: WriteTransaction;
  readonly now: string;
}

/** Returns the fields of a page that is replaced by generated pages. */
function sourceFields(source: PageSource): Pick<PageEntry, 'computed' | 'source' | 'href'> {
  const href = addressOfComputed(source);
  return isFromSpecification(source) ? { computed: source, href } : { source, href };
}

/** Adds a page to a draft. */
export async function insertPage(
  draft: Draft,
  { tx, now }: EditContext,
  id: string,
  change: InsertPageChange,
  path: string,
): Promise<PageEntry> {
  const { computed } = change;
  if ((change.type === 'computed') !== (computed !== undefined))
    throw invalid(
      `${path}/computed`,
      'The field "computed" is required for a page of the type computed, and not allowed for any other page.',
    );
  const type = change.type === 'computed' ? 'link' : (change.type ?? 'document');
  if (type === 'link' && computed === undefined && change.href === undefined)
    throw invalid(`${path}/href`, 'A link needs an href.');
  if (type !== 'document' && Object.keys(change.document).length > 0)
    throw invalid(`${path}/document`, `A ${type} has no text.`, 'Leave the document empty: {}.');
  if (type !== 'document' && hasSettings(change)) throw hasNoSettings(type, path);
  const text =
    type === 'document'
      ? await readText(await markdownOf(change.document, includes(draft, change.git?.path), draft.space))
      : undefined;
  const title = change.title ?? text?.metadata.title ?? text?.heading ?? 'Untitled';
  const parent = change.into === undefined || change.into === null ? undefined : draft.page(change.into);
  draft.checkParent({ id, type }, parent, `${path}/into`);
  const page: PageEntry = {
    kind: 'page',
    id,
    type,
    parent: parent?.id ?? null,
    position: draft.placeAt(parent?.id ?? null, change.at, id),
    title,
    slug: change.slug ?? '',
    ...(computed === undefined ? {} : sourceFields(computed)),
    createdAt: now,
    updatedAt: now,
    size: 0,
  };
  const place = change.git?.path;
  const named = withSlugOf(draft, withFields({ ...page, ...text?.metadata, title }, change), change, path);
  const whole = text && (await withSettings(draft, withGitPath(named, place), text, change));
  const complete = await withText(tx, named, whole, place);
  await checkPageCondition(complete, undefined, change, path);
  draft.put(complete);
  return complete;
}

/** Changes the text, the fields and the place of a page in a draft. */
export async function updatePage(
  draft: Draft,
  { tx, now }: EditContext,
  change: UpdatePageChange,
  path: string,
): Promise<PageEntry> {
  const before = draft.page(change.page);
  if (change.document !== undefined && before.type !== 'document')
    throw invalid(`${path}/document`, `A ${before.type} has no text.`);
  if (change.computed !== undefined && before.computed === undefined && before.source === undefined)
    throw invalid(`${path}/computed`, `The page "${before.title}" is not of the type computed.`);
  if (before.type !== 'document' && hasSettings(change)) throw hasNoSettings(before.type, path);
  const text =
    change.document === undefined
      ? undefined
      : await readText(
          await markdownOf(
            change.document,
            includes(draft, change.git?.path ?? before.git?.path),
            draft.space,
          ),
        );
  // A whole file replaces the front matter, even if it has none. A text without front matter keeps it.
  const isWhole = change.whole ?? change.git !== undefined;
  const kept =
    !isWhole && text?.frontMatter === '' ? { ...text, frontMatter: before.frontMatter ?? '' } : text;
  let page = withFields({ ...before, ...text?.metadata, updatedAt: now }, change);
  if (change.computed !== undefined) {
    const { computed: _, source: __, ...rest } = page;
    page = { ...rest, ...sourceFields(change.computed) };
  }
  await checkPageCondition(page, before.condition, change, path);
  const git = change.git?.path ?? before.git?.path;
  if (kept !== undefined || git !== before.git?.path || hasSettings(change)) {
    const body = kept ?? {
      frontMatter: before.frontMatter ?? '',
      body: await readBody(tx, before),
    };
    const whole =
      before.type === 'document'
        ? await withSettings(draft, withGitPath(page, git), body, change)
        : undefined;
    page = await withText(tx, page, whole, git);
  }
  if (change.into !== undefined || change.at !== undefined) {
    const parent =
      change.into === undefined ? before.parent : change.into === null ? null : draft.page(change.into).id;
    draft.checkParent(page, parent === null ? undefined : draft.page(parent), `${path}/into`);
    page = { ...page, parent, position: draft.placeAt(parent, change.at, page.id) };
  }
  // Stores of older versions have siblings whose slugs differ only in case. They can still be edited.
  if (page.slug !== before.slug || page.parent !== before.parent)
    page = withSlug(draft, page, undefined, path);
  if (isSameEntry({ ...page, updatedAt: before.updatedAt }, before)) return before;
  draft.put(page);
  return page;
}

/** Returns a function that returns the path of reusable content in the draft, relative to the file `from`. */
function includes(draft: Draft, from = ''): (id: string) => string | undefined {
  return (id) => {
    const text = draft.texts.get(id);
    return text === undefined ? undefined : posix.relative(posix.dirname(from), text.git.path);
  };
}

async function withSettings(
  draft: Draft,
  page: PageEntry,
  text: PageTextInput,
  change: PageFields,
): Promise<PageTextInput> {
  if (!hasSettings(change)) return text;
  return (await import('./edit-settings.ts')).writeSettings(draft, page, text, change);
}

function withGitPath(page: PageEntry, path: string | undefined): PageEntry {
  return path === undefined ? page : { ...page, git: { oid: '', path } };
}

function hasNoSettings(type: string, path: string): Problem {
  return invalid(path, `A ${type} has no layout, cover, variables, links or tags; only documents have.`);
}

/**
 * Refuses a new condition with a wrong syntax, in a field or the front matter. Sites check it against their schemas when they
 * show the page.
 */
async function checkPageCondition(
  { title, condition }: PageEntry,
  before: string | undefined,
  change: { readonly condition?: string },
  path: string,
): Promise<void> {
  if (condition === undefined || condition === before) return;
  const { assertValidCondition } = await import('../conditions/condition-evaluator.ts');
  assertValidCondition(
    condition,
    `${path}/${change.condition === undefined ? 'document' : 'condition'}`,
    undefined,
    `The condition of the page "${title}"`,
  );
}

/** Sets the given fields of a page. '' removes an optional field, and false a flag. */
function withFields(page: PageEntry, given: PageFields): PageEntry {
  const {
    title,
    slug,
    href,
    git: _git,
    computed: _computed,
    ...optional
  } = given as PageFields & Record<string, unknown>;
  const next: Record<string, unknown> = {
    ...page,
    ...defined({ title, slug, href }),
  };
  for (const name of [
    'linkTitle',
    'emoji',
    'icon',
    'description',
    'condition',
    'hidden',
    'noIndex',
    'noRobotsIndex',
  ] as const) {
    const value = optional[name] ?? next[name];
    if (value === undefined || value === '' || value === false) delete next[name];
    else next[name] = value;
  }
  return next as unknown as PageEntry;
}

/** Sets the text of a page, and its git ID if the page is in a folder. */
export async function withText(
  tx: WriteTransaction,
  page: PageEntry,
  text: PageTextInput | undefined,
  path: string | undefined,
): Promise<PageEntry> {
  const { frontMatter: _old, settings: _before, git: _git, ...rest } = page;
  if (text === undefined) return { ...rest, ...(path === undefined ? {} : { git: { oid: '', path } }) };
  const settings = text.settings ?? (await readSettings(text.frontMatter));
  return {
    ...rest,
    ...defined({ settings }),
    blob: await putText(tx, text.body),
    size: Buffer.byteLength(text.body),
    ...(text.frontMatter === '' ? {} : { frontMatter: text.frontMatter }),
    ...(path === undefined ? {} : { git: { oid: gitOid(text.frontMatter + text.body), path } }),
  };
}

/** Sets the slug of a new page: the one in the change, or else one made from its title. */
function withSlugOf(draft: Draft, page: PageEntry, change: InsertPageChange, path: string): PageEntry {
  return withSlug(draft, page, change.slug === undefined ? toSlug(page.title) : undefined, path);
}

/** Sets a unique slug of a page: `wanted`, with a number if a sibling has it. Without `wanted`, its own slug must be free. */
function withSlug(draft: Draft, page: PageEntry, wanted: string | undefined, path: string): PageEntry {
  if (page.type === 'link') return { ...page, slug: page.slug === '' ? toSlug(page.title) : page.slug };
  if (wanted !== undefined)
    return { ...page, slug: freeSlug(wanted, { has: (slug) => draft.hasSlug(page.parent, slug, page.id) }) };
  if (draft.hasSlug(page.parent, page.slug, page.id)) {
    const message = `Another page at the same level already has the slug "${page.slug}".`;
    throw new Problem('conflict', message, {
      violations: [{ path: `${path}/slug`, message }],
      hint: 'Choose another slug. Upper and lower case make no difference.',
    });
  }
  return page;
}
