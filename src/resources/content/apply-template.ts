import { spaceAddress } from '../../contract/open-address.ts';
import type { Static } from '../../contract/schema.ts';
import type { WriteContext } from '../../core/handler.ts';
import { can, contentRole, type Subject } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { findOne, getOwned } from '../../core/store.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import type { Template } from '../change-requests/contract.ts';
import { EntryCopier } from '../../content/copy-entries.ts';
import { Draft } from '../../content/draft.ts';
import { specs } from '../../content/generated/specification-rows.ts';
import { editRevision, readContent, readRevision } from '../../content/revisions.ts';
import { freeSlug } from '../../content/slugs.ts';
import { buildTree, type PageNode } from '../../content/tree.ts';
import { readEntry } from '../../content/trie.ts';
import { findNamed, resolveHref } from '../../content/links/link-targets.ts';
import { createNameTable, linkSourceOf, targetIdOf } from '../../content/links/name-table.ts';
import { rewriteLinks } from '../../richtext/rewrite-links.ts';
import type { Entry, PageEntry, TextEntry } from '../../content/rows.ts';

type TemplateContext = WriteContext & Subject;

/**
 * Adds the pages, files and includes of a template to a revision, and returns the id of the new revision. A template is a space
 * of the same organization that the caller may read. Links to `/refs/NAME` in it are replaced by the content reference of that
 * name.
 *
 * @throws Problem(not-found) if the template or a referenced page, file or specification does not exist
 */
