import type { Static } from '../../contract/schema.ts';
import { pageOfArray, type Page, type PageQuery } from '../../core/listing.ts';
import type { IntegrationRow } from '../../core/rows/integrations.ts';
import type { Integration } from './contract.ts';
import { matchesSearch } from './filters.ts';
import { shapeIntegration } from './shape.ts';

/** Returns one page of the integrations of a space or site that match the search of the query. */
export async function pageOfInstalled(
  context: Parameters<typeof shapeIntegration>[0],
  installed: readonly { integration: IntegrationRow }[],
  query: PageQuery & { search?: string },
): Promise<Page<Static<typeof Integration>>> {
  const rows = installed
    .map(({ integration }) => integration)
    .filter((row) => matchesSearch(row, query.search));
  const page = pageOfArray(rows, query);
  return { ...page, items: await Promise.all(page.items.map((row) => shapeIntegration(context, row))) };
}
