import { defined, getOrInsert } from '../../contract/values.ts';
import { createIntegrationToken, hashToken, integrationUserId } from '../../core/callers.ts';
import { hour } from '../../core/clock.ts';
import type { Services } from '../../core/handler.ts';
import { users } from '../../core/rows/organizations.ts';
import {
  integrations,
  integrationTokens,
  type InstallationRow,
  type IntegrationRow,
} from '../../core/rows/integrations.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';

/** Lifetime of a token, and minimum remaining lifetime when it is given to a script, both in milliseconds. */
const lifetime = hour;
const margin = 15 * 60 * 1000;

type Minting = Pick<Services, 'newId' | 'randomBytes'>;
interface Minted {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: string;
}

/** The tokens that this process created, by the vault of their core. They are cached because stores contain only hashes. */
const minted = new WeakMap<object, Map<string, Minted>>();

/**
 * Returns a token for the API that acts as an integration, or as an installation of it. Creates one if no token is valid for long
 * enough.
 *
 * @throws Problem(not-found) if its organization has deleted the integration meanwhile
 */
export async function apiTokenOf(
  services: Pick<Services, 'vault' | 'read' | 'write' | 'now' | 'newId' | 'randomBytes'>,
  integration: IntegrationRow,
  installation?: InstallationRow,
): Promise<string> {
  const known = getOrInsert(minted, services.vault, () => new Map<string, Minted>());
  const key = installation?.id ?? `${integration.id} `;
  const last = known.get(key);
  const now = services.now();
  // Meanwhile, another organization may have created an integration with this name.
  const check = async (view: ReadTransaction): Promise<void> => {
    if (!(await isStillOf(view, integration))) throw notFound('integration', integration.id);
  };
  if (last !== undefined && Date.parse(last.expiresAt) > Date.parse(now) + margin) {
    const row = await services.read(async (view) => {
      await check(view);
      return view.get(integrationTokens, last.id);
    });
    if (row?.integration === integration.id) return last.token;
  }
  const made = await services.write(async (tx) => {
    await check(tx);
    return mintToken({ ...services, tx, now }, integration, installation);
  });
  known.set(key, made);
  return made.token;
}

/** Whether an integration that was read earlier still belongs to the same organization. */
export async function isStillOf(
  view: ReadTransaction,
  { id, organization }: Pick<IntegrationRow, 'id' | 'organization'>,
): Promise<boolean> {
  return (await view.get(integrations, id))?.organization === organization;
}

/** Creates a token that acts as an integration, or as an installation of it, and is valid for an hour. */
export async function mintToken(
  { tx, now, newId, randomBytes }: Minting & { tx: WriteTransaction; now: string },
  { id: integration, looks }: IntegrationRow,
  installation?: InstallationRow,
): Promise<Minted> {
  const user = integrationUserId(integration);
  if ((await tx.get(users, user)) === undefined)
    await tx.insert(users, {
      id: user,
      // Nobody can own this address, because names below .invalid never exist.
      email: `${user}@integrations.invalid`,
      displayName: (looks as { title?: string }).title ?? integration,
      createdAt: now,
    });
  for (const old of await tx.find(integrationTokens, {
    index: 'byIntegration',
    equals: [integration],
    limit: 4,
  }))
    if (old.expiresAt <= now) await tx.remove(integrationTokens, old.id);
  const token = createIntegrationToken(randomBytes);
  const row = {
    id: newId('itk'),
    hash: hashToken(token),
    integration,
    ...defined({ installation: installation?.id }),
    user,
    createdAt: now,
    expiresAt: new Date(Date.parse(now) + lifetime).toISOString(),
  };
  await tx.insert(integrationTokens, row);
  return { id: row.id, token, expiresAt: row.expiresAt };
}
