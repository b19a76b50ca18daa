import type { Action } from './elements.ts';
import { linkAddress } from './safe-values.ts';

/** Returns the address that an action opens; undefined for other actions. */
export function openedAddress(action: Action | undefined): string | undefined {
  return action?.['action'] === '@ui.url.open' ? linkAddress(action['url']) : undefined;
}
