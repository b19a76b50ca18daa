import type { Static } from '../../contract/schema.ts';
import {
  createSpace,
  daysToRestore,
  deleteSpace,
  listSpaces,
  moveSpace,
  restoreSpace,
  updateSpace,
  type Space,
  getSpace,
} from '../../resources/spaces/contract.ts';
import { kind } from '../kind.ts';
import { accessCall, accessField } from './access.ts';
import { callFor, create, listAll, referenceOrNone, remove, update } from './fields.ts';
import { gitSyncCall, gitSyncField } from './git-sync.ts';
import { mergeRulesField } from './merge-rules.ts';

const body = updateSpace.body.properties;

/** A container of pages. */
export const space = kind<Static<typeof Space>>({
  name: 'space',
  description: 'A container of pages. A deleted space can be restored for 7 days.',
  example: `
collections:
  product: { title: Product }
spaces:
  guide:
    title: Guide
    emoji: "📘"
    parent: !ref collection.product
    mergeRules: { require_at_least_one_review: true }
    content: { dir: content/guide }
`,
  slots: [{ field: 'spaces', as: 'map' }],
  keys: [['title', 'parent'], ['title']],
  fields: {
    title: { schema: body.title, create: 'also', default: 'Untitled' },
    emoji: {
      schema: body.emoji,
      create: 'also',
      default: null,
      read: ({ emoji }) => (emoji === '' ? null : emoji),
    },
    icon: { schema: body.icon, default: null },
    parent: {
      schema: referenceOrNone('collection that contains the space; null: none'),
      refersTo: 'collection',
      create: 'also',
      call: 'move',
      default: null,
    },
    language: { schema: body.language, create: 'also' },
    editMode: { schema: body.editMode, create: 'also', default: 'live' },
    defaultLevel: { schema: body.defaultLevel, default: null },
    mergeRules: mergeRulesField('inherit'),
    access: accessField(),
    gitSync: gitSyncField(),
  },
  external: ['content'],
  check: (stated, fault) => {
    if ((stated.get('emoji') ?? null) !== null && (stated.get('icon') ?? null) !== null)
      fault('icon', 'a space cannot have both an emoji and an icon; remove one of the two');
  },
  list: listAll(listSpaces),
  create: create(createSpace),
  calls: {
    move: update(moveSpace),
    update: update(updateSpace, getSpace),
    access: accessCall,
    gitSync: gitSyncCall,
  },
  restoreHint: (id) =>
    `If it was deleted less than ${daysToRestore} days ago, bring it back with its content: \`docsctl spaces restore ${id}\``,
  restore: (backend, at) => callFor(backend, restoreSpace, at),
  remove: remove(deleteSpace),
});
