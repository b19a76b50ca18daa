import { Document, isMap, parseDocument } from 'yaml';

/** Fields of front matter by their key; undefined takes one away. */
export type FrontMatterFields = Readonly<Record<string, string | boolean | undefined>>;

/** Front matter with these fields and with all else that it had, comments too; "" where nothing is left. It must have been read before, within limits. */
export function writeFrontMatter(frontMatter: string, fields: FrontMatterFields, newline: string): string {
  const parsed = parseDocument(
    frontMatter
      .trimEnd()
      .split(/\r?\n/)
      .slice(1, -1)
      .map((line) => `${line}\n`)
      .join(''),
    { schema: 'core', uniqueKeys: false },
  );
  const document = isMap(parsed.contents) ? parsed : new Document({});
  const comment = document === parsed ? undefined : (parsed.commentBefore ?? parsed.comment);
  if (comment) document.commentBefore = comment;
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) document.delete(key);
    else document.set(key, value);
  }
  const isEmpty = isMap(document.contents) && document.contents.items.length === 0;
  if (isEmpty && !document.commentBefore && !document.comment) return '';
  const text = isEmpty
    ? `#${(document.commentBefore ?? document.comment)!.replaceAll('\n', '\n#')}\n`
    : document.toString({ lineWidth: 0 });
  return `---\n${text}---\n`.replaceAll('\n', newline);
}
