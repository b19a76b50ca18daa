import type { Static } from '../../../contract/schema.ts';
import type { IntegrationSource } from '../../../content/computed-source.ts';
import { revisionOf, type ContentSource } from '../../../content/content-source.ts';
import { readPages } from '../../../content/revisions.ts';
import type { Services } from '../../../core/handler.ts';
import { hasContentSources } from '../../integration-events/content-sources.ts';
import type { File } from '../schemas.ts';
import { downloadUrl } from '../shape.ts';
import { computedFileId } from './file-references.ts';
import { PageComputer } from './page-computer.ts';

/** A page that an integration replaces by computed pages and files. */
interface SourcePage {
  readonly id: string;
  readonly source: IntegrationSource;
}

/** A file that an integration computed, and the address of its bytes. */
export interface ComputedFile {
  readonly file: Static<typeof File>;
  readonly address: string;
}

/** Lists the pages of a content that integrations replace. Most contents have none. */
export async function listSourcePages(content: ContentSource): Promise<SourcePage[]> {
  if (!(await hasContentSources(content.tx, content.space.organization))) return [];
  const pages = await readPages(content.tx, revisionOf(content));
  return pages.flatMap(({ id, source }) => (source === undefined ? [] : [{ id, source }]));
}

/** Computes the files of these pages. Leaves out the files of sources that fail. */
export async function computeFiles(
  services: Services,
  content: ContentSource,
  pages: readonly SourcePage[],
): Promise<ComputedFile[]> {
  const computer = new PageComputer(services, content.space);
  const found: ComputedFile[] = [];
  for (const { id, source } of pages)
    for (const answered of (await computer.revision(source))?.files ?? []) {
      const { key: _, downloadURL: address, ...file } = answered;
      const own = computedFileId(id, answered);
      found.push({ file: { id: own, ...file, downloadURL: downloadUrl(content, own) }, address });
    }
  return found;
}
