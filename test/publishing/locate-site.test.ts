import { expect, it } from 'vitest';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite } from './published-site.ts';

it('a site is at its basename, also if that has capital letters', async () => {
  const site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const statusAt = async (name: string) =>
    (await site.server.inject({ url: `/sites/acme/${name}/` })).statusCode;
  expect(await statusAt('docs')).toBe(200);
  await site.call(updateSite, site.site, { body: { basename: 'HandBook' } });
  expect([await statusAt('HandBook'), await statusAt('docs')]).toEqual([200, 404]);
});
