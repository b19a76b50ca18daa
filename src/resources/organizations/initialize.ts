import { checkInput } from '../../contract/check.ts';
import { isoTime } from '../../core/clock.ts';
import type { Core } from '../../core/embedded.ts';
import { settings } from '../../core/rows/organizations.ts';
import { Problem } from '../../errors/problem.ts';
import { provision } from './contract.ts';
import { provisionOrganization, type ProvisionBody, type Provisioned } from './provision.ts';

/** The first organization of a store, the administrator who owns the store, and the operator's token. */
export async function initialize(core: Core, body: ProvisionBody): Promise<Provisioned> {
  checkInput(provision, { body });
  const surroundings = { now: isoTime(core.clock()), newId: core.newId, randomBytes: core.randomBytes, vault: core.vault, url: (path: string) => core.publicUrl + path };
  return core.store.write(async (tx) => {
    if ((await tx.get(settings, 'store')) !== undefined) {
      throw new Problem('conflict', 'This store has its first organization already.', { hint: 'Run `docsctl orgs create --title TITLE --email EMAIL` for another one.' });
    }
    const { made, administrator } = await provisionOrganization(tx, surroundings, body, { operator: true });
    await tx.insert(settings, { id: 'store', administrator: administrator.id });
    return made;
  });
}
