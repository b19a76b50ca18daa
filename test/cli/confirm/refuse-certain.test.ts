import { expect, it } from 'vitest';
import { refuseCertain } from '../../../src/cli/confirm/refuse-certain.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { unpublishSite } from '../../../src/resources/sites/contract.ts';

it.each([
  [
    'To list members, you need the admin role on the site.',
    'To take a site offline, you need the admin role on the site.',
  ],
  // Another server may allow callers to unpublish a site whose permissions they cannot list.
  ['Access denied', undefined],
])(
  'refuseCertain refuses a change of a site whose permissions cannot be listed: %s',
  async (message, refusal) => {
    const call = async (): Promise<never> => {
      throw new Problem('forbidden', message);
    };
    const check = async (): Promise<void> => {};
    const calls = [{ params: { organizationId: 'org_1', siteId: 'site_1' }, body: undefined }];
    const refused = await refuseCertain(
      { call, check, settings: {} } as never,
      unpublishSite,
      calls,
      {},
    ).then(
      () => undefined,
      (error: Problem) => error.message,
    );
    expect(refused).toBe(refusal);
  },
);
