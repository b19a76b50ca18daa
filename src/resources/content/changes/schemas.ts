import {
  closed,
  Id,
  oneOf,
  optional,
  Type,
  Url,
  type Static,
  type TSchema,
} from '../../../contract/schema.ts';

const textAttribute = attribute(Type.String());
const flagAttribute = attribute(Type.Boolean());
const ChangedPage = closed({
  id: Id,
  type: oneOf(['document', 'group', 'link']),
  title: Type.String(),
  path: Type.Optional(Type.String()),
});
const ChangedFile = closed({ id: Id, name: Type.String(), contentType: Type.String(), downloadURL: Url });
/** `document` is the hash of the text. */
const ChangedReusableContent = closed({
  id: Id,
  title: Type.String(),
  document: Type.Optional(Type.String()),
});

/**
 * The attributes of a page that differ; `document` is the hash of its text. The attributes from `icon` on are not in the official
 * API.
 */
const PageAttributes = closed(
  optional({
    title: textAttribute,
    linkTitle: textAttribute,
    description: textAttribute,
    slug: textAttribute,
    document: textAttribute,
    emoji: textAttribute,
    target: attribute(closed({ kind: Type.Literal('url'), url: Type.String() })),
    icon: textAttribute,
    condition: textAttribute,
    frontMatter: textAttribute,
    hidden: flagAttribute,
    noIndex: flagAttribute,
    noRobotsIndex: flagAttribute,
  }),
  { minProperties: 1 },
);
const FileAttributes = closed(
  optional({
    name: textAttribute,
    downloadURL: textAttribute,
    size: attribute(Type.Number()),
    contentType: textAttribute,
    dimensions: attribute(closed({ width: Type.Number(), height: Type.Number() })),
  }),
  { minProperties: 1 },
);
const ReusableContentAttributes = closed(optional({ title: textAttribute, document: textAttribute }), {
  minProperties: 1,
});
const Variable = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** One difference between two revisions (published specification, RevisionSemanticChange). */
const SemanticChange = Type.Union([
  closed({ type: Type.Literal('page_created'), page: ChangedPage }),
  closed({ type: Type.Literal('page_edited'), page: ChangedPage, attributes: PageAttributes }),
  closed({ type: Type.Literal('page_deleted'), page: ChangedPage }),
  closed({ type: Type.Literal('page_moved'), page: ChangedPage, parent: attribute(ChangedPage) }),
  closed({ type: Type.Literal('file_created'), file: ChangedFile }),
  closed({ type: Type.Literal('file_edited'), file: ChangedFile, attributes: FileAttributes }),
  closed({ type: Type.Literal('file_deleted'), file: ChangedFile }),
  closed({ type: Type.Literal('reusable_content_created'), reusableContent: ChangedReusableContent }),
  closed({
    type: Type.Literal('reusable_content_edited'),
    reusableContent: ChangedReusableContent,
    attributes: ReusableContentAttributes,
  }),
  closed({ type: Type.Literal('reusable_content_deleted'), reusableContent: ChangedReusableContent }),
  closed({
    type: Type.Literal('variables_edited'),
    variables: Type.Record(Type.String(), attribute(Variable)),
  }),
]);
export type SemanticChangeBody = Static<typeof SemanticChange>;

/** The query of an operation that lists changes between revisions. */
export const changesQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'maximum number of changes, up to 1000 (default: 10); the field "more" counts the rest',
    }),
  ),
};

/** The fields of a response that lists changes; `more` is the number of changes beyond the limit. */
export const semanticChangesFields = {
  changes: Type.Array(SemanticChange),
  more: Type.Optional(Type.Integer({ minimum: 1 })),
};

function attribute<S extends TSchema>(schema: S) {
  return closed(optional({ before: schema, after: schema }));
}
