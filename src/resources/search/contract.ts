import { limitOf, listOf, operation } from '../../contract/operation.ts';
import { closed, Id, Type, Url } from '../../contract/schema.ts';

const appUrl = closed({ app: Url });

/** A page that matches a search, with its matching sections. */
export const SearchedPage = closed({
  id: Id,
  title: Type.String(),
  path: Type.String(),
  sections: Type.Array(
    closed({
      id: Type.String(),
      title: Type.String(),
      path: Type.String(),
      body: Type.String(),
      urls: appUrl,
    }),
  ),
  ancestors: Type.Array(closed({ title: Type.String() })),
  urls: appUrl,
});

export const SearchedSpace = closed({ id: Id, title: Type.String(), pages: Type.Array(SearchedPage) });

export const searchOrganization = operation({
  id: 'search',
  route: 'GET /orgs/:organizationId/search',
  summary: 'Search the pages of all spaces of an organization',
  description:
    'Searches the titles and text of pages, not those in change requests. If no page contains all the words, pages with some of them are listed. Words in double quotes must follow each other. A question such as "How do I install it?" is a search for "install". Only spaces that you may read are searched. Up to 10 matching pages of each space are returned. `docsctl spaces search` lists all matching pages of one space.',
  access: 'org.member',
  query: {
    query: Type.String({ minLength: 1, maxLength: 512, description: 'words to search for' }),
    limit: limitOf('spaces'),
  },
  returns: listOf(SearchedSpace),
  cli: {
    columns: ['title'],
    positional: ['query'],
    examples: ['docsctl search api key', `docsctl search '"api key"' -o json`],
  },
});
