import type { Handler } from '../../core/handler.ts';
import { pageOfArray } from '../../core/listing.ts';
import { checkWords } from '../../content/follow-words.ts';
import type * as contract from '../spaces/contract.ts';
import { findPages, shapeFound } from './find-pages.ts';
import { Finder } from './snippet.ts';

/** Searches the current content of one space. */
export const searchSpace: Handler<typeof contract.searchSpace> = async (context, { query }) => {
  const { tx, space } = context;
  checkWords([space]);
  const { items, ...page } = pageOfArray(await findPages(tx, [space.id], query.query), query);
  return { ...page, items: await shapeFound(context, space, items, new Finder(query.query)) };
};
