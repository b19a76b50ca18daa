import { closed, DateTime, Id, oneOf, Type, Url, type Static } from '../../contract/schema.ts';
import { RichDocument } from '../../contract/shapes.ts';
import { ComputedSource, IntegrationSource } from '../../content/computed-source.ts';
import { MetaLinks, PageCover, PageLayoutFields, PageTag } from '../../content/setting-fields.ts';
import { ChangeRequest } from '../change-requests/contract.ts';
import { GitSyncCommit } from '../git-sync/schemas.ts';

/** The path of a page, file or text in the folder that it was imported from, and its git object id. */
const GitPlace = closed({ oid: Type.String(), path: Type.String() });

const flag = Type.Boolean();

/** The source of a generated page (published specification, ComputedContentSourceDocumentOpenAPI). */
export const ComputedDocument = closed({
  type: Type.Literal('builtin:openapi'),
  dependencies: ComputedSource.properties.dependencies,
  props: closed({
    doc: oneOf(['operations', 'info', 'tag', 'operation', 'models']),
    page: Type.Optional(Type.String()),
    method: Type.Optional(Type.String()),
    deprecated: Type.Optional(flag),
  }),
});

const DrawnBlock = closed({
  integration: Type.String(),
  block: Type.String(),
  props: Type.Optional(Type.Object({}, { additionalProperties: true })),
  code: Type.Optional(closed({ syntax: Type.String(), content: Type.String() })),
  document: RichDocument,
  /** The reason for drawing only a placeholder. Only people who can edit the space get it. */
  problem: Type.Optional(Type.String()),
});

/** The target of a link in the table of contents (published specification, ContentRef). */
const LinkTarget = closed({
  kind: oneOf(['url', 'page', 'anchor', 'file', 'space', 'collection', 'user', 'reusable-content']),
  url: Type.Optional(Type.String()),
  page: Type.Optional(Type.String()),
  anchor: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
  space: Type.Optional(Type.String()),
  collection: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  reusableContent: Type.Optional(Type.String()),
});

/** A page of a revision, with its descendants: a document, a group of pages or a link. */
export const Page = Type.Recursive(
  (Inner) =>
    closed({
      id: Id,
      type: oneOf(['document', 'group', 'link', 'computed']),
      kind: Type.Optional(oneOf(['sheet', 'group', 'link'])),
      title: Type.String(),
      /** The title in the table of contents, if it differs from the title. */
      linkTitle: Type.Optional(Type.String()),
      emoji: Type.Optional(Type.String()),
      icon: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      createdAt: Type.Optional(DateTime),
      updatedAt: Type.Optional(DateTime),
      markdown: Type.Optional(Type.String()),
      /** The front matter with its fences. Followed by `markdown` it is the whole file. Not in the official API. */
      frontMatter: Type.Optional(Type.String()),
      document: Type.Optional(RichDocument),
      /** The ID of its document, if one page is read. Absent if the document is empty or generated. */
      documentId: Type.Optional(Type.String()),
      /** Present if the query asks for it. Not in the official API. */
      blocks: Type.Optional(Type.Array(DrawnBlock)),
      urls: Type.Optional(closed({ app: Url })),
      slug: Type.Optional(Type.String()),
      path: Type.Optional(Type.String()),
      pages: Type.Optional(Type.Array(Inner)),
      git: Type.Optional(GitPlace),
      /** SHA-256 of the text. Not in the official API. */
      hash: Type.Optional(Type.String()),
      layout: Type.Optional(closed(PageLayoutFields)),
      cover: Type.Optional(PageCover),
      variables: Type.Optional(Type.Object({}, { additionalProperties: Type.String() })),
      metaLinks: Type.Optional(MetaLinks),
      tags: Type.Optional(Type.Array(PageTag)),
      hidden: Type.Optional(flag),
      noIndex: Type.Optional(flag),
      noRobotsIndex: Type.Optional(flag),
      condition: Type.Optional(Type.String()),
      /** The source of a generated page. For a page of the type computed: the source of the pages that replace it. */
      computed: Type.Optional(Type.Union([ComputedSource, ComputedDocument, IntegrationSource])),
      computedSeed: Type.Optional(Type.String()),
      target: Type.Optional(LinkTarget),
      href: Type.Optional(Type.String()),
    }),
  { $id: 'Page' },
);
export type PageBody = Static<typeof Page>;

export const File = closed({
  id: Id,
  name: Type.String(),
  contentType: Type.String(),
  downloadURL: Url,
  size: Type.Integer({ minimum: 0 }),
  dimensions: Type.Optional(closed({ width: Type.Number(), height: Type.Number() })),
  git: Type.Optional(GitPlace),
  /** SHA-256 of the word "bytes", a zero byte and the bytes. Not in the official API. */
  hash: Type.Optional(Type.String()),
});

/** A text of an imported folder that is not a page. */
export const FolderText = closed({
  id: Id,
  role: oneOf(['summary', 'settings', 'variables', 'tags', 'include', 'snippet']),
  title: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  git: GitPlace,
  text: Type.Optional(Type.String()),
});

const RevisionTag = closed({
  slug: Type.String(),
  label: Type.String(),
  color: Type.String(),
  emoji: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
});

/** A text that pages include. `document` is the ID of its document; absent if the text is empty. */
export const ReusableContent = closed({
  id: Id,
  title: Type.String(),
  git: Type.Optional(GitPlace),
  document: Type.Optional(Type.String()),
});

export const Revision = closed({
  object: Type.Literal('revision'),
  id: Id,
  parents: Type.Array(Id),
  pages: Type.Array(Page),
  files: Type.Array(File),
  reusableContents: Type.Array(ReusableContent),
  variables: Type.Object({}, { additionalProperties: Type.String() }),
  tags: Type.Array(RevisionTag),
  createdAt: DateTime,
  /** `published` and `public` are the URLs of the space, if its sites show this revision. */
  urls: closed({ app: Url, published: Type.Optional(Url), public: Type.Optional(Url) }),
  type: oneOf(['edits', 'merge', 'rollback', 'update', 'computed']),
  git: Type.Optional(GitSyncCommit),
  sourceRevision: Type.Optional(Id),
  mergedFrom: Type.Optional(ChangeRequest),
});

const trueFlag = (description: string) => Type.Optional(Type.Boolean({ default: true, description }));

/** The query of an operation that returns many pages. */
export const pagesFlags = {
  metadata: trueFlag(
    'also return `git` (the path in the imported folder), `hash` (of the text) and `frontMatter` (default: true)',
  ),
  computed: trueFlag(
    'show the pages that are generated from OpenAPI specifications and by integrations (default: true); false: instead, show the entries of the type `computed` that generate them',
  ),
  texts: trueFlag('also return the text of each page (default: true); false makes the response much smaller'),
};

/** The query of an operation that reads files. */
export const fileFlags = {
  metadata: trueFlag('also return `git` (the path in the imported folder) and `hash` (default: true)'),
  computed: trueFlag('also show the files that integrations compute (default: true)'),
};

/** The query of an operation that reads a reusable content. */
export const reusableContentFlags = {
  metadata: trueFlag('also return `git`, the path in the imported folder (default: true)'),
  computed: trueFlag('no effect: reusable content is never generated'),
};

/** The query of an operation that lists changes. Changes have no metadata and never contain generated pages. */
export const changesFlags = {
  metadata: trueFlag('no effect: changes have no metadata'),
  computed: trueFlag('no effect: changes of generated pages are not listed'),
};
