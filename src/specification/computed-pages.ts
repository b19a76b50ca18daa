import { yieldToEvents } from '../contract/event-loop.ts';
import { capitalize, getOrInsert, groupBy, isRecord, recordOf, truncate } from '../contract/values.ts';
import { belowHeadings, describeEntry } from './describe-block.ts';
import { describeModel } from './describe-operation.ts';
import { splitPage } from './split-page.ts';
import {
  listOperations,
  headingText,
  oneLine,
  type OperationEntry,
  schemasOf,
  toText,
} from './specification-tree.ts';

type Fields = Record<string, unknown>;

/** The source of a generated page (published specification, ComputedContentSourceDocumentOpenAPI). */
type DocumentProps =
  | { readonly doc: 'models' }
  | { readonly doc: 'operations' | 'info' | 'tag'; readonly page: string }
  | {
      readonly doc: 'operation';
      readonly page: string;
      readonly method: string;
      readonly deprecated?: boolean;
    };

export interface GeneratedPage {
  /** Identifies the page among all pages of the specification, even if others are added or removed. */
  readonly key: string;
  readonly title: string;
  readonly icon?: string;
  readonly description?: string;
  readonly props: DocumentProps;
  readonly markdown: () => string;
  readonly children: readonly GeneratedPage[];
}

interface ComputedProps {
  readonly models?: boolean;
  readonly downloadLink?: boolean;
  readonly grouping?: string;
}

interface Operation extends OperationEntry {
  readonly isWebhook: boolean;
}

/** The most operations of a tag that are on one page in any case. */
const maxUnmeasured = 10;

interface Tag {
  readonly name: string;
  readonly fields: Fields;
  readonly operations: Operation[];
}

/** The name of the specification in the text of generated pages. */
interface SpecificationName {
  readonly slug: string;
  /** The URL from which its text can be downloaded. */
  readonly url: string;
}

/**
 * Generates the pages of a valid specification: the headings of its description, its tags in the declared order and nesting with
 * their operations, and its models. Internal operations are left out.
 */
export async function computePages(
  root: Fields,
  name: SpecificationName,
  props: ComputedProps,
): Promise<GeneratedPage[]> {
  if (props.grouping !== 'by-operation') await measureTags(root, name);
  const info = infoPages(root, name, props.downloadLink === true);
  const tags = tagPages(root, name, props.grouping === 'by-operation');
  const models = props.models === true ? modelsPage(root, name) : [];
  const pages = [...info, ...tags, ...models];
  const [first, ...others] = pages;
  if (props.downloadLink !== true || info.length > 0 || first === undefined) return pages;
  return [{ ...first, markdown: () => `${first.markdown()}\n${downloadLink(name)}\n` }, ...others];
}

function downloadLink({ slug, url }: SpecificationName): string {
  return `[Download the OpenAPI specification ${slug}](${url})`;
}

