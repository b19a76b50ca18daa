import { closed, nullable, optional, Type } from '../../contract/schema.ts';
import { Icon } from '../../contract/shapes.ts';
import { defined, getOrInsert, groupBy } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import {
  addExternalLink,
  deleteExternalLink,
  updateExternalLink,
} from '../../resources/site-external-links/contract.ts';
import { sortSiteStructure } from '../../resources/sites/contract.ts';
import { siteOf, type Backend, type Body, type Call, type Field, type Located } from '../kind.ts';
import { isSame } from '../value.ts';
import { checkCondition } from './condition.ts';
import { callFor } from './fields.ts';
import {
  callStructure,
  readStructure,
  type GroupBody,
  type LevelItem,
  type LinkBody,
  type Structure,
} from './structure.ts';

/** An external link as a manifest states it. */
export interface StatedLink {
  readonly title: string;
  readonly url: string;
  /** The title of the group that contains it. */
  readonly group?: string;
  /** The path of the section before it, or of a section in the group before it. Null: no section is before it. */
  readonly after?: string | null;
  readonly icon?: string;
  readonly description?: string;
  readonly condition?: string;
  readonly draft?: true;
}

const body = addExternalLink.body.properties;

/** The links to other addresses among the sections of a site. The list is complete. */
export function externalLinksField<R extends Body>(): Field<R> {
  return {
    schema: Type.Array(
      closed({
        title: { ...body.title, description: 'title of the link' },
        url: body.url,
        ...optional({
          group: Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'title of the section group that contains the link',
          }),
          after: nullable(
            Type.String({
              minLength: 1,
              maxLength: 255,
              description:
                'path of the section that the link follows. To put the link after a group, give the path of a section in the group. null: the link is before all sections',
            }),
          ),
          icon: { ...Icon, description: 'name of an icon, such as code or book-open' },
          description: Type.String({
            maxLength: 256,
            description: 'short text that describes the link in menus',
          }),
          condition: Type.String({
            maxLength: 1024,
            description:
              'expression that decides which visitors see the link, such as visitor.claims.beta == true',
          }),
          draft: Type.Boolean({ description: 'true: visitors do not see the link yet' }),
        }),
      }),
      {
        maxItems: 1000,
        description:
          'all links to other addresses that the site shows among its sections, including drafts. Links after the same section have the order of this list. []: no links',
      },
    ),
    call: 'externalLinks',
    isIndependent: true,
    default: [],
    followsOrderOf: 'section',
    fetch: async (backend, at, stated) =>
      toStated(await readStructure(backend, at), stated as readonly StatedLink[] | undefined),
    normalize: (value) => (value as StatedLink[]).map(normalize),
    check: (value, above, fault) => {
      for (const [index, { url, condition }] of (value as StatedLink[]).entries()) {
        if (!/^https?:\/\//i.test(url))
          fault('an external link leads to a URL that starts with https:// or http://', [index, 'url']);
        if (condition !== undefined)
          checkCondition(condition, above, (message) => fault(message, [index, 'condition']));
      }
    },
  };
}

/** Creates, changes, moves and deletes links, so that exactly the stated ones remain. */
export const externalLinksCall: Call = {
  late: true,
  send: async (backend, at, { externalLinks }) => {
    const site: Located = { kind: 'site', id: siteOf(at) };
    const wanted = (externalLinks as StatedLink[]).map(normalize);
    const structure = await callStructure(backend, site);
    const pairs = matchLinks(wanted, structure);
    const kept = new Set([...pairs.values()].map(({ id }) => id));
    const paramsOf = ({ id }: LinkBody) => ({
      organizationId: backend.organization,
      siteId: site.id,
      siteExternalLinkId: id,
    });
    for (const link of linksIn(structure))
      if (!kept.has(link.id)) await backend.call(deleteExternalLink, { params: paramsOf(link) });
    const ids = new Map<StatedLink, string>();
    for (const stated of wanted) {
      const parent = stated.group === undefined ? null : groupNamed(structure, stated.group, stated).id;
      const live = pairs.get(stated);
      if (live === undefined) {
        const { title, url, icon, description, condition, draft = false } = stated;
        const values = defined({ title, url, icon, description, condition, draft });
        const made = await callFor(backend, addExternalLink, site, {
          ...values,
          ...(parent === null ? {} : { parent }),
        });
        ids.set(stated, made.id);
        continue;
      }
      ids.set(stated, live.id);
      const changes = changesOf(stated, live, parent);
      if (Object.keys(changes).length > 0)
        await backend.call(updateExternalLink, { params: paramsOf(live), body: changes });
    }
    if (wanted.length > 0) await placeLinks(backend, site, wanted, ids);
  },
};

function changesOf(stated: StatedLink, live: LinkBody, parent: string | null): Record<string, unknown> {
  const { title, url, draft = false, icon = null, description = null, condition = null } = stated;
  const target = { title, url, draft, icon, description, condition, parent };
  const now = {
    icon: null,
    description: null,
    condition: null,
    ...live,
    parent: live.sectionGroup ?? null,
  };
  return Object.fromEntries(
    Object.entries(target).filter(([name, value]) => !isSame(value, now[name as keyof typeof now])),
  );
}

