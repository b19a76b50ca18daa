import type { Static } from '../../contract/schema.ts';
import {
  createCollection,
  deleteCollection,
  listCollections,
  moveCollection,
  updateCollection,
  type Collection,
} from '../../resources/collections/contract.ts';
import { kind } from '../kind.ts';
import { bodyOf, referenceOrNone } from './fields.ts';

const body = bodyOf(updateCollection);

/** A group of spaces; collections lie in each other. */
export const collection = kind<Static<typeof Collection>>({
  name: 'collection',
  slots: [{ field: 'collections', as: 'map' }],
  keys: [['title', 'parent']],
  fields: {
    title: { shape: body.title, create: 'also', default: 'Untitled' },
    description: { shape: body.description, default: '', read: ({ description }) => description ?? '' },
    parent: { shape: referenceOrNone, refersTo: 'collection', create: 'also', call: 'move', default: null },
    defaultLevel: { shape: body.defaultLevel, default: null },
  },
  list: (backend) => backend.all(listCollections, { params: { organizationId: backend.organization } }),
  create: (backend, _, fields) =>
    backend.call(createCollection, { params: { organizationId: backend.organization }, body: fields }),
  calls: {
    move: {
      send: (backend, { id }, fields) =>
        backend.call(moveCollection, { params: { collectionId: id }, body: fields }),
    },
    update: {
      send: (backend, { id }, fields) =>
        backend.call(updateCollection, { params: { collectionId: id }, body: fields }),
    },
  },
  remove: (backend, { id }) => backend.call(deleteCollection, { params: { collectionId: id } }),
});
