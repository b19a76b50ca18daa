import { beforeAll, expect, it } from 'vitest';
import { createChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import { createSpace, getSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { me, updateUser } from '../../src/resources/users/contract.ts';
import { callsIn } from '../resources/calls.ts';
import { serve, type Serving } from '../server/serving.ts';
import { signedIn } from './browser.ts';

const urls = {
  logo: 'https://img.test/logo.png',
  icon: 'https://img.test/icon.png',
  photo: 'https://img.test/photo.png',
};
let serving: Serving;
let spaceId: string;
let pages: { readonly organization: string; readonly space: string; readonly changeRequest: string };

beforeAll(async () => {
  serving = await serve();
  const { call } = callsIn(() => serving.world);
  const org = { organizationId: serving.world.org };
  spaceId = (await call(createSpace, org, { body: { title: 'Guide' } })).id;
  await call(updateSpace, { spaceId }, { body: { icon: urls.icon } });
  await call(updateOrganization, org, { body: { logo: urls.logo } });
  const { id: userId } = await call(me, {});
  await call(updateUser, { userId }, { body: { photoURL: urls.photo } });
  const changeRequest = await call(createChangeRequest, { spaceId }, { body: { subject: 'New' } });
  const browser = await signedIn(serving, 'admin');
  const bodyAt = async (url: string): Promise<string> => (await browser.open(url)).body;
  pages = {
    organization: await bodyAt(`/o/${serving.world.org}`),
    space: await bodyAt((await call(getSpace, { spaceId })).urls.app),
    changeRequest: await bodyAt(changeRequest.urls.app),
  };
});

it.each([
  ['the logo of the organization', 'organization', urls.logo],
  ['the icon of a space in the list of spaces', 'organization', urls.icon],
  ['the icon of a space on its page', 'space', urls.icon],
  ['the picture of the member', 'changeRequest', urls.photo],
] as const)('a page for members shows %s', (_, page, url) => {
  expect(pages[page]).toContain(`<img class="app-picture" src="${url}"`);
});

it('addresses that a browser would run are refused as pictures', async () => {
  const { call } = callsIn(() => serving.world);
  const wrong = 'javascript:alert(1)';
  const org = { organizationId: serving.world.org };
  const { id: userId } = await call(me, {});
  const refused = { reason: 'invalid-input' };
  await expect(call(updateSpace, { spaceId }, { body: { icon: wrong } })).rejects.toMatchObject(refused);
  await expect(call(updateOrganization, org, { body: { logo: wrong } })).rejects.toMatchObject(refused);
  await expect(call(updateUser, { userId }, { body: { photoURL: wrong } })).rejects.toMatchObject(refused);
});
