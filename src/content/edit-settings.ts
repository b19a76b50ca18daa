import { spaceAddress } from '../contract/open-address.ts';
import type { Static } from '../contract/schema.ts';
import { notFound, invalid } from '../errors/problem.ts';
import { defaultLayout, layoutFlags, type PageLayout } from '../contract/page-layout.ts';
import type { PageSettings, Variables } from '../richtext/page-settings.ts';
import type { YamlChange, YamlValue } from '../richtext/yaml-fields.ts';
import type { ImageReference, PageLinkReference, SettingFields } from './setting-fields.ts';
import type { ContentSource } from './content-source.ts';
import type { Draft } from './draft.ts';
import { decode, resolveHref, type LinkSource } from './links/link-targets.ts';
import { ReferenceResolver } from './links/reference-resolver.ts';
import { createNameTable } from './links/name-table.ts';
import { settingsOf } from './page-settings.ts';
import type { PageTextInput } from './page-text.ts';
import type { PageEntry } from './rows.ts';

type Reference = Static<typeof ImageReference> | Static<typeof PageLinkReference>;

/**
 * Checks the references in the settings of pages to pages and files of other spaces.
 *
 * @throws Problem(not-found) if one does not exist, or the caller may not read its space
 */
export async function checkReferencesElsewhere(
  content: ContentSource,
  changes: readonly SettingFields[],
): Promise<void> {
  const references = new ReferenceResolver(content);
  for (const { cover, metaLinks } of changes)
    for (const ref of [cover?.ref, cover?.refDark, metaLinks?.canonical, ...(metaLinks?.alternates ?? [])]) {
      if (ref == null || ref.kind === 'url' || ref.space === undefined || ref.space === content.space.id)
        continue;
      if ((await references.space(ref.space)) === undefined) throw notFound('space', ref.space);
      const found = await references.resolve({ target: 'page:' }, addressElsewhere(ref, ref.space));
      if (found.kind !== ref.kind) throw notFound(ref.kind, ref.kind === 'page' ? ref.page : ref.file);
    }
}

/** Returns the address of a page or file in another space. */
function addressElsewhere(ref: Exclude<Reference, { kind: 'url' }>, space: string): string {
  return spaceAddress(space, ref.kind === 'page' ? ref.page : `~/files/${ref.file}`);
}

/**
 * Writes the settings of a change into the front matter of a page. The rest of the front matter does not change, and neither do
 * settings that the page already has.
 *
 * @throws Problem(not-found) for a reference to a page or file that is not in the draft
 */
export async function writeSettings(
  draft: Draft,
  page: PageEntry,
  text: PageTextInput,
  change: SettingFields,
): Promise<PageTextInput> {
  const current = text.settings ?? (await settingsOf({ frontMatter: text.frontMatter }));
  const addresses = new Addresses(draft, page);
  const changes = [
    ...layoutChanges(current, change.layout),
    ...coverChanges(current, change.cover, addresses),
    ...variableChanges(current.variables ?? {}, change.variables),
    ...linkChanges(current, change.metaLinks, addresses),
    ...tagChanges(current, change.tags),
  ];
  if (changes.length === 0) return text;
  const { maxFrontMatter, setFields } = await import('../richtext/front-matter.ts');
  const whole = text.frontMatter + text.body.slice(0, 10_000);
  const mark = whole.startsWith('\uFEFF') ? '\uFEFF' : '';
  const frontMatter = setFields(text.frontMatter, changes, whole.includes('\r\n') ? '\r\n' : '\n');
  if (frontMatter.length > maxFrontMatter)
    throw invalid(
      '/body/changes',
      `The front matter of the page "${page.title}" would have more than ${maxFrontMatter} characters.`,
    );
  return frontMatter === ''
    ? { frontMatter, body: text.frontMatter === '' ? text.body : mark + text.body }
    : { frontMatter: mark + frontMatter, body: text.body.replace(/^\uFEFF/, '') };
}

function layoutChanges({ layout }: PageSettings, given: SettingFields['layout'] = {}): YamlChange[] {
  const before: PageLayout = { ...defaultLayout, ...layout };
  const paths: Readonly<Record<string, readonly [string, ...string[]]>> = {
    width: ['layout', 'width'],
    cover: ['layout', 'cover', 'visible'],
    coverSize: ['layout', 'cover', 'size'],
    coverMask: ['layout', 'cover', 'mask'],
    ...Object.fromEntries(layoutFlags.map((name) => [name, ['layout', name, 'visible']])),
  };
  return Object.entries(given).flatMap(([name, value]): YamlChange[] => {
    const path = paths[name];
    return path === undefined || value === before[name as keyof PageLayout] ? [] : [[path, value]];
  });
}

