import { Problem } from '../errors/problem.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import type { UpdatePageChange } from '../content/changes.ts';

/** The properties of a page that are compared besides its text and place. */
export const comparedFields = [
  'title',
  'linkTitle',
  'type',
  'slug',
  'description',
  'emoji',
  'icon',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'href',
] as const;

/** Returns the front matter and text of a page. */
export function wholeText({
  frontMatter = '',
  markdown = '',
}: Pick<PageBody, 'frontMatter' | 'markdown'>): string {
  return frontMatter + markdown;
}

/** Makes the change that gives a page a text with front matter. Fields that are no longer in the front matter are cleared. */
export async function changeWholeText(page: PageBody, text: string): Promise<UpdatePageChange> {
  const change: UpdatePageChange = { operation: 'update_page', page: page.id, document: { markdown: text } };
  if (page.frontMatter === undefined && !/^\uFEFF?---/.test(text)) return change;
  const { readPageText } = await import('../richtext/front-matter.ts');
  const { frontMatter, metadata, problem } = readPageText(text);
  if (problem !== undefined && page.frontMatter !== undefined)
    throw new Problem('invalid-input', `The front matter cannot be read. ${problem}`);
  if (page.frontMatter === undefined) return change;
  const before = readPageText(page.frontMatter).metadata;
  const gone = (
    ['description', 'icon', 'emoji', 'condition', 'hidden', 'noIndex', 'noRobotsIndex'] as const
  ).filter((name) => before[name] !== undefined && metadata[name] === undefined);
  const cleared = Object.fromEntries(
    gone.map((name) => [name, typeof before[name] === 'boolean' ? false : '']),
  );
  return { ...change, ...cleared, ...(frontMatter === '' ? { whole: true } : {}) };
}
