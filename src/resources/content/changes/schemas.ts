import { closed, Id, oneOf, Type, Url, type Static, type TSchema } from '../../../contract/schema.ts';

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
  {
    title: Type.Optional(textAttribute),
    linkTitle: Type.Optional(textAttribute),
    description: Type.Optional(textAttribute),
    slug: Type.Optional(textAttribute),
    document: Type.Optional(textAttribute),
    emoji: Type.Optional(textAttribute),
    target: Type.Optional(attribute(closed({ kind: Type.Literal('url'), url: Type.String() }))),
    icon: Type.Optional(textAttribute),
    condition: Type.Optional(textAttribute),
    frontMatter: Type.Optional(textAttribute),
    hidden: Type.Optional(flagAttribute),
    noIndex: Type.Optional(flagAttribute),
    noRobotsIndex: Type.Optional(flagAttribute),
  },
  { minProperties: 1 },
);
const FileAttributes = closed(
  {
    name: Type.Optional(textAttribute),
    downloadURL: Type.Optional(textAttribute),
    size: Type.Optional(attribute(Type.Number())),
    contentType: Type.Optional(textAttribute),
    dimensions: Type.Optional(attribute(closed({ width: Type.Number(), height: Type.Number() }))),
  },
  { minProperties: 1 },
);
const ReusableContentAttributes = closed(
  { title: Type.Optional(textAttribute), document: Type.Optional(textAttribute) },
  { minProperties: 1 },
);
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
  return closed({ before: Type.Optional(schema), after: Type.Optional(schema) });
}
