import type { Operation, OutputOf } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { minRole } from '../../core/permissions.ts';
import { orUndefined } from '../../errors/problem.ts';
import { getMember } from '../../resources/members/contract.ts';
import type { createToken } from '../../resources/tokens/contract.ts';
import type { Session } from '../session/session.ts';

interface Secret {
  readonly field: string;
  readonly word: string;
  readonly command: string;
}

const token = { field: 'token', word: 'token' };

/** The operations that return a secret which no other operation can show. */
export const secretsShownOnce: Readonly<Record<string, Secret>> = {
  'integrations.installations.token': { ...token, command: 'docsctl integrations installations token' },
  'integrations.signing-secret': {
    field: 'signingSecret',
    word: 'signing secret',
    command: 'docsctl integrations signing-secret',
  },
  'orgs.provision': { ...token, command: 'docsctl tokens create --role ROLE' },
  'tokens.create': { ...token, command: 'docsctl tokens create --role ROLE' },
};

/**
 * Notes that the secrets in the printed results cannot be shown again, or that the output options left them out. Several results
 * were printed as a list.
 */
export async function noteSecrets(
  session: Session,
  { id }: Operation,
  results: readonly unknown[],
): Promise<void> {
  const secret = secretsShownOnce[id];
  const [first] = results;
  if (secret === undefined || first === undefined) return;
  const { field, word, command } = secret;
  const printed = results.length === 1 ? first : { items: results };
  const texts = results.map((result) => String(valueAt(result, field)));
  if (id === 'tokens.create') await noteLimit(session, first as OutputOf<typeof createToken>);
  const isOne = results.length === 1;
  const what = `${word}${isOne ? '' : 's'}`;
  if (await isPrinted(session, printed, { field, texts }))
    return session.note(`Save the ${what} now: ${isOne ? 'it' : 'they'} cannot be shown again.`);
  const organization = valueAt(first, 'organization.id') ?? valueAt(first, 'organization');
  const place = id === 'orgs.provision' ? ` --org ${String(organization)}` : '';
  session.note(
    `The ${what} ${isOne ? 'was' : 'were'} not shown. Create ${isOne ? 'another' : 'others'} with \`${command}${place}\`.`,
  );
}

/** Notes that the member of a new token has a lower role, which limits the token. */
async function noteLimit(
  session: Session,
  { organization, role, user }: OutputOf<typeof createToken>,
): Promise<void> {
  const params = { organizationId: organization ?? '', userId: user.id };
  const member = await orUndefined(
    session.call(getMember, { params }),
    'not-found',
    'forbidden',
    'not-implemented',
    'unreachable',
  );
  const allowed = role === 'guest' ? null : role;
  if (member === undefined || minRole(member.role, allowed) === allowed) return;
  const own = member.role === null ? 'is a guest of' : `has the ${member.role} role in`;
  const name = user.email ?? user.displayName;
  session.note(`${name} ${own} the organization. The token cannot do more than its user.`);
}

/** Whether the output options print a field of the results with these values. */
async function isPrinted(
  { format, flags: { columns, query } }: Session,
  printed: unknown,
  { field, texts }: { field: string; texts: readonly string[] },
): Promise<boolean> {
  if (format === 'none') return false;
  if (query !== undefined) {
    const { createQuery } = await import('../output/query.ts');
    const selected = JSON.stringify(createQuery(query)(printed) ?? null);
    return texts.every((text) => selected.includes(text));
  }
  if (columns === undefined) return format !== 'id';
  const { parseColumns } = await import('../output/columns.ts');
  return parseColumns([columns]).some(({ path }) => path === field);
}
