import type { Outgoing } from '../../core/outgoing.ts';
import type { Session } from './session.ts';

/**
 * Creates the function for guarded requests from this machine to other services, with the proxy and the certificates in the
 * settings.
 */
export async function openOutgoing({
  runtime,
  settings,
}: Pick<Session, 'runtime' | 'settings'>): Promise<Outgoing> {
  const [{ configuredOutgoing }, { readCa }] = await Promise.all([
    import('../../client/outgoing.ts'),
    import('../../client/connection.ts'),
  ]);
  return configuredOutgoing({ env: runtime.env, ca: readCa(settings.caFile, runtime.cwd) });
}
