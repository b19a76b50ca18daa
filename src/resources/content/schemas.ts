import { closed, DateTime, Id, oneOf, optional, Type, Url, type Static } from '../../contract/schema.ts';
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
    ...optional({
      page: Type.String(),
      method: Type.String(),
      deprecated: flag,
    }),
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
  ...optional({
    url: Type.String(),
    page: Type.String(),
    anchor: Type.String(),
    file: Type.String(),
    space: Type.String(),
    collection: Type.String(),
    user: Type.String(),
    reusableContent: Type.String(),
  }),
});

/** A page of a revision, with its descendants: a document, a group of pages or a link. */
export const Page = Type.Recursive(
  (Inner) =>
    closed({
      id: Id,
      type: oneOf(['document', 'group', 'link', 'computed']),
      kind: Type.Optional(oneOf(['sheet', 'group', 'link'])),
      title: Type.String(),
      ...optional({
        /** The title in the table of contents, if it differs from the title. */
        linkTitle: Type.String(),
        emoji: Type.String(),
        icon: Type.String(),
        description: Type.String(),
        createdAt: DateTime,
        updatedAt: DateTime,
        markdown: Type.String(),
        /** The front matter with its fences. Followed by `markdown` it is the whole file. Not in the official API. */
        frontMatter: Type.String(),
        document: RichDocument,
        /** The ID of its document, if one page is read. Absent if the document is empty or generated. */
        documentId: Type.String(),
        /** Present if the query asks for it. Not in the official API. */
        blocks: Type.Array(DrawnBlock),
        urls: closed({ app: Url }),
        slug: Type.String(),
        path: Type.String(),
        pages: Type.Array(Inner),
        git: GitPlace,
        /** SHA-256 of the text. Not in the official API. */
        hash: Type.String(),
        layout: closed(PageLayoutFields),
        cover: PageCover,
        variables: Type.Object({}, { additionalProperties: Type.String() }),
        metaLinks: MetaLinks,
        tags: Type.Array(PageTag),
        hidden: flag,
        noIndex: flag,
        noRobotsIndex: flag,
        condition: Type.String(),
        /** The source of a generated page. For a page of the type computed: the source of the pages that replace it. */
        computed: Type.Union([ComputedSource, ComputedDocument, IntegrationSource]),
        computedSeed: Type.String(),
        target: LinkTarget,
        href: Type.String(),
      }),
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
  ...optional({
    dimensions: closed({ width: Type.Number(), height: Type.Number() }),
    git: GitPlace,
    /** SHA-256 of the word "bytes", a zero byte and the bytes. Not in the official API. */
    hash: Type.String(),
  }),
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
  ...optional({
    git: GitSyncCommit,
    sourceRevision: Id,
    mergedFrom: ChangeRequest,
  }),
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
