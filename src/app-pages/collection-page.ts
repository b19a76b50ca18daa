import { notFound } from '../errors/problem.ts';
import { empty } from '../render/markup.ts';
import { getCollection, listCollections, listSpacesInCollection } from '../resources/collections/contract.ts';
import { facts, pager, pageQuery, rows, section } from './page-parts.ts';
import { readParent, type PageMaker } from './page-view.ts';
import { organizationTrail } from './trails.ts';

/** Maximum number of collections that are searched for those inside a collection. */
const maxCollections = 1000;

/** The page of a collection: the spaces and collections in it. */
export const collectionPage: PageMaker = async (context, { organizationId = '', collectionId = '' }) => {
  const { api, pageOf, href } = context;
  const trail = await organizationTrail(context, organizationId);
  const params = { collectionId };
  const collection = await api.call(getCollection, { params });
  if (collection.organization !== organizationId) throw notFound('collection', collectionId);
  const parent = await readParent(context, collection);
  const spaces = await api.call(listSpacesInCollection, { params, query: pageQuery(context, 'spaces') });
  const all = await api.call(listCollections, {
    params: { organizationId },
    query: { limit: maxCollections },
  });
  const inside = all.items.filter((one) => one.parent === collectionId);
  return {
    kind: 'Collection',
    title: collection.title,
    trail:
      parent === undefined
        ? trail
        : [...trail, { title: parent.title, href: pageOf(parent.urls.app) ?? href(`/o/${organizationId}`) }],
    body: [
      facts([['Description', collection.description]]),
      inside.length === 0
        ? empty
        : section(
            'Collections',
            rows(
              inside.map(({ title, urls }) => ({ title, href: pageOf(urls.app) })),
              '',
            ),
            inside.length,
          ),
      section(
        'Spaces',
        [
          rows(
            spaces.items.map(({ title, urls }) => ({ title, href: pageOf(urls.app) })),
            'There are no spaces in this collection that you can open.',
          ),
          pager(context, 'spaces', spaces),
        ],
        spaces.count,
      ),
    ],
  };
};