/** Moves the links to their places, with one call for each misplaced link. */
async function placeLinks(
  backend: Backend,
  site: Located,
  wanted: readonly StatedLink[],
  ids: ReadonlyMap<StatedLink, string>,
): Promise<void> {
  const structure = await callStructure(backend, site);
  const { leaving = none } = backend;
  const ranks = new Map(wanted.map((stated, index) => [ids.get(stated), { stated, index }]));
  for (const whole of structure.levels.values()) {
    // Links follow sections, so groups without sections are ignored.
    const level = withoutLeaving(whole, leaving).filter(
      (item) => item.object === 'site-external-link' || lastSection(item) !== undefined,
    );
    // Sections and groups keep their order. The links after each of them are sorted.
    const followers = new Map<string | undefined, LinkBody[]>();
    const follow = (anchor: LevelItem | undefined, link: LinkBody) =>
      void getOrInsert(followers, anchor?.id, () => []).push(link);
    for (const [index, item] of level.entries()) {
      if (item.object !== 'site-external-link') continue;
      const stated = ranks.get(item.id)?.stated;
      const { after } = stated ?? {};
      follow(after === undefined ? anchorAt(level, index) : anchorNamed(structure, level, after, item), item);
    }
    const rankOf = ({ id }: LinkBody) => ranks.get(id)?.index ?? ranks.size;
    const linksAfter = (anchor: LevelItem | undefined): LinkBody[] =>
      (followers.get(anchor?.id) ?? []).toSorted((a, b) => rankOf(a) - rankOf(b));
    const order: LevelItem[] = linksAfter(undefined);
    for (const item of level) if (item.object !== 'site-external-link') order.push(item, ...linksAfter(item));
    await bringOrder(backend, site, level, order);
  }
}

const none: ReadonlySet<string> = new Set();

/**
 * Removes the sections that the run will delete, and deleted groups without other contents, because links follow the remaining
 * sections. Other contents of a deleted group move up to its place.
 */
function withoutLeaving(level: readonly LevelItem[], leaving: ReadonlySet<string>): readonly LevelItem[] {
  return level.flatMap((item): LevelItem[] => {
    if (item.object !== 'site-section-group') return leaving.has(item.id) ? [] : [item];
    const children = [...withoutLeaving(item.children, leaving)] as typeof item.children;
    return leaving.has(item.id) && children.length === 0 ? [] : [{ ...item, children }];
  });
}

async function bringOrder(
  backend: Backend,
  site: Located,
  level: readonly LevelItem[],
  order: readonly LevelItem[],
): Promise<void> {
  const now = [...level];
  for (const [index, item] of order.entries()) {
    const before = order[index - 1];
    const place = now.indexOf(item);
    const [first] = now;
    if (item.object !== 'site-external-link' || now[place - 1] === before || first === undefined) continue;
    now.splice(place, 1);
    const position =
      before === undefined ? { before: pointerTo(now[0] ?? first) } : { after: pointerTo(before) };
    await callFor(backend, sortSiteStructure, site, { item: pointerTo(item), position });
    now.splice(before === undefined ? 0 : now.indexOf(before) + 1, 0, item);
  }
}

function pointerTo({ object: type, id }: LevelItem) {
  return { type, id };
}

/**
 * Returns the live links in the form of a manifest. If a stated link has no place, its live link gets none. The links have the
 * order of the stated ones, unless links after the same section have a different order.
 */
function toStated(structure: Structure, wanted: readonly StatedLink[] | undefined): StatedLink[] {
  const statedBy = new Map<LinkBody, StatedLink>();
  for (const [stated, live] of matchLinks(wanted ?? [], structure)) statedBy.set(live, stated);
  const found: { link: LinkBody; stated: StatedLink; follows: string }[] = [];
  for (const [part, level] of structure.levels)
    for (const [index, link] of level.entries()) {
      if (link.object !== 'site-external-link') continue;
      const match = statedBy.get(link);
      const anchor = anchorAt(level, index);
      const { title, url, icon, description, condition, draft } = link;
      const group = part === '' ? undefined : nameOfGroup(structure, part, match?.group);
      const isPlaced = match === undefined || match.after !== undefined;
      const after = isPlaced ? pathOf(anchor, match?.after) : undefined;
      const values = { title, url, group, after, icon, description, condition };
      const stated = normalize({ ...defined(values), ...(draft ? { draft } : {}) });
      found.push({ link, stated, follows: `${part} ${anchor?.id}` });
    }
  const ranks = new Map((wanted ?? []).map((stated, index) => [stated, index]));
  const rankOf = ({ link }: { link: LinkBody }) => ranks.get(statedBy.get(link) as StatedLink) ?? ranks.size;
  const sorted = found.toSorted((a, b) => rankOf(a) - rankOf(b));
  const live = groupBy(found, ({ follows }) => follows);
  // Only the order of links after the same section matters.
  const isSameOrder = [...groupBy(sorted, ({ follows }) => follows)].every(([follows, links]) =>
    links.every((one, index) => one === live.get(follows)?.[index]),
  );
  return (isSameOrder ? sorted : found).map(({ stated }) => stated);
}

