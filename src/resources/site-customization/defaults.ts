import { mergeSettings, settingsApartFrom } from '../../core/grouped-settings.ts';
import { defaultSettings } from './base.ts';
import type { Settings } from './declarations.ts';
import { isGroup, type ChosenSettings } from './schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the effective settings: the defaults, overridden by the chosen settings of a site and then of a site space. */
export function effectiveSettings(...chosen: readonly (ChosenSettings | undefined)[]): Settings {
  let settings: Fields = defaultSettings;
  for (const one of chosen) if (one !== undefined) settings = mergeSettings(settings, one, isGroup);
  return settings as Settings;
}

/** Returns only the settings that differ from the defaults. Empty groups are left out. */
export function withoutDefaults(settings: Fields): ChosenSettings {
  return settingsApartFrom(defaultSettings, settings, isGroup);
}
