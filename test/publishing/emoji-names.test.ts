import { beforeAll, expect, it } from 'vitest';
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

it('shows names of emojis in titles and texts as emojis, but not in code', async () => {
  const { body } = await site.visit('launch');
  expect(body.match(/<h1>[^<]*<\/h1>/g)).toEqual(['<h1>🚀 Launch</h1>']);
  expect(body).toContain('<title>🚀 Launch | Docs</title>');
  expect(body).toContain('<span>🚀 Launch</span>');
  expect(body).toContain('<p class="lead">To the 🌙</p>');
  expect(body).toContain('Ready 🎉 <code>:tada:</code>');
  expect(body).toContain('<h2 id="guides-fire" aria-label="Guides 🔥">Guides 🔥 ');
  expect(body).toContain('id="moon-moon" data-tab="Moon 🌔"');
  expect(body).not.toMatch(/:(?:rocket|fire|moon|\+1):/);
  expect((await site.visit('launch/rss.xml')).body).toContain('<item><title>Faster 👍</title>');
});

it('shows them in results of searches', async () => {
  const { body } = await site.visit('~gitbook/search?q=ready');
  expect(body).toContain('🚀 Launch');
  expect(body).not.toContain(':tada: ');
});
