import type { Static } from '../../contract/schema.ts';
import {
  createCollection,
  deleteCollection,
  listCollections,
  moveCollection,
  updateCollection,
  type Collection,
  getCollection,
} from '../../resources/collections/contract.ts';
import { kind } from '../kind.ts';
import { accessCall, accessField } from './access.ts';
import { create, listAll, referenceOrNone, remove, update } from './fields.ts';

const body = updateCollection.body.properties;

/** A collection of spaces and of other collections. */
export const collection = kind<Static<typeof Collection>>({
  name: 'collection',
  description: 'A group of spaces and of other collections.',
  example: `
teams:
  writers: { title: Writers }
collections:
  product:
    title: Product
    description: What we sell
    access: [{ team: !ref team.writers, role: edit }]
  archive: { title: Archive, parent: !ref collection.product, defaultLevel: read }
`,
  slots: [{ field: 'collections', as: 'map' }],
  keys: [['title', 'parent'], ['title']],
  fields: {
    title: { schema: body.title, create: 'also', default: 'Untitled' },
    description: { schema: body.description, default: '', read: ({ description }) => description ?? '' },
    parent: {
      schema: referenceOrNone('collection that contains this one; null: none'),
      refersTo: 'collection',
      create: 'also',
      call: 'move',
      default: null,
    },
    defaultLevel: { schema: body.defaultLevel, default: null },
    access: accessField(),
  },
  list: listAll(listCollections),
  create: create(createCollection),
  calls: {
    move: update(moveCollection),
    update: update(updateCollection, getCollection),
    access: accessCall,
  },
  remove: remove(deleteCollection),
});
