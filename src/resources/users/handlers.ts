import { roleIn } from '../../core/authorize.ts';
import type { Context, Handler } from '../../core/handler.ts';
import { members, tokens, users, type UserRow } from '../../core/rows/organizations.ts';
import { changeFrom, collectRows } from '../../core/store.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { checkTokenOrganization } from '../organizations/rules.ts';
import { createLink, tokenOfLink } from './app-sessions.ts';
import type * as contract from './contract.ts';
import { shapeUser } from './shape.ts';

export const me: Handler<typeof contract.me> = async (context) => shapeUser(context, context.caller.user);

export const getUser: Handler<typeof contract.getUser> = async (context, { params }) =>
  shapeUser(context, await visibleUser(context, params.userId));

export const updateUser: Handler<typeof contract.updateUser> = async (context, { params, body }) => {
  const { tx, caller } = context;
  if (Object.keys(body).length === 0)
    throw invalid(
      '/body',
      'The request contains no change.',
      'Give a name with --display-name, or a picture with --photo-url.',
    );
  const user = await visibleUser(context, params.userId);
  if (user.id !== caller.user.id)
    throw new Problem('forbidden', `Only ${user.displayName} can change the name and picture of this user.`, {
      hint: 'Ask them to change it, or run `docsctl whoami` to see who you are.',
    });
  checkTokenOrganization(caller);
  if (caller.maxRole !== 'admin' || caller.integration !== undefined)
    throw new Problem(
      'forbidden',
      'Your token cannot change your name and picture, because its role is lower than admin.',
      {
        hint: 'Use a token with the admin role.',
      },
    );
  const changed = await tx.update(users, user.id, changeFrom(body));
  if (body.displayName !== undefined)
    for (const { id } of await collectRows(tx, members, 'byUser', [user.id]))
      await tx.update(members, id, { displayName: body.displayName });
  return shapeUser(context, changed);
};

/** Returns the caller, or a member of one of the caller's organizations. @throws Problem(not-found) */
async function visibleUser({ tx, caller }: Context<typeof contract.getUser>, id: string): Promise<UserRow> {
  const user = await tx.get(users, id);
  if (user === undefined) throw notFound('user', id);
  if (user.id === caller.user.id || caller.owner) return user;
  let isGuest = false;
  for (const { organization } of await collectRows(tx, members, 'byUser', [id])) {
    const role = await roleIn(tx, caller, organization);
    if (role !== undefined && role !== null) return user;
    isGuest ||= role === null;
  }
  if (isGuest)
    throw new Problem(
      'forbidden',
      'Guests of an organization, and tokens with the guest role, see only their own user.',
      {
        hint: 'Ask an administrator of the organization for a role.',
      },
    );
  throw notFound('user', id);
}

export const myToken: Handler<typeof contract.myToken> = async ({ tx, caller }) => {
  const row = caller.token === undefined ? undefined : await tx.get(tokens, caller.token);
  if (row === undefined) throw new Problem('not-found', 'This request was made without a token.');
  const { id, role, organization, expiresAt } = row;
  return { object: 'token', id, role, organization, expiresAt };
};

export const createSignInLink: Handler<typeof contract.createSignInLink> = async (context, { body }) => {
  const { caller, url } = context;
  const token = tokenOfLink(caller);
  const { origin, pathname, search, hash } = new URL(body.url);
  const pages = ['/o/', '/integrations/'].map((path) => new URL(url(path)));
  const isPage = pages.some((page) => page.origin === origin && pathname.startsWith(page.pathname));
  if (!isPage)
    throw invalid(
      '/body/url',
      `${body.url.slice(0, 200)} is not a page of this server.`,
      `Give the address in the field urls.app of a response. It starts with ${url('/o/')}.`,
    );
  const { code, expiresAt } = await createLink(context, {
    token,
    path: pathname + search + hash,
  });
  return { object: 'sign-in-link', url: url(`/o/~session?code=${code}`), expiresAt };
};
