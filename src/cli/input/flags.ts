import type { Operation } from '../../contract/operation.ts';
import { propertiesIn } from './field-schema.ts';

/** Returns the flag of a field: `defaultSiteSpace` → `default-site-space`, `entityID` → `entity-id`. */
export function fieldFlag(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/[_.]/g, '-')
    .toLowerCase();
}

/** Returns the key under which commander stores a flag: `default-site-space` → `defaultSiteSpace`. */
export function optionKey(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const paramFlags: Record<string, string> = {
  organizationId: 'org',
  siteSectionId: 'section',
  siteSectionGroupId: 'group',
  commentReplyId: 'reply',
  userId: 'member',
  samlProviderId: 'provider',
  integrationName: 'integration',
  emailDomain: 'domain',
};

/** Default values of path parameters. */
export const paramDefaults: Readonly<Record<string, string>> = { versionId: 'latest' };

/** Returns the flag of a path parameter: `siteId` → `site`. */
export function paramFlag(name: string): string {
  return (
    paramFlags[name] ??
    name
      .replace(/Id$/, '')
      .replace(/([a-z])([A-Z])/g, '$1-$2')
      .toLowerCase()
  );
}

/**
 * Returns the flags of a field of a query or body, the shown one first: for `spaceId`, `--space` and the accepted `--space-id`. A
 * flag of a path parameter or another field is not used.
 */
export function flagsOfField(name: string, { paramNames, query, body }: Operation): [string, ...string[]] {
  const own = fieldFlag(name);
  // In a list about a page, --page is the page.
  if (name === 'page' && paramNames.includes('pageId')) return ['next-page'];
  if (!name.endsWith('Id')) return [own];
  const short = paramFlag(name);
  const isTaken =
    short === own ||
    paramNames.some((param) => paramFlag(param) === short) ||
    [...propertiesIn(query), ...propertiesIn(body)].some(([other]) => fieldFlag(other) === short);
  return isTaken ? [own] : [short, own];
}
