import { closed, DateTime, nullable, Type, type TProperties, type TSchema } from '../../contract/schema.ts';
import { groups, Settings } from './declarations.ts';

type Partly<T> = { [K in keyof T]?: K extends keyof typeof groups ? GroupPartly<T[K]> : T[K] };
type GroupPartly<T> = { [K in keyof T]?: K extends 'sidebar' | 'codeTheme' ? Partial<T[K]> : T[K] };
/** The settings that somebody chose; the others have their defaults. */
export type ChosenSettings = Partly<Settings>;

/** Whether the settings at a path, such as `styling.sidebar`, are chosen one by one. Otherwise they are one value. */
export function isGroup(path: string): boolean {
  return Object.hasOwn(groups, path) || path === 'styling.sidebar' || path === 'styling.codeTheme';
}

/** What a site space cannot have of its own. */
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

/** Makes the fields of a group optional, and those of its groups; with `keep`, only fields that it accepts. */
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

/** Settings as a request replaces them: those that are left out have their defaults. */
export const CustomizationInput = Type.Unsafe<ChosenSettings>(closed(everyField));

/**
 * Returns the fields of the settings of a site, or of those that a site space can override. Null is the same as none: the
 * default, or the setting of the site.
 */
export function settingsFields(scope: 'site' | 'site-space'): TProperties {
  const isAccepted = (path: string): boolean => scope === 'site' || !ofSitesOnly.has(path);
  return optionalFields(Settings.properties, '', (value) => nullable(value), isAccepted);
}

/** Settings as a request overrides them: null takes the setting of the site again. */
export const CustomizationOverride = Type.Unsafe<Record<string, unknown>>(
  closed(settingsFields('site-space')),
);

/** Settings as a request changes them, each for itself; null stands for the default. A list is one value. */
export const CustomizationPatch = Type.Unsafe<Readonly<Record<string, unknown>>>(patchOf(Settings));

/** Makes every field of an object optional and nullable, and those of the objects in it. */
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

/** The fields of an object that has always the same ones. */
export function fieldsOf(schema: TSchema): TProperties | undefined {
  return (schema as { readonly properties?: TProperties }).properties;
}

/** The appearance of a published site: every setting. */
export const SiteCustomization = closed({ ...Settings.properties, updatedAt: Type.Optional(DateTime) });

/** The appearance of a site space: the settings of its site, with its own in their place. */
export const SiteSpaceCustomization = closed({
  ...SiteCustomization.properties,
  hasOverrides: Type.Boolean(),
  /** Not in the official API, which cannot tell an override from the same setting of the site. */
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
