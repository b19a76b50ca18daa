import type { Static } from '../../contract/schema.ts';
import type { RichDocumentValue } from '../../contract/shapes.ts';
import {
  createTranslation,
  deleteTranslation,
  listTranslations,
  updateTranslation,
  type Translation,
} from '../../resources/translations/contract.ts';
import { kind } from '../kind.ts';
import type { MapShape } from '../read/shape.ts';
import { bodyOf, reference } from './fields.ts';
import { markdownField } from './markdown.ts';

const body = bodyOf(createTranslation);
const source = body.source as MapShape;
type Source = Static<typeof Translation>['source'];

/** A space kept in another language; what it is of and into which language is settled when it is made. */
export const translation = kind<Static<typeof Translation>>({
  name: 'translation',
  slots: [{ field: 'translations', as: 'map' }],
  keys: [['source', 'language']],
  fields: {
    source: {
      shape: { ...source, fields: { ...source.fields, space: reference } },
      refersTo: 'space',
      create: 'only',
      required: true,
      // The order of the fields is that of the index of keys.
      read: ({ source: from }) => inOrder(from),
      normalize: (value) => inOrder(value as Source),
    },
    language: { shape: body.language, create: 'only', required: true },
    instructions: markdownField(({ instructions }) => instructions, { create: 'also' }),
  },
  list: (backend) => backend.all(listTranslations, { params: { organizationId: backend.organization } }),
  create: (backend, _, fields) =>
    backend.call(createTranslation, {
      params: { organizationId: backend.organization },
      body: fields as never,
    }),
  calls: {
    update: {
      send: (backend, { id }, { instructions }) =>
        backend.call(updateTranslation, {
          params: { organizationId: backend.organization, translationId: id },
          body: { instructions: instructions as RichDocumentValue },
        }),
    },
  },
  remove: (backend, { id }) =>
    backend.call(deleteTranslation, { params: { organizationId: backend.organization, translationId: id } }),
});

function inOrder({ space, language }: Source): Source {
  return { space, language };
}
