import { organizations } from '../../core/rows/organizations.ts';
import { findOne, type ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';

/** Converts a title to a subdomain of at most 32 characters; undefined if fewer than 3 characters remain. */
export function hostnameFromTitle(title: string): string | undefined {
  const plain = title.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 32)
    .replace(/-$/, '');
  return slug.length < 3 ? undefined : slug;
}

/**
 * Returns a free hostname for a new organization: from its title, otherwise with a number up to 5, otherwise with the end of its
 * id.
 */
export async function chooseHostname(view: ReadTransaction, title: string, id: string): Promise<string> {
  const slug = hostnameFromTitle(title) ?? 'org';
  const numbered = ['', '-2', '-3', '-4', '-5'].map((suffix) => slug.slice(0, 32 - suffix.length) + suffix);
  for (const hostname of numbered.filter((name) => name !== 'org'))
    if (await isFree(view, hostname)) return hostname;
  return `${slug.slice(0, 19)}-${id.slice(-12).toLowerCase()}`;
}

/** Checks that no other organization has a hostname. @throws Problem(conflict) */
export async function checkHostname(
  view: ReadTransaction,
  hostname: string,
  organization: string,
): Promise<void> {
  if (await isFree(view, hostname, organization)) return;
  throw new Problem('conflict', `The hostname "${hostname}" belongs to another organization.`, {
    hint: 'Choose another hostname.',
  });
}

async function isFree(view: ReadTransaction, hostname: string, organization?: string): Promise<boolean> {
  const holder = await findOne(view, organizations, 'byHostname', [hostname]);
  return holder === undefined || holder.id === organization;
}