function coverChanges(
  { cover = {} }: PageSettings,
  given: SettingFields['cover'],
  addresses: Addresses,
): YamlChange[] {
  if (given === undefined) return [];
  if (given === null)
    return [
      [['cover'], undefined],
      [['coverY'], undefined],
      [['coverHeight'], undefined],
    ];
  const changes: YamlChange[] = [];
  const ref = addresses.choose(cover.ref, given.ref);
  const refDark = addresses.choose(cover.refDark, given.refDark);
  if (ref !== cover.ref || refDark !== cover.refDark) {
    if (refDark === undefined) changes.push([['cover'], ref]);
    else changes.push([['cover', 'light'], ref], [['cover', 'dark'], refDark]);
  }
  for (const [field, key] of [
    ['yPos', 'coverY'],
    ['height', 'coverHeight'],
  ] as const)
    if (given[field] !== undefined && given[field] !== (cover[field] ?? (field === 'yPos' ? 0 : undefined)))
      changes.push([[key], given[field]]);
  return changes;
}

function variableChanges(before: Variables, given: SettingFields['variables']): YamlChange[] {
  if (given === undefined) return [];
  const after: Variables = given ?? {};
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return [
    ...gone.map((name): YamlChange => [['vars', name], undefined]),
    ...Object.entries(after).flatMap(([name, value]): YamlChange[] =>
      Object.hasOwn(before, name) && (before[name] === value || String(before[name]) === value)
        ? []
        : [[['vars', name], value]],
    ),
  ];
}

function linkChanges(
  { metaLinks = {} }: PageSettings,
  given: SettingFields['metaLinks'],
  addresses: Addresses,
): YamlChange[] {
  if (given === undefined) return [];
  if (given === null) return [[['metaLinks'], undefined]];
  const changes: YamlChange[] = [];
  const canonical = addresses.choose(metaLinks.canonical, given.canonical);
  if (canonical !== metaLinks.canonical) changes.push([['metaLinks', 'canonical'], canonical]);
  if (given.alternates !== undefined) {
    const before = metaLinks.alternates ?? [];
    const alternates = given.alternates.flatMap((ref, at) => addresses.choose(before[at], ref) ?? []);
    if (!isSame(alternates, before))
      changes.push([['metaLinks', 'alternates'], alternates.length === 0 ? undefined : alternates]);
  }
  return changes;
}

function tagChanges({ tags = [] }: PageSettings, given: SettingFields['tags']): YamlChange[] {
  if (given === undefined) return [];
  const after = given.map(({ tag, primary }) => ({
    tag: tag.tag,
    ...(primary === true ? { primary: true as const } : {}),
  }));
  if (isSame(after, tags)) return [];
  const written = after.map(({ tag, primary }): YamlValue => (primary === true ? { tag, primary } : tag));
  return [[['tags'], written.length === 0 ? undefined : written]];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Converts references of a page to addresses. An address that already leads to the target is kept. */
class Addresses {
  readonly #draft: Draft;
  readonly #page: PageEntry;
  #names: ReadonlyMap<string, string> | undefined;

  constructor(draft: Draft, page: PageEntry) {
    this.#draft = draft;
    this.#page = page;
  }

  /** Returns the address to write: the old one if it leads to the reference; undefined if the reference is null. */
  choose(before: string | undefined, ref: Reference | null | undefined): string | undefined {
    if (ref === undefined) return before;
    if (ref === null) return undefined;
    const address = this.#write(ref);
    return before !== undefined && this.#targetOf(before) === this.#targetOf(address) ? before : address;
  }

  #write(ref: Reference): string {
    if (ref.kind === 'url') return ref.url;
    if (ref.space !== undefined && ref.space !== this.#draft.space) return addressElsewhere(ref, ref.space);
    if (ref.kind === 'page') return `/pages/${this.#draft.page(ref.page).id}`;
    return `/files/${this.#draft.file(ref.file).id}`;
  }

  #targetOf(address: string): string {
    const { git } = this.#page;
    const source: LinkSource = { path: this.#draft.path(this.#page), ...(git && { git: git.path }) };
    const target = resolveHref(`page:${this.#page.id}`, source, address);
    if (target.kind !== 'name') return decode(address);
    this.#names ??= createNameTable([...this.#draft.pages.values(), ...this.#draft.files.values()], (page) =>
      this.#draft.path(page),
    );
    const { name, anchor } = target;
    return `${this.#names.get(name) ?? name}${anchor === undefined ? '' : `#${anchor}`}`;
  }
}
