import { expect, it } from 'vitest';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { publishedSite } from './published-site.ts';

it('the PDF of one of several spaces has the title of the space on its cover', async () => {
  const pages = ['Welcome', 'More'].map((title) => ({ title, text: 'Hello.' }));
  const { call, site, addSpace, visit } = await publishedSite(pages);
  await call(replaceSiteCustomization, site, { body: { pdf: { enabled: true } } });
  const coverOf = async (base = '') => {
    const { rawPayload } = await visit(`${base}~gitbook/pdf`);
    return readPdf(inflatePdf(rawPayload)).pages[0]?.split('\n');
  };
  expect(await coverOf()).not.toContain('Guide');
  const spaceId = await addSpace('Other', pages);
  const { path } = await call(addSiteSpace, site, { body: { spaceId, title: 'Handbook' } });
  expect(await coverOf()).toEqual(expect.arrayContaining(['Docs', 'Guide']));
  expect(await coverOf(`${path}/`)).toEqual(expect.arrayContaining(['Docs', 'Handbook']));
});
