import { listOrganizations } from '../resources/organizations/contract.ts';
import { pager, pageQuery, rows, section } from './page-parts.ts';
import type { PageMaker } from './page-view.ts';

/** The page with the organizations of the member. */
export const homePage: PageMaker = async (context) => {
  const organizations = await context.api.call(listOrganizations, {
    query: pageQuery(context, 'organizations'),
  });
  return {
    kind: 'docsctl',
    title: 'Your organizations',
    trail: [],
    body: section(
      'Organizations',
      [
        rows(
          organizations.items.map(({ title, urls }) => ({ title, href: context.pageOf(urls.app) })),
          'You are not a member of any organization.',
        ),
        pager(context, 'organizations', organizations),
      ],
      organizations.count,
    ),
  };
};
