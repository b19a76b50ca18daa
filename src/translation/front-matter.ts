import { isMap, isScalar, parseDocument, stringify } from 'yaml';
import { readPageText } from '../richtext/front-matter.ts';

/** The words of a page that its front matter may say as well. */
export interface SpokenFields {
  readonly title: string;
  readonly description?: string | undefined;
}

/** Front matter with these words where it has words of its own; all else stays as it was written, line by line. */
export function translateFrontMatter(frontMatter: string, fields: SpokenFields): string {
  const { metadata } = readPageText(frontMatter);
  const wanted = {
    ...(metadata.title === undefined ? {} : { title: fields.title }),
    ...(metadata.description === undefined ? {} : { description: fields.description }),
  };
  let text = frontMatter;
  for (const [key, value] of Object.entries(wanted))
    if (value !== undefined) text = withValue(text, key, value);
  // What YAML would read in another way stays as it was.
  const read = readPageText(text).metadata;
  return JSON.stringify(read) === JSON.stringify({ ...metadata, ...wanted }) ? text : frontMatter;
}

function withValue(frontMatter: string, key: string, value: string): string {
  const start = frontMatter.indexOf('\n') + 1;
  const end = frontMatter.trimEnd().lastIndexOf('\n') + 1;
  const yaml = frontMatter.slice(start, end);
  const { contents } = parseDocument(yaml, { schema: 'core', uniqueKeys: false });
  // Of a key that is there twice the last one counts.
  const node = isMap(contents)
    ? contents.items.findLast((item) => isScalar(item.key) && item.key.value === key)?.value
    : undefined;
  if (!isScalar(node) || !node.range) return frontMatter;
  const [from, to] = node.range;
  const plain = stringify(value, { lineWidth: 0 }).trimEnd();
  const written = plain.includes('\n') ? JSON.stringify(value) : plain;
  const lineEnd = /\r?\n$/.exec(yaml.slice(from, to))?.[0] ?? '';
  return (
    frontMatter.slice(0, start) +
    yaml.slice(0, from) +
    written +
    lineEnd +
    yaml.slice(to) +
    frontMatter.slice(end)
  );
}
