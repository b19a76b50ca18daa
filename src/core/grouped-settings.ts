import { isRecord } from '../contract/values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether the settings at a path, such as `styling.sidebar`, are chosen one by one. Otherwise they are one value. */
type IsGroup = (path: string) => boolean;

/** Returns settings with others in their place. A null in the others removes a setting, and takes away nothing else. */
export function mergeSettings(
  base: Fields,
  over: Fields,
  isGroup: IsGroup,
  prefix = '',
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else if (value !== undefined)
      merged[name] =
        isGroup(prefix + name) && isRecord(value)
          ? mergeSettings(isRecord(before) ? before : {}, value, isGroup, `${prefix}${name}.`)
          : value;
  }
  return merged;
}

/** Returns only the settings that are not as those of a base; nulls, and groups without any, are left out. */
export function settingsApartFrom(
  base: Fields,
  settings: Fields,
  isGroup: IsGroup,
  prefix = '',
): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || value === null) continue;
    const usual = base[name];
    if (isGroup(prefix + name) && isRecord(value)) {
      const inner = settingsApartFrom(isRecord(usual) ? usual : {}, value, isGroup, `${prefix}${name}.`);
      if (Object.keys(inner).length > 0) chosen[name] = inner;
    } else if (!isSameJson(value, usual)) chosen[name] = value;
  }
  return chosen;
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]));
  if (isRecord(one) && isRecord(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length && names.every((name) => isSameJson(one[name], other[name]))
    );
  }
  return one === other;
}
