import { mayHaveSettings, type PageSettings } from '../richtext/page-settings.ts';
import type { PageEntry } from './rows.ts';

/** The settings of a page: those that are stored, else those that its front matter has. */
export async function settingsOf({
  settings,
  frontMatter,
}: Pick<PageEntry, 'settings' | 'frontMatter'>): Promise<PageSettings> {
  return settings ?? (await readSettings(frontMatter)) ?? {};
}

/** Reads the settings in front matter; undefined where it has no field of them. */
export async function readSettings(frontMatter: string | undefined): Promise<PageSettings | undefined> {
  if (frontMatter === undefined || !mayHaveSettings(frontMatter)) return undefined;
  const { readPageText } = await import('../richtext/front-matter.ts');
  return readPageText(frontMatter).settings;
}