/**
 * Finds the live link for each stated one: by title and address (and place, if there are several), else by title, else by
 * address. Equal links in one place keep the order of the stated ones.
 */
function matchLinks(wanted: readonly StatedLink[], structure: Structure): Map<StatedLink, LinkBody> {
  const free = new Set(linksIn(structure));
  const found = new Map<StatedLink, LinkBody>();
  const anchorOf = (link: LinkBody): LevelItem | undefined => {
    const level = structure.levels.get(link.sectionGroup ?? '') ?? [];
    return anchorAt(level, level.indexOf(link));
  };
  const isSamePlace = (stated: StatedLink, link: LinkBody) =>
    stated.after === pathOf(anchorOf(link), stated.after);
  for (const [withPlace, ...names] of [
    [true, 'title', 'url'],
    [false, 'title', 'url'],
    [false, 'title'],
    [false, 'url'],
  ] as const)
    for (const stated of wanted) {
      if (found.has(stated)) continue;
      const live = [...free].find(
        (link) =>
          names.every((name) => link[name] === stated[name]) && (!withPlace || isSamePlace(stated, link)),
      );
      if (live === undefined) continue;
      found.set(stated, live);
      free.delete(live);
    }
  // Among equal links, the last one may have been matched with the first stated one whose place is not stated.
  const alike = groupBy(
    wanted.filter((stated) => found.has(stated)),
    (stated) => {
      const link = found.get(stated) as LinkBody;
      return JSON.stringify([stated.title, stated.url, link.sectionGroup, anchorOf(link)?.id]);
    },
  );
  const order = linksIn(structure);
  for (const same of alike.values()) {
    const links = same.flatMap((stated) => found.get(stated) ?? []);
    links.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    for (const [index, stated] of same.entries()) {
      const link = links[index];
      if (link !== undefined) found.set(stated, link);
    }
  }
  return found;
}

function linksIn({ levels }: Structure): LinkBody[] {
  return [...levels.values()].flat().filter((item) => item.object === 'site-external-link');
}

/** Returns the nearest section, or group with sections, before an index of a level. */
function anchorAt(level: readonly LevelItem[], index: number): LevelItem | undefined {
  return level.slice(0, index).findLast((item) => lastSection(item) !== undefined);
}

/** Returns the section, or the group that contains it, in a level. @throws Problem(not-found) */
function anchorNamed(
  structure: Structure,
  level: readonly LevelItem[],
  path: string | null,
  link: LinkBody,
): LevelItem | undefined {
  if (path === null) return undefined;
  const found = level.find((item) => sectionsOf(item).includes(path));
  if (found !== undefined) return found;
  const isElsewhere = structure.sections.some((section) => section.path === path);
  throw new Problem(
    'not-found',
    isElsewhere
      ? `The external link "${link.title}" cannot follow the section "${path}", which is not in the same group.`
      : `The external link "${link.title}" cannot follow the section "${path}", because the site has no section with this path.`,
    { hint: 'Set "after" of this link to the path of a section in the same group.' },
  );
}

/** Returns the path of a section that names the place after a section or group: the stated path if it fits, else the last one. */
function pathOf(anchor: LevelItem | undefined, stated: string | null | undefined): string | null {
  if (anchor === undefined) return null;
  return typeof stated === 'string' && sectionsOf(anchor).includes(stated)
    ? stated
    : (lastSection(anchor) ?? null);
}

function sectionsOf(item: LevelItem): string[] {
  if (item.object === 'site-section') return [item.path];
  return item.object === 'site-external-link' ? [] : item.children.flatMap(sectionsOf);
}

function lastSection(item: LevelItem): string | undefined {
  return sectionsOf(item).at(-1);
}

/** Returns the title of a group, or its ID if several groups have the title. */
function nameOfGroup({ groups }: Structure, id: string, stated: string | undefined): string {
  const title = groups.find((group) => group.id === id)?.title ?? id;
  const isUnique = groups.filter((group) => group.title === title).length === 1;
  return isUnique && stated !== id ? title : id;
}

/** @throws Problem(not-found) or Problem(conflict) if not exactly one group has the title */
function groupNamed({ groups }: Structure, name: string, { title }: StatedLink): GroupBody {
  const found = groups.filter((group) => group.title === name || group.id === name);
  const [group] = found;
  if (group === undefined)
    throw new Problem(
      'not-found',
      `The site has no section group "${name}" for the external link "${title}".`,
      { hint: 'Write the title of a group of the same site.' },
    );
  if (found.length === 1) return group;
  throw new Problem('conflict', `${found.length} section groups have the title "${name}".`, {
    hint: `Give the ID of one of them as the group of the external link "${title}": ${found.map(({ id }) => id).join(', ')}.`,
  });
}

/** Converts a stated link to the form in which links are compared. */
function normalize({
  title,
  url,
  group,
  after,
  icon,
  description,
  condition,
  draft,
}: StatedLink): StatedLink {
  return {
    ...defined({ title, url, group, after, icon, description, condition }),
    ...(draft === true ? { draft } : {}),
  };
}
