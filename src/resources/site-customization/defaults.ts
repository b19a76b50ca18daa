import { mergeSettings, settingsApartFrom } from '../../core/grouped-settings.ts';
import { defaultSettings } from './base.ts';
import type { Settings } from './declarations.ts';
import { isGroup, type ChosenSettings } from './schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the settings in effect: the defaults, with the chosen ones of a site, and of a site space, in their place. */
export function effectiveSettings(...chosen: readonly (ChosenSettings | undefined)[]): Settings {
  let settings: Fields = defaultSettings;
  for (const one of chosen) if (one !== undefined) settings = mergeSettings(settings, one, isGroup);
  return settings as Settings;
}

/** Returns only the settings that are not as the defaults; groups without any are left out. */
export function withoutDefaults(settings: Fields): ChosenSettings {
  return settingsApartFrom(defaultSettings, settings, isGroup);
}
