import { closed, Id, nonBlank, nullable, oneOf, Type, type Static } from '../contract/schema.ts';
import { RichDocument } from '../contract/shapes.ts';
import { PageSource } from './computed-source.ts';
import { settingFields } from './setting-fields.ts';

/**
 * The path of a page or file in the folder from which it was imported, for later imports and exports (not in the official API).
 */
const GitPath = closed({ path: Type.String({ minLength: 1, maxLength: 1024 }) });

/** A name for a page or file in one batch. Texts of the batch may link to it, and later changes may use it as an ID. */
const Ref = Type.String({ minLength: 1, maxLength: 255 });

const PageId = Type.String({ minLength: 1, maxLength: 255 });

const Text = closed(
  { markdown: Type.Optional(Type.String({ maxLength: 2_000_000 })), document: Type.Optional(RichDocument) },
  { maxProperties: 1 },
);

const pageMetadata = {
  title: Type.Optional(nonBlank({ maxLength: 255 })),
  slug: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, pattern: '^(?!\\.{1,2}$)[^\\s/?#%\\\\]+$' }),
  ),
  emoji: Type.Optional(Type.String({ maxLength: 50, format: 'emoji' })),
  icon: Type.Optional(Type.String({ maxLength: 50 })),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  condition: Type.Optional(Type.String({ maxLength: 1024 })),
  href: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  linkTitle: Type.Optional(Type.String({ maxLength: 100 })),
  computed: Type.Optional(PageSource),
  ...settingFields,
  git: Type.Optional(GitPath),
};

const position = Type.Optional(Type.Integer({ minimum: 0 }));

const InsertPage = closed({
  operation: Type.Literal('insert_page'),
  document: Text,
  type: Type.Optional(oneOf(['document', 'group', 'link', 'computed'])),
  ...pageMetadata,
  into: Type.Optional(nullable(PageId)),
  at: position,
  ref: Type.Optional(Ref),
});

/**
 * With `whole`, the document is the whole file, so existing front matter is removed if the file has none. Otherwise it is kept.
 */
const UpdatePage = closed({
  operation: Type.Literal('update_page'),
  page: PageId,
  document: Type.Optional(Text),
  whole: Type.Optional(Type.Boolean()),
  ...pageMetadata,
  into: Type.Optional(nullable(PageId)),
  at: position,
});

const DeletePage = closed({ operation: Type.Literal('delete_page'), page: PageId });

const RevertPage = closed({
  operation: Type.Literal('revert_page'),
  page: PageId,
  revision: Type.Optional(Id),
});

const NewFile = closed({
  name: nonBlank({ maxLength: 256 }),
  base64: Type.String({ maxLength: 13_981_016, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
  contentType: Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\w.+-]+/[\\w.+-]+(;.*)?$' }),
  ref: Type.Optional(Ref),
  git: Type.Optional(GitPath),
  replaces: Type.Optional(Id),
});

const InsertFiles = closed({
  operation: Type.Literal('insert_files'),
  files: Type.Array(NewFile, { minItems: 1, maxItems: 20 }),
});

const DeleteFiles = closed({
  operation: Type.Literal('delete_files'),
  files: Type.Array(Id, { minItems: 1, maxItems: 100 }),
});

const PutText = closed({
  operation: Type.Literal('put_text'),
  role: oneOf(['summary', 'settings', 'variables', 'tags', 'include', 'snippet']),
  git: GitPath,
  title: Type.Optional(nonBlank({ maxLength: 255 })),
  text: nullable(Type.String({ maxLength: 4_000_000 })),
});

/**
 * A change of content. These are not in the official API: type, href, git, whole, the settings of pages (layout, cover,
 * variables, metaLinks, tags, linkTitle), computed, replaces, delete_files, put_text, and a ref as the id of a page.
 */
export const Change = Type.Union([
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  DeleteFiles,
  PutText,
]);

export type ContentChange = Static<typeof Change>;

export type InsertPageChange = Static<typeof InsertPage>;

export type UpdatePageChange = Static<typeof UpdatePage>;

export type RevertPageChange = Static<typeof RevertPage>;

export type PutTextChange = Static<typeof PutText>;

export type NewFileBody = Static<typeof NewFile>;

export const AffectedPage = closed({
  type: oneOf(['created_page', 'updated_page', 'deleted_page']),
  id: Id,
  title: Type.String(),
  path: Type.String(),
  ref: Type.Optional(Ref),
});

export const InsertedFile = closed({ id: Id, name: Type.String(), ref: Type.Optional(Ref) });

export type AffectedPageBody = Static<typeof AffectedPage>;

export type InsertedFileBody = Static<typeof InsertedFile>;
