import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type, Url, type Static } from '../../contract/schema.ts';
import { languages } from '../../contract/shapes.ts';

/** Maximum number of changes in one request. */
const maxOperations = 500;
/** Maximum number of entries of an organization. */
export const maxEntries = 2000;

const Term = Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\n\\r]*$' });
const Translations = Type.Unsafe<Record<string, string>>(
  closed(Object.fromEntries(languages.map((language) => [language, Type.Optional(Term)])), {
    minProperties: 1,
    description: 'the term by the code of its language: {"en": "space", "fr": "espace"}',
  }),
);

/** A term that is translated in the same way everywhere. */
export const GlossaryEntry = closed({
  object: Type.Literal('glossary-entry'),
  id: Id,
  translations: Translations,
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: closed({ location: Url }),
});

/** One change of the glossary. `translations` replaces all translations of an entry. */
export const GlossaryChange = Type.Union([
  closed({ type: Type.Literal('insert'), translations: Translations }),
  closed({ type: Type.Literal('update'), id: Id, translations: Translations }),
  closed({ type: Type.Literal('delete'), id: Id }),
]);
export type GlossaryChange = Static<typeof GlossaryChange>;

export const nounHelp: NounHelp = {
  description: `
The glossary of an organization lists terms with their translations. A translation from English into French uses the
entries with terms in both languages. It also uses the terms in its own instructions, which take precedence. A term
that is the same in both languages is not translated.

When the glossary changes, docsctl runs the affected translations again for all of their pages. An organization can
have up to ${maxEntries} entries.`,
  examples: [
    'docsctl translations glossary update --body glossary.yaml',
    'docsctl translations glossary list',
  ],
};

const columns = ['translations', 'updatedAt', 'id'];

export const listGlossary = operation({
  id: 'translations.glossary.list',
  route: 'GET /orgs/:organizationId/translations-glossary',
  summary: 'List the terms of the glossary',
  description:
    'The oldest entries come first. `orderBy` names a language: entries are then sorted by their terms in this language, and entries without such a term come last.',
  access: 'org.read',
  query: {
    orderBy: Type.Optional(oneOf(languages, { description: 'sort entries by their terms in this language' })),
  },
  returns: listOf(GlossaryEntry),
  cli: {
    columns,
    examples: ['docsctl translations glossary list', 'docsctl translations glossary list --order-by fr'],
  },
});

export const getGlossaryEntry = operation({
  id: 'translations.glossary.get',
  route: 'GET /orgs/:organizationId/translations-glossary/:glossaryEntryId',
  summary: 'Show a term of the glossary',
  access: 'org.read',
  returns: ok(GlossaryEntry),
  cli: { columns, examples: ['docsctl translations glossary get gls_1'] },
});

export const updateGlossary = operation({
  id: 'translations.glossary.update',
  route: 'PUT /orgs/:organizationId/translations-glossary',
  summary: 'Insert, change and delete terms of the glossary',
  description: `Applies up to ${maxOperations} operations in the given order. If one is refused, none is applied. \`translations\` contains the term in each language, by the code of the language. The translations of an \`update\` replace all translations of the entry.`,
  access: 'org.create',
  body: closed({
    operations: Type.Array(GlossaryChange, {
      minItems: 1,
      maxItems: maxOperations,
      description: 'what to insert, change and delete',
    }),
  }),
  returns: noContent(),
  cli: {
    flags: [
      {
        name: 'delete',
        value: 'entry',
        summary: 'delete this entry, by ID',
        template: { operations: [{ type: 'delete', id: '$' }] },
        repeatable: true,
      },
    ],
    examples: [
      'docsctl translations glossary update --body glossary.yaml',
      'docsctl translations glossary update --operations \'{"type":"insert","translations":{"en":"page","fr":"page"}}\'',
      'docsctl translations glossary update --delete gls_1',
    ],
  },
});
