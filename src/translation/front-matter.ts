import { readPageText, replaceField } from '../richtext/front-matter.ts';

/** The fields of a page that its front matter may repeat. */
interface PageTitles {
  readonly title: string;
  readonly description?: string | undefined;
}

/** Translates the title and description in front matter, if it has them. All other lines are kept. */
export function translateFrontMatter(frontMatter: string, fields: PageTitles): string {
  const { metadata } = readPageText(frontMatter);
  const wanted = {
    ...(metadata.title === undefined ? {} : { title: fields.title }),
    ...(metadata.description === undefined ? {} : { description: fields.description }),
  };
  let text = frontMatter;
  for (const [field, value] of Object.entries(wanted))
    if (value !== undefined) text = replaceField(text, field, value);
  // Front matter that would not be valid YAML anymore stays untranslated.
  const read = readPageText(text).metadata;
  return JSON.stringify(read) === JSON.stringify({ ...metadata, ...wanted }) ? text : frontMatter;
}