/** Returns one page for each heading of the first two levels in the description of the specification. */
function infoPages(root: Fields, name: SpecificationName, hasLink: boolean): GeneratedPage[] {
  const info = recordOf(root['info']);
  const parts: { title: string; lines: string[] }[] = [];
  let fence = '';
  for (const line of toText(info['description']).split(/\r?\n/)) {
    const [ticks] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    const mark = ticks?.trim() ?? '';
    const [, title] = fence === '' ? (/^#{1,2}[ \t]+(.*?)[ \t]*#*$/.exec(line) ?? []) : [];
    if (mark !== '') fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    if (title !== undefined) parts.push({ title, lines: [] });
    else if (parts.length > 0) parts.at(-1)?.lines.push(line);
    else if (line.trim() !== '') parts.push({ title: toText(info['title']), lines: [line] });
  }
  return parts.map(({ title, lines }, index) => {
    const shown = oneLine(title) || name.slug;
    const text = [`# ${shown}`, '', belowHeadings(lines.join('\n')).trim(), ''].join('\n');
    return {
      key: `info ${index} ${shown}`,
      title: truncate(shown, 255),
      props: { doc: 'info', page: shown },
      markdown: () => (hasLink && index === 0 ? `${text}\n${downloadLink(name)}\n` : text),
      children: [],
    };
  });
}

function tagPages(root: Fields, name: SpecificationName, isByOperation: boolean): GeneratedPage[] {
  const tags = groupByTag(root);
  const parentOf = ({ fields, name: own }: Tag): string | undefined => {
    const parent = toText(fields['parent'] ?? fields['x-parent']);
    return parent === own || !tags.has(parent) ? undefined : parent;
  };
  const childrenOf = groupBy(tags.values(), (tag) => parentOf(tag));
  const placed = new Set<string>();
  const pagesOf = (tag: Tag): GeneratedPage[] => {
    placed.add(tag.name);
    const below = (childrenOf.get(tag.name) ?? []).flatMap((child) =>
      placed.has(child.name) ? [] : pagesOf(child),
    );
    const { name: page, operations } = tag;
    if (operations.length + below.length === 0) return [];
    const title = titleOf(page, tag.fields);
    const description = belowHeadings(toText(tag.fields['description'])).trim();
    const pageWith = (index: number, parts: readonly Operation[], children: readonly GeneratedPage[]) => {
      const [suffix, shown] = index === 0 ? ['', title] : [` ${index + 1}`, `${title} (${index + 1})`];
      const blocks = isByOperation ? [] : parts.map((operation) => blockOf(root, name, operation));
      return {
        key: `tag ${page}${suffix}`,
        title: shown,
        ...lookOf(tag.fields),
        props: { doc: isByOperation ? ('tag' as const) : ('operations' as const), page },
        markdown: () =>
          [`# ${shown}`, index === 0 ? description : '', ...blocks.map((block) => block())]
            .filter((part) => part !== '')
            .join('\n\n') + '\n',
        children,
      };
    };
    if (isByOperation)
      return [pageWith(0, [], [...operations.map((each) => operationPage(root, name, tag, each)), ...below])];
    const [first = [], ...others] = splitOperations(root, tag);
    return [pageWith(0, first, below), ...others.map((parts, index) => pageWith(index + 1, parts, []))];
  };
  // If parents form a cycle, no tag is a root. The first one then becomes the root.
  const roots = [...(childrenOf.get(undefined) ?? []), ...tags.values()];
  return roots.flatMap((tag) => (placed.has(tag.name) ? [] : pagesOf(tag)));
}

/** The numbers of operations on the pages of each tag of a specification that has many. */
const splits = new WeakMap<Fields, Map<string, readonly number[]>>();

/** Finds out which tags need several pages. A few operations are not measured, because that takes time. */
async function measureTags(root: Fields, name: SpecificationName): Promise<void> {
  const known = getOrInsert(splits, root, () => new Map<string, readonly number[]>());
  for (const tag of groupByTag(root).values()) {
    if (tag.operations.length <= maxUnmeasured || known.has(tag.name)) continue;
    const texts: { text: string }[] = [];
    for (const operation of tag.operations) {
      texts.push({ text: blockOf(root, name, operation)() });
      await yieldToEvents();
    }
    known.set(
      tag.name,
      splitPage(texts).map(({ length }) => length),
    );
  }
}

/** Splits the operations of a tag whose page would be too large. */
function splitOperations(root: Fields, { name, operations }: Tag): (readonly Operation[])[] {
  const sizes = splits.get(root)?.get(name) ?? [operations.length];
  let end = 0;
  return sizes.map((size) => operations.slice(end, (end += size)));
}

/** Groups operations by tag: their first declared tag, otherwise their first tag, otherwise `default`. */
function groupByTag(root: Fields): Map<string, Tag> {
  const tags = new Map<string, Tag>();
  const add = (name: string, fields: Fields = {}): Tag =>
    getOrInsert(tags, name, () => ({ name, fields, operations: [] }));
  const ignored = new Set<string>();
  if (Array.isArray(root['tags']))
    for (const fields of root['tags']) {
      const name = toText(recordOf(fields)['name']);
      if (name === '' || !isRecord(fields)) continue;
      if (isIgnored(fields)) ignored.add(name);
      else add(name, fields);
    }
  const declared = new Set(tags.keys());
  const place = (entry: OperationEntry, isWebhook: boolean): void => {
    if (isIgnored(entry.operation)) return;
    const given = entry.operation['tags'];
    const names = Array.isArray(given) ? given.map(toText).filter((name) => name !== '') : [];
    if (names.length > 0 && names.every((name) => ignored.has(name))) return;
    const name =
      names.find((each) => declared.has(each)) ??
      names.find((each) => !ignored.has(each)) ??
      (isWebhook ? 'webhooks' : 'default');
    add(name).operations.push({ ...entry, isWebhook });
  };
  for (const entry of listOperations(root)) place(entry, false);
  for (const entry of listOperations(root, 'webhooks')) place(entry, true);
  return tags;
}

function isIgnored(fields: Fields): boolean {
  return fields['x-internal'] === true || fields['x-gitbook-ignore'] === true;
}

function operationPage(root: Fields, name: SpecificationName, tag: Tag, operation: Operation): GeneratedPage {
  const { method, path, isWebhook } = operation;
  const fields = operation.operation;
  const title = headingOf(operation);
  const text = blockOf(root, name, operation, { headless: true });
  return {
    key: `operation ${tag.name} ${method} ${path}`,
    title: truncate(title, 255),
    ...lookOf(fields),
    props: {
      doc: 'operation',
      page: path,
      method: isWebhook ? 'hook' : method,
      ...(fields['deprecated'] === true ? { deprecated: true } : {}),
    },
    markdown: () => `# ${title}\n\n${text()}\n`,
    children: [],
  };
}

/** The most characters of the names of schemas in a tag. */
const maxList = 10_000;
/** The most characters of the descriptions of schemas. A document with more takes long to read. */
const maxModels = 50_000;

function modelsPage(root: Fields, { slug, url }: SpecificationName): GeneratedPage[] {
  const schemas = schemasOf(root);
  const names = Object.entries(schemas).flatMap(([name, schema]) =>
    isIgnored(recordOf(schema)) ? [] : [name],
  );
  if (names.length === 0) return [];
  // A tag with too long an argument would be text.
  const lists: string[][] = [];
  let length = 0;
  for (const name of names) {
    length += attribute(name).length + 1;
    if (lists.length === 0 || length > maxList) {
      lists.push([]);
      length = attribute(name).length + 1;
    }
    lists.at(-1)?.push(name);
  }
  const markdown = (): string => {
    let left = maxModels;
    const describe = (name: string): string => {
      if (left <= 0) return '';
      const text = [`## ${headingText(name)}`, '', ...describeModel(root, schemas[name]), ''].join('\n');
      left -= text.length;
      return text;
    };
    const blocks = lists.map(
      (list) =>
        `{% openapi-schemas spec="${slug}" schemas="${list.map(attribute).join(',')}" grouped="true" %}\n[OpenAPI ${slug}](${url})\n\n${list.map(describe).join('')}{% endopenapi-schemas %}\n`,
    );
    return `# Models\n\n${blocks.join('\n')}`;
  };
  return [{ key: 'models', title: 'Models', props: { doc: 'models' }, markdown, children: [] }];
}

/** Returns the block of an operation, below its heading unless the page already has that heading. */
function blockOf(
  root: Fields,
  { slug, url }: SpecificationName,
  operation: Operation,
  { headless = false }: { headless?: boolean } = {},
): () => string {
  const { path, method, isWebhook, operation: fields } = operation;
  const tag = isWebhook ? 'openapi-webhook' : 'openapi-operation';
  return () =>
    [
      ...(headless ? [] : [`## ${headingText(headingOf(operation))}`, '']),
      ...(fields['deprecated'] === true
        ? ['{% hint style="warning" %}', 'Deprecated.', '{% endhint %}', '']
        : []),
      `{% ${tag} spec="${slug}" ${isWebhook ? 'name' : 'path'}="${attribute(path)}" method="${method}" %}`,
      `[OpenAPI ${slug}](${url})`,
      '',
      ...describeEntry(root, operation, isWebhook),
      `{% end${tag} %}`,
    ].join('\n');
}

function headingOf({ operation, method, path, isWebhook }: Operation): string {
  const { summary, operationId } = operation;
  const title = oneLine(toText(operation['x-page-title'] ?? operation['x-displayName'] ?? summary));
  return (
    title ||
    oneLine(toText(operationId)) ||
    (isWebhook ? oneLine(path) : `${method.toUpperCase()} ${oneLine(path)}`)
  );
}

/** Returns the title of a tag: the given title, or else its name as capitalized words. */
function titleOf(name: string, fields: Fields): string {
  const stated = oneLine(toText(fields['x-page-title'] ?? fields['x-displayName']));
  if (stated !== '') return truncate(stated, 255);
  const words = oneLine(name)
    .split(/[\s_-]+/)
    .filter((word) => word !== '');
  return truncate(words.map(capitalize).join(' '), 255) || 'Default';
}

function lookOf(fields: Fields): Pick<GeneratedPage, 'icon' | 'description'> {
  const icon = oneLine(toText(fields['x-page-icon']));
  const description = oneLine(toText(fields['x-page-description']));
  return {
    ...(icon === '' ? {} : { icon: truncate(icon, 50) }),
    ...(description === '' ? {} : { description: truncate(description, 1000) }),
  };
}

function attribute(text: string): string {
  return oneLine(text).replaceAll('"', '%22').replaceAll('%}', '%25}');
}
