import type { Static } from '../../contract/schema.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import type { Integration, listIntegrations } from './contract.ts';

type Looks = Partial<Pick<Static<typeof Integration>, 'title' | 'categories' | 'blocks' | 'contentSources'>>;

/** Whether an integration is one that a list was asked for. */
export function isWanted(
  { id, organization, scopes, target, looks }: IntegrationRow,
  query: Static<(typeof listIntegrations)['query']>,
): boolean {
  const { title = '', categories = [], blocks = [], contentSources = [] } = looks as Looks;
  const search = query.search?.toLowerCase();
  return (
    (search === undefined || id.toLowerCase().includes(search) || title.toLowerCase().includes(search)) &&
    (query.category === undefined || categories.includes(query.category)) &&
    (query.blockDomain === undefined ||
      blocks.some(({ urlUnfurl = [] }) => urlUnfurl.some((url) => isOfDomain(url, query.blockDomain!)))) &&
    (query.blocks === undefined || blocks.length > 0 === query.blocks) &&
    (query.contentSources === undefined || contentSources.length > 0 === query.contentSources) &&
    (query.owner === undefined || organization === query.owner) &&
    (query.scope === undefined || scopes.includes(query.scope)) &&
    (query.target === undefined || target === query.target)
  );
}

/** Patterns of links begin with a host: `https://*.example.com/**`, or `example.com/boards`. */
function isOfDomain(pattern: string, domain: string): boolean {
  const host = /^(?:[a-z]+:\/\/)?(?:\*\.)?([^/:]+)/i.exec(pattern)?.[1]?.toLowerCase() ?? '';
  const wanted = domain.toLowerCase();
  return host === wanted || wanted.endsWith(`.${host}`);
}
