import { closed, nullable, Type, type TProperties, type TSchema } from '../../contract/schema.ts';
import { isObject, isRecord, recordOf } from '../../contract/values.ts';
import {
  getSiteCustomization,
  getSiteSpaceCustomization,
  overrideSiteSpaceCustomization,
  replaceSiteCustomization,
  resetSiteSpaceCustomization,
} from '../../resources/site-customization/contract.ts';
import { mergeSettings, settingsApartFrom } from '../../core/grouped-settings.ts';
import { defaultSettings } from '../../resources/site-customization/base.ts';
import { isGroup, settingsFields } from '../../resources/site-customization/schemas.ts';
import {
  siteOf,
  type Backend,
  type Body,
  type Call,
  type Field,
  type Fields,
  type Located,
} from '../kind.ts';
import { acceptsNull } from '../read/schema.ts';
import { isSame } from '../value.ts';
import { checkCondition } from './condition.ts';
import { callFor, reference } from './fields.ts';
import { pagesAtPlan, pagesNow, type PageReader } from './page-paths.ts';

/** The common parts of both kinds of customization. */
const shared = {
  call: 'customization',
  refersTo: 'space',
  isIndependent: true,
  default: {},
  check: (value, above, fault) => {
    for (const { condition, path } of conditionsIn(value))
      checkCondition(condition, above, (message) => fault(message, path));
  },
} satisfies Partial<Field>;

/** The settings of a site that differ from the defaults. The value is complete. */
export function siteCustomizationField<R extends Body>(): Field<R> {
  return {
    ...shared,
    schema: settingsSchema('site', 'appearance of the site; settings that are left out have their defaults'),
    fetch: async (backend, at) =>
      inOrder(
        settingsApartFrom(
          defaultSettings,
          await withPaths(await readSite(backend, at), pagesAtPlan(backend)),
          isGroup,
        ),
      ),
    normalize: (value) => settingsApartFrom(defaultSettings, value as Fields, isGroup),
  };
}

/** Sets all settings with one call, after the spaces and pages that links lead to exist. */
export const siteCustomizationCall: Call = {
  late: true,
  send: async (backend, at, { customization }) => {
    const body = await withIds(customization as Fields, pagesNow(backend));
    await callFor(backend, replaceSiteCustomization, at, body);
  },
};

/** The settings that a site space overrides. The value is complete. */
export function siteSpaceCustomizationField<R extends Body>(): Field<R> {
  return {
    ...shared,
    schema: settingsSchema('site-space', 'settings that override those of the site for this space; {}: none'),
    fetch: async (backend, at, stated) =>
      inOrder(await readOverrides(backend, at, (stated ?? {}) as Fields, pagesAtPlan(backend))),
    // An override with the same value as the site counts too.
    normalize: (value) => settingsApartFrom({}, value as Fields, isGroup),
  };
}

/** Sets the stated settings, and removes all other overrides. */
export const siteSpaceCustomizationCall: Call = {
  late: true,
  send: async (backend, at, { customization }) => {
    const pages = pagesNow(backend);
    const stated = customization as Fields;
    const live = await readOverrides(backend, at, stated, pages);
    if (Object.keys(stated).length > 0)
      await callFor(
        backend,
        overrideSiteSpaceCustomization,
        at,
        withRemoved(await withIds(stated, pages), live),
      );
    else if ((await callFor(backend, getSiteSpaceCustomization, at)).hasOverrides)
      await callFor(backend, resetSiteSpaceCustomization, at);
  },
};

async function readSite(backend: Backend, at: Located): Promise<Fields> {
  const site: Located = { kind: 'site', id: siteOf(at) };
  const { updatedAt: _, ...settings } = await callFor(backend, getSiteCustomization, site);
  return settings;
}

/**
 * Reads the overrides of a site space. If the backend shows only the effective settings, those that differ from the settings of
 * the site are overrides. Overrides with equal values cannot be seen, so stated settings count as overrides if they are in
 * effect.
 */
async function readOverrides(
  backend: Backend,
  at: Located,
  stated: Fields,
  pages: PageReader,
): Promise<Fields> {
  const {
    updatedAt: _,
    hasOverrides,
    overrides,
    ...own
  } = await callFor(backend, getSiteSpaceCustomization, at);
  if (!hasOverrides) return {};
  if (overrides !== undefined) return withPaths(overrides, pages);
  const settings = await withPaths(own, pages);
  const site = await withPaths(await readSite(backend, at), pages);
  return mergeSettings(settingsApartFrom(site, settings, isGroup), inEffect(stated, settings), isGroup);
}

