import { beforeAll, expect, it } from 'vitest';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { addExternalLink } from '../../src/resources/site-external-links/contract.ts';
import { addSectionGroup } from '../../src/resources/site-section-groups/contract.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { inflatePdf, readPdf } from '../pdf/read-pdf.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Text' },
    {
      title: ':rocket: Launch',
      slug: 'launch',
      description: 'To the :crescent_moon:',
      text: '# :rocket: Launch\n\nReady :tada: `:tada:`\n\n## Guides :fire:\n\n{% updates %}\n{% update date="2026-02-27" %}\n### Faster :+1:\n{% endupdate %}\n{% endupdates %}\n\n{% tabs %}\n{% tab title="Moon :moon:" %}\nText\n{% endtab %}\n{% endtabs %}',
    },
  ]);
});

it('a page shows emojis for their names in titles and texts, but not in code', async () => {
  const { body } = await site.visit('launch');
  expect(body.match(/<h1>[^<]*<\/h1>/g)).toEqual(['<h1>🚀 Launch</h1>']);
  expect(body).toContain('<title>🚀 Launch | Docs</title>');
  expect(body).toContain('<bdi>🚀 Launch</bdi>');
  expect(body).toContain('<p class="lead">To the 🌙</p>');
  expect(body).toContain('Ready 🎉 <code>:tada:</code>');
  expect(body).toContain('<h2 id="guides-fire" aria-label="Guides 🔥">Guides 🔥 ');
  expect(body).toContain('id="moon-moon" data-tab="Moon 🌔"');
  expect(body).not.toMatch(/:(?:rocket|fire|moon|\+1):/);
  expect((await site.visit('launch/rss.xml')).body).toContain('<item><title>Faster 👍</title>');
});

it('search results show emojis for their names', async () => {
  const { body } = await site.visit('~gitbook/search?q=ready');
  expect(body).toContain('🚀 Launch');
  expect(body).not.toContain(':tada: ');
});

it('titles of sites, sections, groups, spaces and links show emojis, but PDF files do not', async () => {
  const named = await publishedSite([{ title: 'Start', text: 'Text' }]);
  const { call, site: at } = named;
  const spaceId = await named.addSpace('Two :two:', [
    { title: 'First', description: ':a: one', text: 'Words' },
  ]);
  const older = await named.addSpace('Old :fire:', [{ title: 'First', text: 'Words' }]);
  const section = await call(addSection, at, { body: { spaceId, title: 'Go :rocket:' } });
  await call(addSiteSpace, at, { body: { spaceId: older, sectionId: section.id } });
  await call(addSectionGroup, at, { body: { title: 'More :tada:', sections: [section.id] } });
  await call(addExternalLink, at, {
    body: { title: 'Status :bell:', url: 'https://status.test/', description: 'Up :+1:' },
  });
  const link = { title: 'Help :sos:', to: { kind: 'url', url: 'https://help.test/' } };
  const customization = {
    title: 'Docs :book:',
    header: { links: [{ ...link, links: [] }] },
    footer: { groups: [{ title: 'Us :earth_africa:', links: [link] }] },
    pdf: { enabled: true },
  };
  await call(updateSiteCustomization, at, { body: customization });
  const { body } = await named.visit('go-rocket/');
  for (const shown of [
    'Go 🚀',
    'More 🎉',
    'Status 🔔',
    'Up 👍',
    'Two 2️⃣',
    'Old 🔥',
    '| Docs 📖</title>',
    'Help 🆘',
    'Us 🌍',
  ])
    expect(body).toContain(shown);
  expect(body).not.toMatch(/:[a-z_]+:/);
  expect((await named.visit('llms.txt')).body).toMatch(/^# Docs 📖\n.*\n## Go 🚀: Two 2️⃣\n/s);
  expect((await named.visit('~gitbook/search?q=words')).body).toContain('Go 🚀');
  const pdf = readPdf(inflatePdf((await named.visit('go-rocket/~gitbook/pdf')).rawPayload)).pages.join('\n');
  for (const written of ['Docs :book:', ':a: one']) expect(pdf).toContain(written);
});
