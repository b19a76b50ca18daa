import { created, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, optional, Type, Url, type Static } from '../../contract/schema.ts';
import { Language, languages, RichDocument } from '../../contract/shapes.ts';

const Count = Type.Integer({ minimum: 0 });
const Source = closed(
  { space: Id, language: Language },
  { description: 'space to translate and its language' },
);
const TargetLanguage = oneOf(languages, { description: 'language to translate into' });
const Instructions = Type.Unsafe<Static<typeof RichDocument>>({
  ...RichDocument,
  description: 'instructions for the translation, such as a glossary',
});

/** A space that is kept up to date as a translation of another space. */
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
    totalDuration: Type.Integer({ minimum: 0, description: 'duration of all runs in seconds' }),
    latestRunDuration: Type.Integer({ minimum: 0, description: 'duration of the latest run in seconds' }),
    latestPages: Count,
    latestWords: Count,
    ...optional({
      latestKept: Type.Integer({
        minimum: 0,
        description:
          'segments that stay untranslated because no answer of the service fitted them. Not in the official API of GitBook',
      }),
      latestEditsKept: Type.Integer({
        minimum: 0,
        description:
          'number of manual edits that were kept although their line was translated again. Not in the official API of GitBook',
      }),
      latestEditsReplaced: Type.Integer({
        minimum: 0,
        description:
          'number of manual edits that were replaced because the source changed the same line. Not in the official API of GitBook',
      }),
    }),
  }),
  problem: Type.Optional(
    closed(
      { reason: Type.String(), message: Type.String(), hint: Type.Optional(Type.String()), at: DateTime },
      {
        description:
          'Why the latest run failed, shown to members who can run it again. A running translation is retried automatically. Not in the official API of GitBook.',
      },
    ),
  ),
  permissions: closed({ view: Type.Boolean(), edit: Type.Boolean() }),
  urls: closed({ location: Url }),
});

const columns = ['language', 'source.language', 'status', 'updatedAt', 'source.space', 'id'];
/** The columns include the counts of a run. */
const detailColumns = [
  ...columns,
  'stats.latestKept=stats.untranslated',
  'stats.latestEditsKept=stats.editsKept',
  'stats.latestEditsReplaced=stats.editsReplaced',
];

export const nounHelp: NounHelp = {
  description: `
A translation keeps a copy of a space in another language up to date. When the source changes, the changed parts are translated again, page by page. Manual edits in the translated space are kept, unless the source changes the same line.

DOCSCTL_TRANSLATION names the service that translates: openai, deepl, libretranslate, or pseudo, which is for trials
and only marks what it would translate. Without a service, or while AI features are off in the organization, a
translation stays pending, and its field \`problem\` says why.`,
  examples: [
    'docsctl translations create --space Guide --from en --language de --wait',
    'docsctl translations list',
    'docsctl translations update "Guide (French)" --instructions @glossary.md',
  ],
};

export const listTranslations = operation({
  id: 'translations.list',
  route: 'GET /orgs/:organizationId/translations',
  summary: 'List the translations of an organization',
  access: 'org.read',
  returns: listOf(Translation),
  cli: { columns, examples: ['docsctl translations list'] },
});

export const createTranslation = operation({
  id: 'translations.create',
  route: 'POST /orgs/:organizationId/translations',
  summary: 'Translate a space into another language',
  description:
    'Creates a translated space in the collection of the source space, where you need the create role. The translated space gets a copy of the current permissions of the source space. When the content of the source space changes, docsctl translates the changes, page by page. Code, addresses, tags and variables are not translated. Manual edits in the translated space are kept, unless the source changes the same line. The instructions can contain a glossary: a list with items such as "- term: translation", a table with two columns, or a paragraph "Do not translate: X, Y".\n\nThe variable DOCSCTL_TRANSLATION of the server (of this machine for an embedded store) names the service: openai, deepl, libretranslate, or pseudo for trials, which only marks what would be translated. Without a service, or while the organization has AI features off, the translation stays pending, and its field `problem` says why.',
  access: 'org.create',
  body: closed({ source: Source, language: TargetLanguage, instructions: Type.Optional(Instructions) }),
  returns: created(Translation),
  cli: {
    columns: detailColumns,
    flags: [
      {
        name: 'space',
        value: 'SPACE',
        summary: 'space to translate, by title or ID',
        template: { source: { space: '$' } },
      },
      {
        name: 'from',
        value: 'LANGUAGE',
        summary: 'language of the space (default: the language that is set for the space)',
        template: { source: { language: '$' } },
        hasDefault: true,
      },
    ],
    examples: ['docsctl translations create --space Guide --from en --language de'],
  },
});

export const getTranslation = operation({
  id: 'translations.get',
  route: 'GET /orgs/:organizationId/translations/:translationId',
  summary: 'Show a translation',
  access: 'org.read',
  returns: ok(Translation),
  cli: { columns: detailColumns, examples: ['docsctl translations get "Guide (French)"'] },
});

export const updateTranslation = operation({
  id: 'translations.update',
  route: 'PUT /orgs/:organizationId/translations/:translationId',
  summary: 'Change the instructions of a translation',
  description:
    'The space is translated again with the new instructions. A glossary is a list with items such as "- term: translation", a table with two columns, or a paragraph "Do not translate: X, Y".',
  access: 'org.create',
  body: closed({ instructions: Instructions }),
  returns: ok(Translation),
  cli: {
    columns: detailColumns,
    examples: ['docsctl translations update "Guide (French)" --instructions @glossary.md'],
  },
});

export const deleteTranslation = operation({
  id: 'translations.delete',
  route: 'DELETE /orgs/:organizationId/translations/:translationId',
  summary: 'Delete a translation',
  description:
    'The translated space is kept, but no longer follows its source. To delete the space too, use `docsctl spaces delete`.',
  access: 'org.create',
  returns: noContent(),
  cli: { examples: ['docsctl translations delete "Guide (French)" --yes'] },
});

export const runTranslation = operation({
  id: 'translations.run',
  route: 'POST /orgs/:organizationId/translations/:translationId/run',
  summary: 'Run a translation again',
  description:
    'Checks every page. Text that is already translated is not sent again. Parts of pages that could not be translated are tried once more. If the translated space was deleted, it is created again.',
  access: 'org.create',
  returns: noContent(),
});