/** Sorts settings in the order of the manifest reference. */
function inOrder(settings: Fields): Fields {
  const ranks = Object.keys(settingsFields('site'));
  const sorted = Object.entries(settings).toSorted(([a], [b]) => ranks.indexOf(a) - ranks.indexOf(b));
  return Object.fromEntries(sorted);
}

/** Returns the stated settings that have the same value in `settings`. */
function inEffect(stated: Fields, settings: Fields, prefix = ''): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stated)) {
    const now = settings[name];
    if (isGroup(prefix + name) && isRecord(value)) {
      const inner = inEffect(value, recordOf(now), `${prefix}${name}.`);
      if (Object.keys(inner).length > 0) found[name] = inner;
    } else if (isSame(value, now)) found[name] = value;
  }
  return found;
}

/** Adds a null for each live override that is not stated. Nulls remove overrides. */
function withRemoved(stated: Fields, live: Fields, prefix = ''): Record<string, unknown> {
  const body: Record<string, unknown> = { ...stated };
  for (const [name, value] of Object.entries(live)) {
    const own = stated[name];
    if (isGroup(prefix + name) && isRecord(value))
      body[name] = withRemoved(recordOf(own), value, `${prefix}${name}.`);
    else if (own === undefined) body[name] = null;
  }
  return body;
}

/** Replaces IDs of pages and files in the links and images of settings by their paths and names. */
function withPaths(settings: Fields, pages: PageReader): Promise<Fields> {
  return mapTargets(settings, async (space, kind, id) => {
    const content = await pages(space);
    return kind === 'page' ? content.pathOf(id) : content.nameOfFile(id);
  });
}

/** Replaces paths of pages and names of files by their IDs. @throws Problem(not-found) */
function withIds(settings: Fields, pages: PageReader): Promise<Fields> {
  return mapTargets(settings, async (space, kind, name) => {
    const content = await pages(space);
    return kind === 'page' ? content.idOf(name) : content.idOfFile(name);
  });
}

async function mapTargets(
  settings: Fields,
  change: (space: string, kind: 'page' | 'file', target: string) => Promise<string>,
): Promise<Fields> {
  const map = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(map));
    if (!isRecord(value)) return value;
    const { kind, space } = value;
    if (kind === 'page' || kind === 'file')
      return { ...value, [kind]: await change(String(space), kind, String(value[kind])) };
    const entries = Object.entries(value).map(async ([name, inner]) => [name, await map(inner)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return (await map(settings)) as Fields;
}

/** Returns the conditions in a value with their paths. */
function conditionsIn(
  value: unknown,
  path: readonly (string | number)[] = [],
): { condition: string; path: readonly (string | number)[] }[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === 'condition' && typeof inner === 'string'
      ? [{ condition: inner, path: [...path, name] }]
      : conditionsIn(inner, [...path, name]),
  );
}

/** Returns the schema of settings in a manifest: links name spaces by references and pages by paths. */
function settingsSchema(scope: 'site' | 'site-space', description: string): TSchema {
  const fields = Object.entries(settingsFields(scope)).map(([name, schema]) => {
    const named = withReferences(schema);
    return [name, Type.Optional(acceptsNull(named) ? named : nullable(named))] as const;
  });
  return closed(Object.fromEntries(fields), { description });
}

function withReferences(schema: TSchema): TSchema {
  const { properties, items, anyOf } = schema as {
    properties?: TProperties;
    items?: TSchema;
    anyOf?: TSchema[];
  };
  const changed: Record<string, unknown> = { ...schema };
  if (items !== undefined) changed['items'] = withReferences(items);
  if (anyOf !== undefined) changed['anyOf'] = anyOf.map(withReferences);
  if (properties !== undefined)
    changed['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        name === 'space' && Object.hasOwn(properties, 'kind')
          ? reference(
              Object.hasOwn(properties, 'file') ? 'space that has the file' : 'space that the link leads to',
            )
          : name === 'page' && Object.hasOwn(properties, 'kind')
            ? Type.String({ minLength: 1, maxLength: 2048, description: 'path of the page in the space' })
            : name === 'file' && Object.hasOwn(properties, 'kind')
              ? Type.String({ minLength: 1, maxLength: 255, description: 'name of the file in the space' })
              : withReferences(inner),
      ]),
    );
  return changed as TSchema;
}