export async function applyTemplate(
  context: TemplateContext,
  { base, space, template }: { base: string; space: SpaceRow; template: Static<typeof Template> },
): Promise<string> {
  const { tx } = context;
  const source = await getReadable(context, template.id, space);
  const entries = await readContent(tx, source.revision);
  const draft = new Draft(await readContent(tx, base));
  const refs = await resolveReferences(context, template.params?.contentRefs ?? {}, draft, space);
  const takenPaths = new Set(
    [...draft.pages.values(), ...draft.files.values(), ...draft.texts.values()].map(
      (entry) => entry.git?.path,
    ),
  );
  // The table of contents and the settings belong to the folder of the template and are not copied.
  const copied = entries.filter(
    (entry) =>
      entry.kind !== 'text' || (/^(?:include|snippet)$/.test(entry.role) && !takenPaths.has(entry.git.path)),
  );
  const tree = buildTree(entries.filter((entry) => entry.kind === 'page'));
  const links = new TemplateLinks(entries, (page) => tree.byId.get(page.id)?.path ?? '', takenPaths);
  const copier: EntryCopier = new EntryCopier(tx, context.newId, copied, {
    rewrite: (text, entry) =>
      links
        .rewrite(text, entry, copier)
        .replace(/(?<=[("<])\/refs\/([\w-]+)/g, (whole, name: string) => refs.get(name) ?? whole),
  });
  for (const entry of copied)
    if (entry.kind !== 'page') draft.put(withoutTakenPath(await copier.copy(entry), takenPaths));
  const copy = async ({ page, children }: PageNode, parent: string | null): Promise<void> => {
    const own = await copier.page(page);
    const placed: PageEntry = {
      ...own,
      parent,
      position: draft.placeAt(parent, undefined, own.id),
      slug:
        page.type === 'link'
          ? page.slug
          : freeSlug(page.slug, { has: (slug) => draft.hasSlug(parent, slug, own.id) }),
      createdAt: context.now,
      updatedAt: context.now,
    };
    draft.put(withoutTakenPath(placed, takenPaths));
    for (const child of children) await copy(child, placed.id);
  };
  for (const root of tree.roots) await copy(root, null);
  return editRevision(tx, context, { base, space: space.id, changes: draft.changes });
}

/** Returns a space that the caller may read in the organization of another space. @throws Problem(not-found) */
async function getReadable(
  context: TemplateContext,
  id: string,
  { organization }: SpaceRow,
): Promise<SpaceRow> {
  const row = await getOwned(context.tx, spaces, id, { organization, state: 'live' }, 'space');
  if (!can(await contentRole(context.tx, context, row), 'read')) throw notFound('space', id);
  return row;
}

/** Maps the name of each content reference to the address that replaces it in links. */
async function resolveReferences(
  context: TemplateContext,
  references: Readonly<Record<string, { kind: string }>>,
  draft: Draft,
  space: SpaceRow,
): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  for (const [name, ref] of Object.entries(references)) {
    const value = ref as Record<string, unknown>;
    const id = value[ref.kind === 'openapi' ? 'spec' : ref.kind];
    if (typeof id !== 'string' || !['page', 'file', 'openapi', 'url'].includes(ref.kind))
      throw invalid(
        `/body/params/contentRefs/${name}`,
        'A content reference must name a page, a file, an OpenAPI specification or a URL.',
      );
    addresses.set(
      name,
      await addressOf(context, { kind: ref.kind, id, space: value['space'] }, draft, space),
    );
  }
  return addresses;
}

async function addressOf(
  context: TemplateContext,
  ref: { kind: string; id: string; space: unknown },
  draft: Draft,
  space: SpaceRow,
): Promise<string> {
  const { tx } = context;
  const { kind, id } = ref;
  // Characters that would end the link are encoded; what is already encoded stays.
  if (kind === 'url')
    return encodeURI(id).replaceAll('%25', '%').replaceAll('(', '%28').replaceAll(')', '%29');
  if (kind === 'openapi') {
    // A reference names a specification by its slug or by its ID.
    const spec = (await findOne(tx, specs, 'bySlug', [space.organization, id])) ?? (await tx.get(specs, id));
    if (spec?.organization !== space.organization) throw notFound('specification', id);
    return `openapi:${spec.slug}`;
  }
  if (ref.space !== undefined && ref.space !== space.id) {
    const other = await getReadable(context, String(ref.space), space);
    const entry = await readEntry(tx, (await readRevision(tx, other.revision)).root, id);
    if (entry?.kind !== kind) throw notFound(kind, id);
    return spaceAddress(other.id, kind === 'page' ? id : `~/files/${id}`);
  }
  if (!(kind === 'page' ? draft.pages : draft.files).has(id)) throw notFound(kind, id);
  return `/${kind}s/${id}`;
}

/** Returns the entry, without its path if another entry of the target folder already has that path. */
function withoutTakenPath<E extends Entry>(entry: E, takenPaths: ReadonlySet<string | undefined>): E {
  if (entry.git === undefined || !takenPaths.has(entry.git.path)) return entry;
  const { git: _git, ...rest } = entry;
  return rest as E;
}

/** Rewrites the links by path in a template. Links to entries that lose their paths become links by ID. */
class TemplateLinks {
  readonly #names: ReadonlyMap<string, string>;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #pathOf: (page: PageEntry) => string;
  readonly #takenPaths: ReadonlySet<string | undefined>;

  constructor(
    entries: readonly Entry[],
    pathOf: (page: PageEntry) => string,
    takenPaths: ReadonlySet<string | undefined>,
  ) {
    this.#names = createNameTable(entries, pathOf);
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#pathOf = pathOf;
    this.#takenPaths = takenPaths;
  }

  rewrite(text: string, from: PageEntry | TextEntry, copier: EntryCopier): string {
    const keepsPath = (entry: Entry) => entry.git !== undefined && !this.#takenPaths.has(entry.git.path);
    const source = linkSourceOf(from, this.#pathOf);
    return rewriteLinks(text, (href) => {
      const target = resolveHref(targetIdOf(from) ?? '', source, href);
      if (target.kind !== 'name' || !target.name.startsWith('path:')) return undefined;
      const found = findNamed(target, (name) => this.#names.get(name));
      const [, id = ''] = /^(?:page|file):(.+)$/.exec(found ?? '') ?? [];
      const entry = this.#entries.get(id);
      if (entry === undefined || (keepsPath(from) && keepsPath(entry))) return undefined;
      const anchor = target.anchor === undefined ? '' : `#${target.anchor}`;
      return `/${entry.kind}s/${copier.idOf(id)}${anchor}`;
    });
  }
}
