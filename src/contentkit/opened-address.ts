import type { Action } from './elements.ts';
import { linkAddress } from './safe-values.ts';

/** The address that an action opens; undefined for actions that do something else. */
export function openedAddress(action: Action | undefined): string | undefined {
  return action?.['action'] === '@ui.url.open' ? linkAddress(action['url']) : undefined;
}
