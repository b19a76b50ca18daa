import { organizations } from '../../core/rows/organizations.ts';
import type { CustomHostnameRow } from '../../core/rows/custom-hostnames.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';

const variable = 'DOCSCTL_TRUST_HOSTNAMES';

/** Returns the hostname of a row. */
export function hostnameOf({ id, hostname = id }: CustomHostnameRow): string {
  return hostname;
}

/** Returns the ID of the row of an organization that has to prove a hostname that another organization already has. */
export function claimId(hostname: string, organization: string): string {
  return `${hostname}~${organization}`;
}

/** Returns the TXT record with which the owner of a hostname allows an organization to use it. */
export function proofRecord(hostname: string, organization: string): { name: string; value: string } {
  return { name: `_docsctl.${hostname}`, value: `docsctl-organization=${organization}` };
}

/** Whether the TXT records of a host include the proof that an organization may use it. */
export function isProof(texts: readonly string[], hostname: string, organization: string): boolean {
  const { value } = proofRecord(hostname, organization);
  return texts.some((text) => text.trim() === value);
}

/**
 * Whether this server accepts hostnames without a TXT record: as set with DOCSCTL_TRUST_HOSTNAMES, or by default if it has only
 * one organization.
 *
 * @throws Problem(invalid-input) for a value other than yes or no
 */
export async function trustsHostnames(
  view: ReadTransaction,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return statedTrust(env) ?? (await view.scan(organizations, '', 2)).length < 2;
}

/** Returns the value of DOCSCTL_TRUST_HOSTNAMES. @throws Problem(invalid-input) for a value other than yes or no */
export function statedTrust(env: Readonly<Record<string, string | undefined>>): boolean | undefined {
  const stated = env[variable] ?? '';
  if (stated === '') return undefined;
  if (stated === 'yes' || stated === 'no') return stated === 'yes';
  throw new Problem('invalid-input', `${variable} is "${stated.slice(0, 50)}", which is not yes or no.`, {
    hint: 'Set it to yes or no, or unset it.',
  });
}

/**
 * Whether the hostname is the address of the site of the row: no other organization has it, it is proven, and it leads to this
 * server.
 */
export function isActive({ hostname, status, proof }: CustomHostnameRow): boolean {
  return hostname === undefined && status === 'dns_passed' && proof !== 'missing' && proof !== 'unchecked';
}

/** Returns the state of a hostname for the API. */
export function stateOf(row: CustomHostnameRow): 'pending' | 'active' | 'failed' {
  if (isActive(row)) return 'active';
  return row.status === undefined || row.proof === 'unchecked' ? 'pending' : 'failed';
}

/** Returns a sentence that says why a hostname is not active. Returns undefined if it is active, or not checked yet. */
export function problemOf(row: CustomHostnameRow): string | undefined {
  const { organization, status, proof, dns } = row;
  if (stateOf(row) !== 'failed') return undefined;
  if (proof === 'missing') {
    const { name, value } = proofRecord(hostnameOf(row), organization);
    return `There is no TXT record ${name} with the value "${value}".`;
  }
  if (row.hostname !== undefined)
    return 'Another organization of this server has also proven that it owns the hostname.';
  const expected = dns?.expected ?? 'this server';
  return status === 'dns_wrong_cname'
    ? `The CNAME record of ${hostnameOf(row)} does not lead to ${expected}.`
    : `${hostnameOf(row)} has no CNAME record that leads to ${expected}.`;
}
