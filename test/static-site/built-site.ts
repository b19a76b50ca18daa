import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from '../../src/contract/api.ts';
import { buildSite } from '../../src/static-site/build-site.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { OutputFolder } from '../../src/static-site/output-folder.ts';
import { publishedSite, type PublishedSite } from '../publishing/published-site.ts';

/** How a site is built. */
interface BuildSettings {
  readonly claims?: object;
  readonly url?: string;
  readonly maker?: string;
  readonly api?: Api;
}

/** A folder that a site is built into, again and again. */
export interface BuiltSite {
  readonly dir: string;
  readonly build: (settings?: BuildSettings) => Promise<OutputFolder & { rendered: number }>;
  readonly read: (file: string) => string;
  /** The files with hashes of their contents. */
  readonly files: () => Record<string, string>;
}

/** Makes a folder for builds of a published site. */
export function buildFolder(
  { world, site }: Pick<PublishedSite, 'world' | 'site'>,
  dir = newFolder(),
): BuiltSite {
  return {
    dir,
    build: async ({ claims, url, maker = 'test', api = world.as('admin') } = {}) => {
      const folder = new OutputFolder(dir, {
        site: site.siteId,
        maker,
        randomBytes: (count) => Uint8Array.from({ length: count }, (_, at) => at),
      });
      const { rendered } = await buildSite({
        api,
        ...site,
        claims: claims === undefined ? undefined : JSON.stringify(claims),
        address: url,
        folder,
      });
      return Object.assign(folder, { rendered });
    },
    read: (file) => readFileSync(join(dir, file), 'utf8'),
    files: () =>
      Object.fromEntries(
        listFiles(dir).map((file) => [
          file,
          createHash('sha256')
            .update(readFileSync(join(dir, file)))
            .digest('hex'),
        ]),
      ),
  };
}

/** Makes a new folder for a test. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'docsctl-site-'));
}

/** All files below a folder, in order. */
export function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

/** Publishes a site with a section at the path of a page of the default section, which visitors therefore cannot open. */
export async function siteWithCoveredPages(): Promise<PublishedSite> {
  const site = await publishedSite([
    { title: 'Welcome', text: 'Text.' },
    { title: 'Old reference', slug: 'api', text: 'Covered.' },
  ]);
  const into = site.pages.get('Old reference');
  await site.change(
    site.spaceId,
    ['Users', 'More'].map((title) => ({
      operation: 'insert_page',
      title,
      into,
      document: { markdown: 'Covered.' },
    })),
  );
  const spaceId = await site.addSpace('Reference', [
    { title: 'Calls', text: 'Text.' },
    { title: 'Users', text: 'Open.' },
  ]);
  await site.call(addSection, site.site, { body: { spaceId, title: 'API' } });
  return site;
}
