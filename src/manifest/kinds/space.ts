import type { Static } from '../../contract/schema.ts';
import {
  createSpace,
  deleteSpace,
  listSpaces,
  moveSpace,
  restoreSpace,
  updateSpace,
  type Space,
} from '../../resources/spaces/contract.ts';
import { kind } from '../kind.ts';
import { bodyOf, referenceOrNone } from './fields.ts';
import { mergeRulesField } from './merge-rules.ts';

const body = bodyOf(updateSpace);

/** A container of pages. */
export const space = kind<Static<typeof Space>>({
  name: 'space',
  slots: [{ field: 'spaces', as: 'map' }],
  keys: [['title', 'parent']],
  fields: {
    title: { shape: body.title, create: 'also', default: 'Untitled' },
    emoji: {
      shape: body.emoji,
      create: 'also',
      default: null,
      read: ({ emoji }) => (emoji === '' ? null : emoji),
    },
    icon: { shape: body.icon, default: null },
    parent: { shape: referenceOrNone, refersTo: 'collection', create: 'also', call: 'move', default: null },
    language: { shape: body.language, create: 'also' },
    editMode: { shape: body.editMode, create: 'also', default: 'live' },
    defaultLevel: { shape: body.defaultLevel, default: null },
    mergeRules: mergeRulesField('inherit'),
  },
  check: (stated, fault) => {
    if ((stated.get('emoji') ?? null) !== null && (stated.get('icon') ?? null) !== null)
      fault('icon', 'a space has an emoji or an icon, not both; leave one of the two out');
  },
  list: (backend) => backend.all(listSpaces, { params: { organizationId: backend.organization } }),
  create: (backend, _, fields) =>
    backend.call(createSpace, { params: { organizationId: backend.organization }, body: fields }),
  calls: {
    move: {
      send: (backend, { id }, fields) => backend.call(moveSpace, { params: { spaceId: id }, body: fields }),
    },
    update: {
      send: (backend, { id }, fields) => backend.call(updateSpace, { params: { spaceId: id }, body: fields }),
    },
  },
  restore: (backend, { id }) => backend.call(restoreSpace, { params: { spaceId: id } }),
  remove: (backend, { id }) => backend.call(deleteSpace, { params: { spaceId: id } }),
});
