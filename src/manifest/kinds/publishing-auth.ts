import { closed, nullable, optional, Url, type Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import { isProblem } from '../../errors/problem.ts';
import { getPublishingAuth, updatePublishingAuth } from '../../resources/site-publishing-auth/contract.ts';
import type { Site } from '../../resources/sites/contract.ts';
import { notReadable, type Backend, type Call, type Field, type Located } from '../kind.ts';
import { callFor } from './fields.ts';

/** An absent address means that the site has no such address. */
interface Addresses {
  readonly fallbackURL?: string | null;
  readonly logoutURL?: string | null;
}

/** Where visitors of a site sign in and out. The key that signs their tokens is not part of it. */
export const publishingAuthField: Field<Static<typeof Site>> = {
  schema: closed(
    optional({
      fallbackURL: nullable(Url, { description: 'address where visitors sign in' }),
      logoutURL: nullable(Url, { description: 'address where visitors sign out' }),
    }),
    {
      description:
        'where visitors of a site with visibility visitor-auth sign in and out; the key that signs their tokens is not in manifests',
    },
  ),
  call: 'publishingAuth',
  default: {},
  fetch: readAddresses,
  normalize: (value) => withoutAbsent(value as Addresses),
};

/** Sends both addresses. An address that is not stated is removed. */
export const publishingAuthCall: Call = {
  send: async (backend, at, fields) => {
    const { fallbackURL = null, logoutURL = null } = fields['publishingAuth'] as Addresses;
    await callFor(backend, updatePublishingAuth, at, { fallbackURL, logoutURL });
  },
};

async function readAddresses(backend: Backend, at: Located): Promise<Addresses | typeof notReadable> {
  try {
    return withoutAbsent(await callFor(backend, getPublishingAuth, at));
  } catch (error) {
    // A site without a key has no addresses.
    if (isProblem(error, 'not-found')) return {};
    if (isProblem(error, 'forbidden')) return notReadable;
    throw error;
  }
}

function withoutAbsent({ fallbackURL, logoutURL }: Addresses): Addresses {
  return defined({ fallbackURL: fallbackURL ?? undefined, logoutURL: logoutURL ?? undefined });
}
