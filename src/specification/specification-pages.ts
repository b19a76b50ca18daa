import { getOrInsert, isRecord, plural, recordOf, truncate } from '../contract/values.ts';
import { belowHeadings } from './describe-block.ts';
import { describeOperation } from './describe-operation.ts';
import { splitPage } from './split-page.ts';
import { headingText, listOperations, oneLine, toText, type OperationEntry } from './specification-tree.ts';

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: (OperationEntry & { readonly isWebhook?: true })[];
}

interface Page extends Group {
  /** The operations as Markdown. */
  readonly parts: readonly string[];
}

/**
 * Renders a valid specification as a folder of Markdown: an overview, a page for each tag with its operations, and one for
 * the webhooks. Returns the texts by their paths.
 */
export function renderPages(value: Record<string, unknown>, slug: string): Map<string, string> {
  const title = textOf(recordOf(value['info'])['title']) || slug;
  const groups = new Map<string, Page>();
  for (const group of groupOperations(value).flatMap((each) => splitGroup(value, each, slug)))
    groups.set(choosePath(group.name, groups), group);
  const links = [...groups].map(([path, group]) => ({ link: `* [${linkText(group.name)}](${path})`, group }));
  const pages = new Map<string, string>();
  pages.set(
    'SUMMARY.md',
    lines(['# Table of contents', '', `* [${linkText(title)}](README.md)`, ...links.map(({ link }) => link)]),
  );
  pages.set(
    'README.md',
    lines([
      ...renderOverview(title, value),
      ...links.map(({ link, group }) => `${link}: ${countOperations(group)}`),
    ]),
  );
  for (const [path, group] of groups) pages.set(path, renderGroup(group));
  return pages;
}

/** Groups operations by their first tag, in the order of the tags of the specification. Webhooks are one group. */
function groupOperations(value: Record<string, unknown>): Group[] {
  const groups = new Map<string, Group>();
  const group = (name: string, description = ''): Group['operations'] => {
    const found = getOrInsert(groups, name, () => ({ name, description, operations: [] }));
    return found.operations;
  };
  const { tags } = value;
  if (Array.isArray(tags))
    for (const tag of tags) if (isRecord(tag)) group(textOf(tag['name']), textOf(tag['description']));
  for (const entry of listOperations(value)) {
    const [first] = Array.isArray(entry.operation['tags']) ? entry.operation['tags'] : [];
    group(textOf(first) || 'Operations').push(entry);
  }
  for (const entry of listOperations(value, 'webhooks'))
    group('Webhooks').push({ ...entry, isWebhook: true });
  return [...groups.values()].filter(({ operations }) => operations.length > 0);
}

/** Renders the operations of a group: on several pages if a single one would be too large. */
function splitGroup(value: Record<string, unknown>, group: Group, slug: string): Page[] {
  const rendered = group.operations.map((operation) => ({
    operation,
    text: renderOperation(value, operation, slug).join('\n'),
  }));
  return splitPage(rendered).map((page, index) => ({
    name: index === 0 ? group.name : `${group.name} (${index + 1})`,
    description: index === 0 ? group.description : '',
    operations: page.map(({ operation }) => operation),
    parts: page.map(({ text }) => text),
  }));
}

function renderOverview(title: string, value: Record<string, unknown>): string[] {
  const { version, description } = recordOf(value['info']);
  const servers = Array.isArray(value['servers'])
    ? value['servers'].filter(isRecord).map(({ url }) => textOf(url))
    : listSwaggerServers(value);
  return [
    `# ${oneLine(title)}`,
    '',
    ...(textOf(version) === '' ? [] : [`Version ${oneLine(textOf(version))}`, '']),
    ...renderDescription(description),
    ...(servers.length === 0 ? [] : [...servers.map((url) => `* ${inlineCode(url)}`), '']),
  ];
}

function countOperations({ operations }: Group): string {
  const isWebhooks = operations.every(({ isWebhook }) => isWebhook);
  return plural(operations.length, isWebhooks ? 'webhook' : 'operation');
}

function listSwaggerServers({ host, basePath, schemes }: Record<string, unknown>): string[] {
  if (textOf(host) === '') return [];
  const prefixes =
    Array.isArray(schemes) && schemes.length > 0 ? schemes.map((scheme) => `${textOf(scheme)}:`) : [''];
  return prefixes.map((prefix) => `${prefix}//${textOf(host)}${textOf(basePath)}`);
}

function renderGroup({ name, description, parts }: Page): string {
  return lines([`# ${oneLine(name)}`, '', ...renderDescription(description), parts.join('\n\n')]);
}

function renderOperation(
  value: Record<string, unknown>,
  { path, method, operation, isWebhook }: Group['operations'][number],
  slug: string,
): string[] {
  const { summary, operationId, deprecated, description } = operation;
  const verb = method.toUpperCase();
  const heading = textOf(summary) || textOf(operationId) || (isWebhook ? path : `${verb} ${path}`);
  const tag = isWebhook ? 'openapi-webhook' : 'openapi-operation';
  const target = oneLine(path).replaceAll('"', '%22').replaceAll('%}', '%25}');
  return [
    `## ${headingText(heading)}`,
    '',
    ...(deprecated === true ? ['{% hint style="warning" %}', 'Deprecated.', '{% endhint %}', ''] : []),
    ...renderDescription(description),
    `{% ${tag} spec="${slug}" ${isWebhook ? 'name' : 'path'}="${target}" method="${method}" %}`,
    inlineCode(`${verb} ${path}`),
    ...withGap(describeOperation(value, { path, method, operation }, isWebhook ? 'webhooks' : 'paths')),
    `{% end${tag} %}`,
  ];
}

/** A blank line in front of a description, and none behind it. */
function withGap(description: readonly string[]): string[] {
  return description.length === 0 ? [] : ['', ...description.slice(0, -1)];
}

function choosePath(name: string, taken: ReadonlyMap<string, unknown>): string {
  const words = name.normalize('NFKD').toLowerCase();
  const slug = truncate(words.replace(/[^\p{L}\p{N}]+/gu, '-'), 60).replace(/^-+|-+$/g, '') || 'operations';
  const isReserved = /^(readme|summary|con|prn|aux|nul|com\d|lpt\d)$/.test(slug);
  const stem = isReserved ? `${slug}-tag` : slug;
  let path = `${stem}.md`;
  for (let number = 2; taken.has(path); number++) path = `${stem}-${number}.md`;
  return path;
}

function lines(parts: readonly string[]): string {
  return `${parts.join('\n')}\n`;
}

function textOf(value: unknown): string {
  return toText(value).trim();
}

function linkText(text: string): string {
  return oneLine(text).replace(/[[\]\\]/g, '\\$&');
}

function inlineCode(text: string): string {
  return `\`${oneLine(text).replaceAll('`', '')}\``;
}

/** Renders Markdown with its headings below those of the page and without tags. */
function renderDescription(description: unknown): string[] {
  const text = textOf(description);
  return text === '' ? [] : [belowHeadings(text), ''];
}
