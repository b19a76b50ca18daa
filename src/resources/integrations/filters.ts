import type { Static, TObject } from '../../contract/schema.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import type { Integration, integrationFilters } from './contract.ts';
import { isVerified } from './rules.ts';

/** Whether the name or the title of an integration contains a text, ignoring case. Every integration matches an empty text. */
export function matchesSearch({ id, looks }: IntegrationRow, search = ''): boolean {
  const text = search.toLowerCase();
  const { title = '' } = looks as { title?: string };
  return [id, title].some((name) => name.toLowerCase().includes(text));
}

type Looks = Partial<Pick<Static<typeof Integration>, 'categories' | 'blocks' | 'contentSources'>>;

/** Whether an integration passes all filters of a list. */
export function matchesFilters(
  row: IntegrationRow,
  query: Static<TObject<typeof integrationFilters>>,
): boolean {
  const { organization, scopes, target, looks } = row;
  const { category, blockDomain, owner, scope } = query;
  const { categories = [], blocks = [], contentSources = [] } = looks as Looks;
  return (
    matchesSearch(row, query.search) &&
    (category === undefined || categories.includes(category)) &&
    (blockDomain === undefined ||
      blocks.some(({ urlUnfurl = [] }) => urlUnfurl.some((url) => matchesDomain(url, blockDomain)))) &&
    (query.blocks === undefined || blocks.length > 0 === query.blocks) &&
    (query.contentSources === undefined || contentSources.length > 0 === query.contentSources) &&
    (owner === undefined || organization === owner) &&
    (scope === undefined || scopes.includes(scope)) &&
    (query.target === undefined || target === query.target) &&
    (query.verified === undefined || isVerified(row) === query.verified)
  );
}

/** Whether a domain matches a link pattern that starts with a host (`https://*.example.com/**`, `example.com/boards`). */
function matchesDomain(pattern: string, domain: string): boolean {
  const host = /^(?:[a-z]+:\/\/)?(?:\*\.)?([^/:]+)/i.exec(pattern)?.[1]?.toLowerCase() ?? '';
  const wanted = domain.toLowerCase();
  return host === wanted || wanted.endsWith(`.${host}`);
}
