import {
  coverHeights,
  coverMasks,
  coverSizes,
  defaultLayout,
  layoutFlags,
  layoutWidths,
  maxVariableLength,
  type PageLayout,
} from '../contract/page-layout.ts';
import { defined, isRecord, unlessEmpty } from '../contract/values.ts';

export type VariableValue = string | number | boolean;
export type Variables = Readonly<Record<string, VariableValue>>;

/** The settings in the front matter of a page besides its metadata. Addresses are unchanged. */
export interface PageSettings {
  /** The fields that differ from the default layout. */
  readonly layout?: Partial<PageLayout>;
  readonly cover?: PageCover;
  readonly variables?: Variables;
  readonly metaLinks?: { readonly canonical?: string; readonly alternates?: readonly string[] };
  readonly tags?: readonly { readonly tag: string; readonly primary?: true }[];
}

/** The cover of a page: the addresses of its images, its position in percent, and its height in pixels. */
export interface PageCover {
  readonly ref?: string;
  readonly refDark?: string;
  readonly yPos?: number;
  readonly height?: number;
}

const settingsPattern = /^["']?(?:layout|cover(?:Y|Height)?|vars|metaLinks|tags)["']?[ \t]*:/m;

/** Whether front matter may have a field for `readPageSettings`. It is a fast check of the text. */
export function mayHaveSettings(frontMatter: string): boolean {
  return settingsPattern.test(frontMatter);
}

/** Reads the settings of a page from the fields of its front matter. Values of a wrong type or out of range are left out. */
export function readPageSettings(given: ReadonlyMap<string, unknown>): PageSettings {
  const metaLinks = fieldsOf(given.get('metaLinks'));
  return defined({
    layout: unlessEmpty(readLayout(given.get('layout'))),
    cover: unlessEmpty(readCover(given)),
    variables: unlessEmpty(readVariables(given.get('vars'))),
    metaLinks: unlessEmpty(
      defined({
        canonical: textOf(metaLinks.get('canonical')),
        alternates: unlessEmpty(textsOf(metaLinks.get('alternates'))),
      }),
    ),
    tags: unlessEmpty(readTags(given.get('tags'))),
  });
}

function readLayout(value: unknown): Partial<PageLayout> {
  const given = fieldsOf(value);
  const cover = fieldsOf(given.get('cover'));
  const stated = {
    width: oneOf(layoutWidths, given.get('width')),
    cover: flagOf(given.get('cover')),
    coverSize: oneOf(coverSizes, cover.get('size')),
    coverMask: oneOf(coverMasks, cover.get('mask')),
    ...Object.fromEntries(layoutFlags.map((name) => [name, flagOf(given.get(name))])),
  };
  return Object.fromEntries(
    Object.entries(stated).filter(
      ([name, read]) => read !== undefined && read !== defaultLayout[name as keyof PageLayout],
    ),
  );
}

function readCover(given: ReadonlyMap<string, unknown>): PageCover {
  const images = fieldsOf(given.get('cover'));
  const height = numberOf(given.get('coverHeight'));
  return defined({
    ref: textOf(given.get('cover')) ?? textOf(images.get('light')),
    refDark: textOf(images.get('dark')),
    yPos: numberOf(given.get('coverY')),
    height:
      height !== undefined && height >= coverHeights.min && height <= coverHeights.max ? height : undefined,
  });
}

/** Reads a map of variables: texts of at most 256 characters, numbers and booleans. */
export function readVariables(value: unknown): Variables {
  const variables: Record<string, VariableValue> = {};
  for (const [name, each] of fieldsOf(value)) {
    const isValue =
      typeof each === 'boolean' ||
      (typeof each === 'number' && Number.isFinite(each)) ||
      (typeof each === 'string' && each.length <= maxVariableLength);
    // Names of variables may clash with properties that all objects have.
    if (isValue) Object.defineProperty(variables, name, { value: each, enumerable: true });
  }
  return variables;
}

function readTags(value: unknown): NonNullable<PageSettings['tags']> {
  return itemsOf(value).flatMap((item) => {
    const tag = textOf(item) ?? textOf(fieldsOf(item).get('tag'));
    if (tag === undefined) return [];
    return [{ tag, ...(fieldsOf(item).get('primary') === true ? { primary: true as const } : {}) }];
  });
}

/** Returns the values of a YAML list; empty for anything else. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the fields of a YAML map; empty for anything else. */
export function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value) : []);
}

function textsOf(value: unknown): string[] {
  return itemsOf(value).flatMap((item) => textOf(item) ?? []);
}

/** Returns a trimmed text of at most 2,048 characters; undefined for blank texts and other values. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > 2048 ? undefined : text;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function flagOf(value: unknown): boolean | undefined {
  const visible = fieldsOf(value).get('visible');
  return typeof visible === 'boolean' ? visible : undefined;
}

function oneOf<const V extends readonly string[]>(values: V, value: unknown): V[number] | undefined {
  return values.find((each) => each === value);
}
