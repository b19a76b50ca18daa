import { Problem } from '../errors/problem.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import type { UpdatePageChange } from '../content/changes.ts';
import { firstHeading, readText, withFirstHeading } from '../content/page-text.ts';

/** The properties of a page that are compared in addition to its text and place. */
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

/** Returns the text of a page for people to read or edit, with the current fields in its front matter. */
export async function currentText(page: PageBody): Promise<string> {
  const { frontMatter, markdown = '' } = page;
  if (frontMatter === undefined) return markdown;
  return (await import('../richtext/front-matter.ts')).updateFields(frontMatter, page) + markdown;
}

/** Whether the text of a page starts with its title. Sites then show the title once. */
function beginsWithTitle({ markdown = '', title }: PageBody): boolean {
  return firstHeading(markdown) === title;
}

/** Returns the change that sets the title of a page. If the text starts with a heading with the old title, it is changed too. */
export function changeTitle(page: PageBody, title: string): UpdatePageChange {
  const change: UpdatePageChange = { operation: 'update_page', page: page.id, title };
  return title !== page.title && beginsWithTitle(page)
    ? { ...change, document: { markdown: withFirstHeading(page.markdown ?? '', title) } }
    : change;
}

/**
 * Returns the change that sets the text of a page including front matter. Fields that are missing in the front matter are
 * cleared. If the text started with the title, its new first heading becomes the title, as when a folder is imported.
 */
export async function changeWholeText(page: PageBody, text: string): Promise<UpdatePageChange> {
  const { heading, metadata: given } = await readText(text);
  const isRenamed =
    heading !== undefined && heading !== page.title && given.title === undefined && beginsWithTitle(page);
  const change: UpdatePageChange = {
    operation: 'update_page',
    page: page.id,
    document: { markdown: text },
    ...(isRenamed && { title: heading }),
  };
  if (page.frontMatter === undefined && !/^\uFEFF?---/.test(text)) return change;
  const { readPageText } = await import('../richtext/front-matter.ts');
  const { frontMatter, metadata, problem, noEmoji } = readPageText(text);
  if (problem !== undefined && page.frontMatter !== undefined)
    throw new Problem('invalid-input', `The front matter cannot be read. ${problem}`);
  if (noEmoji !== undefined && noEmoji !== readPageText(page.frontMatter ?? '').noEmoji)
    throw new Problem('invalid-input', `"${noEmoji}" in the front matter is not an emoji.`, {
      hint: 'Write one emoji, such as 📘, or its code point, such as 1f4d8.',
    });
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
