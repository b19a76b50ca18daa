import { created, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type, Url } from '../../contract/schema.ts';
import { Language, RichDocument } from '../../contract/shapes.ts';

const Count = Type.Integer({ minimum: 0 });
const Source = closed({ space: Id, language: Language });

/** A space that is kept up to date in another language. */
export const Translation = closed({
  object: Type.Literal('translation'),
  id: Id,
  status: oneOf(['pending', 'running', 'completed']),
  source: Source,
  language: Language,
  instructions: RichDocument,
  result: Type.Optional(closed({ space: Id, revision: Id })),
  createdAt: DateTime,
  updatedAt: DateTime,
  stats: closed({
    runs: Count,
    totalWords: Count,
    totalPages: Count,
    totalDuration: Type.Integer({ minimum: 0, description: 'Seconds' }),
    latestRunDuration: Type.Integer({ minimum: 0, description: 'Seconds' }),
    latestPages: Count,
    latestWords: Count,
    latestKept: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Segments left untranslated, because no answer of the service fitted them. Not in the API document',
      }),
    ),
    latestEditsKept: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Edits by hand that stayed though their line is translated anew. Not in the API document',
      }),
    ),
    latestEditsReplaced: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Edits by hand that were replaced, because the source changed the same line. Not in the API document',
      }),
    ),
  }),
  problem: Type.Optional(
    closed(
      { reason: Type.String(), message: Type.String(), hint: Type.Optional(Type.String()), at: DateTime },
      {
        description:
          'Why the latest run failed, for those who may run it again; while it is running, it is tried again by itself. Not in the API document',
      },
    ),
  ),
  permissions: closed({ view: Type.Boolean(), edit: Type.Boolean() }),
  urls: closed({ location: Url }),
});

const columns = ['language', 'source.language', 'status', 'updatedAt', 'source.space', 'id'];
/** With columns for the counts of a run. */
const detailColumns = [
  ...columns,
  'stats.latestKept=stats.untranslated',
  'stats.latestEditsKept=stats.editsKept',
  'stats.latestEditsReplaced=stats.editsReplaced',
];

export const listTranslations = operation({
  id: 'translations.list',
  route: 'GET /orgs/:organizationId/translations',
  summary: 'List the translations of an organization',
  access: 'org.read',
  returns: listOf(Translation),
  cli: { columns },
});

export const createTranslation = operation({
  id: 'translations.create',
  route: 'POST /orgs/:organizationId/translations',
  summary: 'Translate a space into another language',
  description:
    'Makes a space beside the source, and keeps it up: what changes in the source is translated again, page by page. Code, addresses, tags and variables stay. Edits made by hand in the target stay as well, unless the source changes the same line; other instructions do not touch them. DOCSCTL_TRANSLATION, where the work is done, names the service: pseudo (the default: marks what would be translated), openai, deepl or libretranslate. A glossary in the instructions ("term: translation", "do not translate: X") is kept to.',
  access: 'org.create',
  body: closed({ source: Source, language: Language, instructions: Type.Optional(RichDocument) }),
  returns: created(Translation),
  cli: {
    columns: detailColumns,
    flags: [
      {
        name: 'space',
        value: 'SPACE',
        summary: 'The space to translate',
        template: { source: { space: '$' } },
      },
      {
        name: 'from',
        value: 'LANGUAGE',
        summary: 'The language it is in',
        template: { source: { language: '$' } },
      },
    ],
    examples: ['docsctl translations create --space Guide --from en --language fr'],
  },
});

export const getTranslation = operation({
  id: 'translations.get',
  route: 'GET /orgs/:organizationId/translations/:translationId',
  summary: 'Show a translation',
  access: 'org.read',
  returns: ok(Translation),
  cli: { columns: detailColumns },
});

export const updateTranslation = operation({
  id: 'translations.update',
  route: 'PUT /orgs/:organizationId/translations/:translationId',
  summary: 'Change the instructions of a translation',
  access: 'org.create',
  body: closed({ instructions: RichDocument }),
  returns: ok(Translation),
  cli: {
    columns: detailColumns,
    examples: ['docsctl translations update "Guide (French)" --instructions @glossary.md'],
  },
});

export const deleteTranslation = operation({
  id: 'translations.delete',
  route: 'DELETE /orgs/:organizationId/translations/:translationId',
  summary: 'Delete a translation; the space that it made stays',
  access: 'org.create',
  returns: noContent(),
});

export const runTranslation = operation({
  id: 'translations.run',
  route: 'POST /orgs/:organizationId/translations/:translationId/run',
  summary: 'Run a translation again: looks at every page, and makes a target that was deleted anew',
  description:
    'Nothing that is translated already is sent to the service again; segments for which no answer fitted are tried once more.',
  access: 'org.create',
  returns: noContent(),
});
