import type { ContentSource } from '../../../content/content-source.ts';
import { Deferred } from '../../../core/handler.ts';
import type { PageBody } from '../schemas.ts';
import type { PageFlags } from '../shape.ts';

/** Adds the pages that integrations compute, after the transaction. Most contents have none. */
export async function withIntegrationPages<T extends { readonly pages: readonly PageBody[] }>(
  content: ContentSource,
  entries: readonly object[],
  answer: T,
  flags: PageFlags,
): Promise<Deferred<T>> {
  if (flags.computed === false || !entries.some((entry) => 'source' in entry))
    return new Deferred(async () => answer);
  const { computeAll } = await import('./compute-pages.ts');
  return new Deferred(async (services) => ({
    ...answer,
    pages: await computeAll(services, content, answer.pages, { text: flags.text }),
  }));
}

/** Whether an integration computes one of these pages, or of those below them. */
export function hasIntegrationPages(pages: readonly PageBody[]): boolean {
  return pages.some(
    ({ type, computed, pages: below = [] }) =>
      (type === 'computed' && computed?.type.startsWith('integration:') === true) ||
      hasIntegrationPages(below),
  );
}
