import { operationsIn, type OperationAt } from './read-specification.ts';
import { isRecord } from '../contract/values.ts';

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: (OperationAt & { readonly isWebhook?: true })[];
}

/** Pages computed from a specification, as a folder of Markdown: an overview, a page for each tag with its operations, and one with the webhooks. Paths → texts. */
export function specificationPages(value: Record<string, unknown>, slug: string): Map<string, string> {
  const info = isRecord(value['info']) ? value['info'] : {};
  const title = textOf(info['title']) || slug;
  const groups = groupsOf(value);
  const paths = new Map<Group, string>();
  for (const group of groups) paths.set(group, freePath(group.name, new Set(paths.values())));
  const pages = new Map<string, string>();
  pages.set(
    'SUMMARY.md',
    [
      '# Table of contents',
      '',
      `* [${linkText(title)}](README.md)`,
      ...groups.map((group) => `* [${linkText(group.name)}](${paths.get(group)!})`),
      '',
    ].join('\n'),
  );
  pages.set('README.md', overview(title, info, value, groups, paths));
  for (const group of groups) pages.set(paths.get(group)!, pageOf(group, slug));
  return pages;
}

/** Operations by their first tag, tags in the order in which the specification lists them; webhooks together, whatever their tags. */
function groupsOf(value: Record<string, unknown>): Group[] {
  const listed = Array.isArray(value['tags']) ? value['tags'].filter(isRecord) : [];
  const groups = new Map<string, Group>(
    listed.map((tag) => [
      textOf(tag['name']),
      { name: textOf(tag['name']), description: textOf(tag['description']), operations: [] },
    ]),
  );
  const add = (name: string, found: Group['operations'][number]): void => {
    const group = groups.get(name) ?? { name, description: '', operations: [] };
    groups.set(name, group);
    group.operations.push(found);
  };
  for (const found of operationsIn(value)) {
    const tags = found.operation['tags'];
    const name = (Array.isArray(tags) ? textOf(tags[0]) : '') || 'Operations';
    add(name, found);
  }
  for (const found of operationsIn(value, 'webhooks')) add('Webhooks', { ...found, isWebhook: true });
  return [...groups.values()].filter(({ operations }) => operations.length > 0);
}

function overview(
  title: string,
  info: Record<string, unknown>,
  value: Record<string, unknown>,
  groups: readonly Group[],
  paths: ReadonlyMap<Group, string>,
): string {
  const servers = Array.isArray(value['servers'])
    ? value['servers'].filter(isRecord).map(({ url }) => textOf(url))
    : serversOfSwagger(value);
  return [
    `# ${line(title)}`,
    '',
    ...(textOf(info['version']) === '' ? [] : [`Version ${line(textOf(info['version']))}`, '']),
    ...(textOf(info['description']) === '' ? [] : [safeMarkdown(textOf(info['description'])), '']),
    ...(servers.length === 0 ? [] : [...servers.map((url) => `* \`${line(url).replaceAll('`', '')}\``), '']),
    ...groups.map((group) => `* [${linkText(group.name)}](${paths.get(group)!}): ${countOf(group)}`),
    '',
  ].join('\n');
}

function countOf({ operations }: Group): string {
  const word = operations.every(({ isWebhook }) => isWebhook) ? 'webhook' : 'operation';
  return `${operations.length} ${word}${operations.length === 1 ? '' : 's'}`;
}

/** Swagger 2.0 tells its servers in parts. */
function serversOfSwagger({ host, basePath, schemes }: Record<string, unknown>): string[] {
  if (textOf(host) === '') return [];
  const each =
    Array.isArray(schemes) && schemes.length > 0 ? schemes.map((scheme) => `${textOf(scheme)}:`) : [''];
  return each.map((scheme) => `${scheme}//${textOf(host)}${textOf(basePath)}`);
}

function pageOf({ name, description, operations }: Group, slug: string): string {
  const parts = operations.map(({ path, method, operation, isWebhook }) => {
    const tag = isWebhook ? 'openapi-webhook' : 'openapi-operation';
    const heading = line(
      textOf(operation['summary']) ||
        textOf(operation['operationId']) ||
        (isWebhook ? path : `${method.toUpperCase()} ${path}`),
    );
    const deprecated =
      operation['deprecated'] === true
        ? ['{% hint style="warning" %}', 'Deprecated.', '{% endhint %}', '']
        : [];
    return [
      `## ${heading}`,
      '',
      ...deprecated,
      ...(textOf(operation['description']) === ''
        ? []
        : [safeMarkdown(textOf(operation['description'])), '']),
      `{% ${tag} spec="${slug}" ${isWebhook ? 'name' : 'path'}="${line(path).replaceAll('"', '%22').replaceAll('%}', '%25}')}" method="${method}" %}`,
      `\`${method.toUpperCase()} ${line(path).replaceAll('`', '')}\``,
      `{% end${tag} %}`,
    ].join('\n');
  });
  return [
    `# ${line(name)}`,
    '',
    ...(description === '' ? [] : [safeMarkdown(description), '']),
    parts.join('\n\n'),
    '',
  ].join('\n');
}

function freePath(name: string, taken: ReadonlySet<string>): string {
  const stem = name.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60).replace(/^-+|-+$/g, '') || 'operations'; // prettier-ignore
  for (let number = 1; ; number++) {
    const path = `${/^(readme|summary|con|prn|aux|nul|com\d|lpt\d)$/.test(stem) ? `${stem}-tag` : stem}${number === 1 ? '' : `-${number}`}.md`;
    if (!taken.has(path)) return path;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** One line of words that are no tags. */
function line(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('{%', '{ %').trim();
}

function linkText(text: string): string {
  return line(text).replace(/[[\]\\]/g, '\\$&');
}

/** Descriptions are Markdown; headings in them go below those of the page. */
function safeMarkdown(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replace(/^(#{1,4})(?= )/gm, '##$1').replaceAll('{%', '{ %'); // prettier-ignore
}
