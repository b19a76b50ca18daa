import { isRecord, recordOf } from '../contract/values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether the value at a path, such as `styling.sidebar`, is a group of settings. Otherwise it is one setting. */
type IsGroup = (path: string) => boolean;

/** Merges `over` into `base`, setting by setting. A null in `over` removes the setting. */
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
          ? mergeSettings(recordOf(before), value, isGroup, `${prefix}${name}.`)
          : value;
  }
  return merged;
}

/** Returns the settings that differ from those of `base`, without nulls and empty groups. */
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
      const inner = settingsApartFrom(recordOf(usual), value, isGroup, `${prefix}${name}.`);
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
