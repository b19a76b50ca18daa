import type { OutputOf, InputOf } from '../../contract/operation.ts';
import type { RequestContext } from '../../core/handler.ts';
import { createToken, hashToken } from '../../core/callers.ts';
import { tokens, type UserRow } from '../../core/rows/organizations.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { findOrCreateUser } from '../users/rules.ts';
import { shapeUser } from '../users/shape.ts';
import type * as contract from './contract.ts';
import { insertOrganization } from './rules.ts';
import { shapeOrganization } from './shape.ts';

export type ProvisionBody = NonNullable<InputOf<typeof contract.provision>['body']>;
export type Provisioned = OutputOf<typeof contract.provision>;

/**
 * Creates an organization, its administrator and a token for the administrator. The operator's token is valid for every
 * organization of its user, other tokens only for the new organization.
 */
export async function provisionOrganization(
  tx: WriteTransaction,
  context: Omit<RequestContext, 'caller'>,
  body: ProvisionBody,
  { operator }: { operator: boolean },
): Promise<{ made: Provisioned; administrator: UserRow }> {
  const { now, newId, randomBytes, url } = context;
  const administrator = await findOrCreateUser(tx, context, body.email, body.displayName);
  const organization = await insertOrganization(tx, context, body, administrator);
  const token = createToken(randomBytes);
  await tx.insert(tokens, {
    id: newId('tok'),
    hash: hashToken(token),
    user: administrator.id,
    organization: operator ? null : organization.id,
    role: 'admin',
    name: operator ? 'operator' : null,
    operator,
    createdAt: now,
    expiresAt: null,
  });
  const shown = await shapeOrganization({ tx, url }, organization, {
    user: administrator.id,
    role: 'admin',
  });
  return {
    made: { organization: shown, user: shapeUser(context, administrator), token },
    administrator,
  };
}
