import type { Handler } from '../../core/handler.ts';
import { tokens } from '../../core/rows/organizations.ts';
import { Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { shapeUser } from './shape.ts';

export const me: Handler<typeof contract.me> = async (context) => shapeUser(context, context.caller.user);

export const myToken: Handler<typeof contract.myToken> = async ({ tx, caller }) => {
  const row = caller.token === undefined ? undefined : await tx.get(tokens, caller.token);
  if (row === undefined) throw new Problem('not-found', 'This request was made without a token.');
  const { id, role, organization, expiresAt } = row;
  return { object: 'token', id, role, organization, expiresAt };
};
