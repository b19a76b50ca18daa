import { checkInput } from '../../contract/check.ts';
import { recordChanges } from '../../core/audit/record-changes.ts';
import { isoTime } from '../../core/clock.ts';
import type { Core } from '../../core/embedded.ts';
import { settings } from '../../core/rows/organizations.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { provision } from './contract.ts';
import { provisionOrganization, type ProvisionBody, type Provisioned } from './provision.ts';

/** Checks the first organization of a store before the store is created. @throws Problem(invalid-input) */
function checkFounder(body: ProvisionBody): void {
  try {
    checkInput(provision, { body });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.reason, error.message, {
      hint: 'To see the options, run `docsctl init --help`.',
      violations: error.violations,
    });
  }
}

/**
 * Creates the first organization of a store, the administrator who owns the store, and the operator's token.
 *
 * @throws Problem(conflict) if the store already has an organization
 */
export async function initializeStore(core: Core, body: ProvisionBody): Promise<Provisioned> {
  checkFounder(body);
  const { newId, randomBytes, vault, checkAddress } = core;
  const context = {
    now: isoTime(core.clock()),
    newId,
    randomBytes,
    vault,
    checkAddress,
    publisher: core.publisher,
    url: (path: string) => core.publicUrl + path,
    onProgress: () => {},
  };
  const initialize = async (tx: WriteTransaction) => {
    if ((await tx.get(settings, 'store')) !== undefined) {
      throw new Problem('conflict', 'This store already has an organization.', {
        hint: 'To create another one, run `docsctl orgs create --title TITLE --email EMAIL`.',
      });
    }
    const { made, administrator } = await provisionOrganization(tx, context, body, { operator: true });
    await tx.insert(settings, { id: 'store', administrator: administrator.id });
    return { made, administrator };
  };
  const { made } = await core.store.write((tx) =>
    recordChanges(tx, initialize, ({ administrator }) => ({
      action: provision.id,
      actor: { type: 'user', id: administrator.id, label: administrator.email },
      source: 'script',
      origin: { kind: 'local', ...defined({ user: core.osUser?.() }) },
      now: context.now,
    })),
  );
  return made;
}
