import type { Api } from '../../contract/api.ts';
import { embeddedApi, type Core } from '../../core/embedded.ts';
import type { Session } from '../session/session.ts';
import { credentialOf } from '../settings/settings.ts';

/** Returns an Api that reads a preview with the rights of the user: the member of --as, or the owner of the store. */
export function readerOf({ settings }: Session, core: Core): Api {
  return embeddedApi(core, credentialOf(settings));
}
