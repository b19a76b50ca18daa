import { closed, DateTime, nullable, Type, type TProperties, type TSchema } from '../../contract/schema.ts';
import { groups, Settings } from './declarations.ts';

type Partly<T> = { [K in keyof T]?: K extends keyof typeof groups ? GroupPartly<T[K]> : T[K] };
type GroupPartly<T> = { [K in keyof T]?: K extends 'sidebar' | 'codeTheme' ? Partial<T[K]> : T[K] };
/** The settings that somebody chose. All others have their defaults. */
export type ChosenSettings = Partly<Settings>;

/** Whether the settings at a path, such as `styling.sidebar`, are chosen individually. Otherwise they are one value. */
export function isGroup(path: string): boolean {
  return Object.hasOwn(groups, path) || path === 'styling.sidebar' || path === 'styling.codeTheme';
}

/** The settings that a site space cannot override. */
const ofSitesOnly = new Set([
  'styling.font',
  'styling.headingFont',
  'styling.monospaceFont',
  'ai',
  'advancedCustomization',
  'pdf',
  'git',
  'pageActions',
  'insights',
  'socialAccounts',
]);

/** Makes the fields of a group and of its subgroups optional. With `keep`, only fields that it accepts are included. */
function optionalFields(
  properties: TProperties,
  prefix: string,
  change: (value: TSchema) => TSchema,
  keep: (path: string) => boolean,
): TProperties {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => keep(prefix + name))
      .map(([name, schema]) => {
        const path = prefix + name;
        const { properties: inner, description } = schema as {
          properties?: TProperties;
          description?: string;
        };
        return [
          name,
          Type.Optional(
            isGroup(path) && inner !== undefined
              ? closed(optionalFields(inner, `${path}.`, change, keep), { description })
              : change(schema),
          ),
        ];
      }),
  );
}

const everyField = optionalFields(
  Settings.properties,
  '',
  (value) => value,
  () => true,
);

/** The settings in a request that replaces them. Fields that are left out get their defaults. */
export const CustomizationInput = Type.Unsafe<ChosenSettings>(closed(everyField));

/**
 * Returns the fields of the settings of a site, or of the settings that a site space can override. Null is the same as a missing
 * field: the default, or the setting of the site.
 */
export function settingsFields(scope: 'site' | 'site-space'): TProperties {
  const isAccepted = (path: string) => scope === 'site' || !ofSitesOnly.has(path);
  return optionalFields(Settings.properties, '', (value) => nullable(value), isAccepted);
}

/** The settings in a request that overrides them. Null restores the setting of the site. */
export const CustomizationOverride = Type.Unsafe<Record<string, unknown>>(
  closed(settingsFields('site-space')),
);

/** The settings in a request that changes them individually. Null restores the default. A list is one value. */
export const CustomizationPatch = Type.Unsafe<Readonly<Record<string, unknown>>>(patchOf(Settings));

/** Makes every field of an object, and of nested objects, optional and nullable. */
function patchOf(schema: TSchema): TSchema {
  const fields = fieldsOf(schema);
  if (fields === undefined) return schema;
  const { description } = schema;
  const optional = Object.entries(fields).map(([name, field]) => [
    name,
    Type.Optional(nullable(patchOf(field))),
  ]);
  return closed(
    Object.fromEntries(optional) as TProperties,
    description === undefined ? {} : { description },
  );
}

/** Returns the fields of an object with fixed fields; undefined for other schemas. */
export function fieldsOf(schema: TSchema): TProperties | undefined {
  return (schema as { properties?: TProperties }).properties;
}

/** The appearance of a published site, with every setting. */
export const SiteCustomization = closed({ ...Settings.properties, updatedAt: Type.Optional(DateTime) });

/** The appearance of a site space: the settings of its site, with the overrides of the site space. */
export const SiteSpaceCustomization = closed({
  ...SiteCustomization.properties,
  hasOverrides: Type.Boolean(),
  /** Not in the official API, which cannot distinguish an override from an equal setting of the site. */
  overrides: Type.Optional(
    Type.Unsafe<ChosenSettings>(
      closed(
        optionalFields(
          Settings.properties,
          '',
          (value) => value,
          (path) => !ofSitesOnly.has(path),
        ),
        { description: 'settings that the space overrides; absent if there are none' },
      ),
    ),
  ),
});
