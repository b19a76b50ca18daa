import { mayHaveSettings, type PageSettings } from '../richtext/page-settings.ts';
import type { PageEntry } from './rows.ts';

/** Returns the settings of a page: the stored ones, or else those in its front matter. */
export async function settingsOf({
  settings,
  frontMatter,
}: Pick<PageEntry, 'settings' | 'frontMatter'>): Promise<PageSettings> {
  return settings ?? (await readSettings(frontMatter)) ?? {};
}

/** Parses the settings in front matter; undefined if it has none. */
export async function readSettings(frontMatter: string | undefined): Promise<PageSettings | undefined> {
  if (frontMatter === undefined || !mayHaveSettings(frontMatter)) return undefined;
  const { readPageText } = await import('../richtext/front-matter.ts');
  return readPageText(frontMatter).settings;
}
