import { posix } from 'node:path';
import { listFields } from '../richtext/front-matter.ts';
import { fieldsOf, textOf } from '../richtext/page-settings.ts';
import { parseYaml } from '../richtext/yaml.ts';
import { defined, truncate } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { isInside } from './resolve-link.ts';
import { maxLinkTitle } from './summary.ts';

/** What other tools say about the place of a page or folder in the table of contents. */
export interface PagePlacement {
  readonly order?: number;
  /** The title in the table of contents. */
  readonly title?: string;
  readonly slug?: string;
  /** Whether other tools do not publish the page. */
  readonly isDraft?: true;
  /** Whether other tools publish the page, but not in the table of contents. */
  readonly isUnlisted?: true;
}

const placementField =
  /^["']?(?:sidebar\w{0,20}|weight|(?:nav_)?order|link[tT]itle|nav_title|slug|draft|published|unlisted|nav_exclude|toc_hide)["']?[ \t]*[:=]/m;
/** The names of fields in Docusaurus, Mintlify, Hugo, Jekyll and VuePress, and below `sidebar` in Starlight. */
const names = {
  order: ['sidebar_position', 'nav_order', 'order'],
  title: ['sidebar_label', 'sidebarTitle', 'linkTitle', 'linktitle', 'nav_title'],
  unlisted: ['unlisted', 'nav_exclude', 'toc_hide'],
};

/** Reads the place of a page from the front matter that other tools know. */
export function readPlacement(frontMatter: string): PagePlacement {
  if (!placementField.test(frontMatter)) return {};
  const fields = listFields(frontMatter);
  const sidebar = fieldsOf(fields.get('sidebar'));
  const [slug] = /^(?!\.+$)[\w.~-]{1,100}$/.exec(textOf(fields.get('slug')) ?? '') ?? [];
  const isDraft = fields.get('draft') === true || fields.get('published') === false;
  const isHidden = sidebar.get('hidden') === true || names.unlisted.some((name) => fields.get(name) === true);
  return defined({
    ...placementOf(
      // In Hugo, the weight 0 is none.
      [
        fields.get('weight') || undefined,
        ...names.order.map((name) => fields.get(name)),
        sidebar.get('order'),
      ],
      [...names.title.map((name) => fields.get(name)), sidebar.get('label')],
    ),
    slug,
    isDraft: isDraft || undefined,
    isUnlisted: (isHidden && !isDraft) || undefined,
  });
}

/** Returns the address of a page in Docusaurus: without number prefixes, and with the `id` in front matter as its name. */
export function docusaurusAddress(path: string, frontMatter: string): string {
  const id = /^id:/m.test(frontMatter) ? textOf(listFields(frontMatter).get('id')) : undefined;
  const { dir, name } = posix.parse(path);
  return posix.join(dir, id ?? name).replace(/(^|\/)\d+\s*[-_.]\s*(?=[^/])/g, '$1');
}

/**
 * Returns the old paths of a page that front matter of Hugo, Jekyll or Docusaurus lists, without those on other sites. In
 * Obsidian, `aliases` are names without a slash. Drafts have none.
 * @param path the path of the page below the root of the documentation
 * @param isDocusaurus whether the address of the page in Docusaurus is also an old path
 */
export function readAliases(path: string, frontMatter: string, isDocusaurus = false): string[] {
  const address = isDocusaurus ? docusaurusAddress(path, frontMatter) : '';
  const isOther = isDocusaurus && address !== path.replace(/\.\w+$/, '');
  if (!isOther && !/^(?:aliases|redirect_from|permalink|slug)[ \t]*[:=]/m.test(frontMatter)) return [];
  if (readPlacement(frontMatter).isDraft) return [];
  const fields = listFields(frontMatter);
  const given = ['aliases', 'redirect_from', 'permalink', 'slug'].flatMap((name) => fields.get(name));
  if (isOther && !fields.has('slug')) given.push(`/${address}`);
  return given
    .flatMap((each) => textOf(each) ?? [])
    .filter((each) => each.includes('/') && isAddress(each))
    .map((each) => posix.join(each.startsWith('/') ? '.' : posix.dirname(path), `./${each}`))
    .filter((each) => isInside(each) && !/^\.\/?$/.test(each));
}

/** Whether a text can be the path of an old address. */
export function isAddress(text: string): boolean {
  return /^[^?#*\s:\p{Cc}]+$/u.test(text);
}

/** Whether a file sets the title and the place of a folder in Docusaurus. */
export function isCategoryFile(name: string): boolean {
  return /^_category_\.(?:json|ya?ml)$/.test(name);
}

/** Reads the file of a folder of Docusaurus; empty if it is not valid. */
export function readCategory(text: string): PagePlacement {
  const fields = readFields(text);
  return placementOf([fields.get('position')], [fields.get('label')]);
}

/** Returns the fields of a YAML or JSON file of another tool; none if it is not valid. */
export function readFields(text: string): ReadonlyMap<string, unknown> {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    // YAML, or JSON with commas at the ends of lists.
  }
  try {
    return fieldsOf(parseYaml(text, 'The file'));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return new Map();
  }
}

function placementOf(orders: readonly unknown[], titles: readonly unknown[]): PagePlacement {
  const title = titles.map(textOf).find((each) => each !== undefined);
  return defined({
    order: orders.find((each): each is number => Number.isFinite(each)),
    title: title === undefined ? undefined : truncate(title.replace(/\s+/g, ' '), maxLinkTitle),
  });
}
