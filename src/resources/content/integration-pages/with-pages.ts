import type { ContentSource } from '../../../content/content-source.ts';
import { Deferred } from '../../../core/handler.ts';
import type { Static } from '../../../contract/schema.ts';
import type { File, PageBody } from '../schemas.ts';
import type { PageFlags } from '../shape.ts';

/** Adds the pages that integrations compute, after the transaction. Most contents have none. */
export async function withIntegrationPages<
  T extends { pages: readonly PageBody[]; files?: readonly Static<typeof File>[] },
>(content: ContentSource, entries: readonly object[], answer: T, flags: PageFlags): Promise<Deferred<T>> {
  if (flags.computed === false || !entries.some((entry) => 'source' in entry))
    return new Deferred(async () => answer);
  const { computeAll } = await import('./compute-pages.ts');
  const { computeFiles, listSourcePages } = await import('./compute-files.ts');
  const sources = answer.files === undefined ? [] : await listSourcePages(content);
  return new Deferred(async (services) => {
    const pages = await computeAll(services, content, answer.pages, { text: flags.text });
    if (answer.files === undefined) return { ...answer, pages };
    const computed = await computeFiles(services, content, sources);
    return { ...answer, pages, files: [...answer.files, ...computed.map(({ file }) => file)] };
  });
}

/** Whether an integration computes one of these pages or of their descendants. */
export function hasIntegrationPages(pages: readonly PageBody[]): boolean {
  return pages.some(
    ({ type, computed, pages: below = [] }) =>
      (type === 'computed' && computed?.type.startsWith('integration:') === true) ||
      hasIntegrationPages(below),
  );
}
