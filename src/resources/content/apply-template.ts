import type { Static } from '../../contract/schema.ts';
import type { ResourceScope, WriteContext } from '../../core/handler.ts';
import { can, contentRole } from '../../core/permissions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { invalid, notFound } from '../../errors/problem.ts';
import type { Template } from '../change-requests/contract.ts';
import { putText, readBlob } from '../../content/blobs.ts';
import { Draft } from '../../content/draft.ts';
import { gitOid } from '../../content/hashing.ts';
import { editRevision, readContent } from '../../content/revisions.ts';
import { freeSlug } from '../../content/slugs.ts';
import { buildTree, type PageNode } from '../../content/tree.ts';
import type { Entry, PageEntry } from '../../content/rows.ts';

type TemplateContext = WriteContext & Pick<ResourceScope, 'memberRole' | 'maxRole'>;

const idPrefixes = { page: 'pag', file: 'fil', text: 'txt' } as const;

/**
 * Adds the pages, files and includes of a template to a revision and returns the id of the new revision. A template is a
 * space of the same organization that the caller may read. Its links to `/refs/NAME` are replaced by the content
 * reference of that name.
 * @throws Problem(not-found) where the template or a referenced page or file does not exist.
 */
export async function applyTemplate(
  context: TemplateContext,
  { base, space, template }: { base: string; space: SpaceRow; template: Static<typeof Template> },
): Promise<string> {
  const { tx } = context;
  const source = await tx.get(spaces, template.id);
  if (source === undefined || source.state === 'deleted' || source.organization !== space.organization)
    throw notFound('template', template.id);
  if (!can(await contentRole(tx, context.memberRole, context.maxRole, source), 'read'))
    throw notFound('template', template.id);
  const entries = await readContent(tx, source.revision);
  const draft = new Draft(await readContent(tx, base));
  const copies = entries.map((entry) => ({ entry, id: context.newId(idPrefixes[entry.kind]) }));
  const ids = new Map(copies.map(({ entry, id }) => [entry.id, id]));
  const refs = resolveReferences(template.params?.contentRefs ?? {}, draft, space);
  const rewrite = (text: string) =>
    text.replace(/(?<=[("<])\/(pages|files|refs)\/([\w-]+)/g, (whole, kind: string, name: string) => {
      if (kind === 'refs') return refs.get(name) ?? whole;
      const id = ids.get(name);
      return id === undefined ? whole : `/${kind}/${id}`;
    });
  const takenPaths = new Set(
    [...draft.pages.values(), ...draft.files.values(), ...draft.texts.values()].map(
      (entry) => entry.git?.path,
    ),
  );
  for (const { entry, id } of copies) {
    if (entry.kind === 'file') draft.put(withoutTakenPath({ ...entry, id }, takenPaths));
    // The table of contents and the settings belong to the folder of the template and are not copied.
    if (entry.kind === 'text' && entry.role === 'include' && !takenPaths.has(entry.git.path))
      draft.put({ ...entry, id });
  }
  const copy = async ({ page, children }: PageNode, parent: string | null): Promise<void> => {
    const text = page.blob === undefined ? undefined : rewrite(await readBlob(tx, page.blob));
    const own: PageEntry = {
      ...page,
      id: ids.get(page.id)!,
      parent,
      position: draft.placeAt(parent, undefined, page.id),
      slug:
        page.type === 'link'
          ? page.slug
          : freeSlug(page.slug, { has: (slug) => draft.hasSlug(parent, slug, page.id) }),
      createdAt: context.now,
      updatedAt: context.now,
      ...(text === undefined ? {} : { blob: await putText(tx, text), size: Buffer.byteLength(text) }),
      ...(page.git === undefined || text === undefined
        ? {}
        : { git: { path: page.git.path, oid: gitOid((page.frontMatter ?? '') + text) } }),
    };
    draft.put(withoutTakenPath(own, takenPaths));
    for (const child of children) await copy(child, own.id);
  };
  for (const root of buildTree(entries.filter((entry) => entry.kind === 'page')).roots)
    await copy(root, null);
  return editRevision(tx, context, { base, space: space.id, changes: draft.changes });
}

/** Maps the name of each content reference to the address that its links get. */
function resolveReferences(
  references: Readonly<Record<string, { readonly kind: string }>>,
  draft: Draft,
  space: SpaceRow,
): Map<string, string> {
  return new Map(
    Object.entries(references).map(([name, ref]) => {
      const value = ref as Record<string, unknown>;
      const id = value[ref.kind === 'openapi' ? 'spec' : ref.kind];
      if (ref.kind === 'url' && typeof id === 'string') return [name, encodeURI(id)];
      if (typeof id !== 'string' || !['page', 'file', 'openapi'].includes(ref.kind))
        throw invalid(
          `/body/params/contentRefs/${name}`,
          'A content reference must name a page, a file, an OpenAPI specification or a URL.',
        );
      if (ref.kind === 'openapi') return [name, `/openapi/${encodeURIComponent(id)}`];
      const isHere = value['space'] === undefined || value['space'] === space.id;
      if (!isHere || !(ref.kind === 'page' ? draft.pages.has(id) : draft.files.has(id)))
        throw notFound(ref.kind, id);
      return [name, `/${ref.kind}s/${id}`];
    }),
  );
}

/** The entry without its path in a folder where another entry has that path. */
function withoutTakenPath<E extends Entry>(entry: E, takenPaths: ReadonlySet<string | undefined>): E {
  if (entry.git === undefined || !takenPaths.has(entry.git.path)) return entry;
  const { git: _git, ...rest } = entry;
  return rest as E;
}
