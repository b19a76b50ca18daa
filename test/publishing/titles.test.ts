import { beforeAll, expect, it } from 'vitest';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSpace } from '../../src/resources/spaces/contract.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const updates =
  '{% updates format="full" %}\n{% update date="2026-01-02" %}\n## News\n\nText\n{% endupdate %}\n{% endupdates %}';
let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const spaceId = await site.addSpace('Handbuch', [
    { title: 'Anfang', text: 'Text' },
    { title: 'Neues', text: updates },
  ]);
  await site.call(updateSpace, { spaceId }, { body: { language: 'de' } });
  await site.call(addSiteSpace, site.site, { body: { spaceId } });
  await site.call(updateSiteCustomization, site.site, {
    body: { title: 'Acme Handbook', localizedTitle: { de: 'Acme Handbuch' }, pdf: { enabled: true } },
  });
});

it('the title of the customization is used in llms.txt, the PDF and the MCP server', async () => {
  expect((await site.visit('llms.txt')).body).toMatch(/^# Acme Handbook\n/);
  const pdf = await site.visit('~gitbook/pdf');
  expect(pdf.headers['content-disposition']).toContain('Acme%20Handbook.pdf');
  const { body } = await site.server.inject({
    method: 'POST',
    url: '/sites/acme/docs/~gitbook/mcp',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    },
  });
  expect(body).toContain('Search and read the documentation \\"Acme Handbook\\".');
});

it('PDFs and feeds have the title in their language', async () => {
  const pdf = await site.visit('handbuch/~gitbook/pdf');
  const text = readPdf(inflatePdf(pdf.rawPayload)).pages.join('\n');
  expect(text).toContain('Acme Handbuch');
  // The other texts of the PDF are in this language too.
  expect(text).toContain('Inhalt');
  expect(text).toMatch(/\d+\. \p{Lu}\p{L}+ 20\d\d/u);
  expect((await site.visit('handbuch/neues/rss.xml')).body).toContain('<title>Neues | Acme Handbuch</title>');
});
