import { closed, type Static } from '../../contract/schema.ts';
import {
  createTranslation,
  deleteTranslation,
  listTranslations,
  updateTranslation,
  type Translation,
  getTranslation,
} from '../../resources/translations/contract.ts';
import { kind } from '../kind.ts';
import { create, listAll, reference, remove, update } from './fields.ts';
import { markdownField } from './markdown.ts';

const body = createTranslation.body.properties;
type Source = Static<typeof Translation>['source'];

/** A space in another language. Its source and its language cannot be changed later. */
export const translation = kind<Static<typeof Translation>>({
  name: 'translation',
  description:
    'A copy of a space in another language, kept up to date. Its source and its language cannot be changed later.',
  example: `
spaces:
  guide: { title: Guide }
translations:
  french:
    source: { space: !ref space.guide, language: en }
    language: fr
    instructions: Keep product names in English.
`,
  slots: [{ field: 'translations', as: 'map' }],
  keys: [['source', 'language']],
  fields: {
    source: {
      schema: closed(
        { ...body.source.properties, space: reference('space to translate') },
        { description: 'what is translated: the space and its language' },
      ),
      refersTo: 'space',
      create: 'only',
      required: true,
      // The index for keys depends on the order of the fields.
      read: ({ source: from }) => inOrder(from),
      normalize: (value) => inOrder(value as Source),
    },
    language: { schema: body.language, create: 'only', required: true },
    instructions: markdownField(
      'instructions for the translator, as Markdown; null: none',
      ({ instructions }) => instructions,
      { create: 'also' },
    ),
  },
  check: (stated, fault) => {
    const from = stated.get('source') as Source | undefined;
    if (from !== undefined && from.language === stated.get('language'))
      fault('language', 'the target language is the same as the language of the source');
  },
  list: listAll(listTranslations),
  create: create(createTranslation),
  calls: { update: update(updateTranslation, getTranslation) },
  remove: remove(deleteTranslation),
});

function inOrder({ space, language }: Source): Source {
  return { space, language };
}
