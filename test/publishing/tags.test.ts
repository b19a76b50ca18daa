import { beforeAll, expect, it } from 'vitest';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;

const putTags = (text: string) =>
  site.change(site.spaceId, [
    { operation: 'put_text', role: 'tags', git: { path: '.gitbook/tags.yaml' }, text },
  ]);
const tag = (slug: string, primary = false) => ({ tag: { kind: 'tag', tag: slug }, primary });

beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Text' },
    {
      title: 'Guide',
      tags: [tag('unknown'), tag('beta', true), tag('done')],
      text: '{% updates %}\n{% update date="2026-02-27" tags="done, other" %}\n## Faster\n{% endupdate %}\n{% endupdates %}',
    },
  ]);
  await putTags(
    '- tag: beta\n  label: Beta <1>\n  icon: flask\n  color: $primary\n- tag: done\n  emoji: "2705"\n  label: Done\n  color: "#ff0000"\n',
  );
});

it('a page shows its tags as the space describes them', async () => {
  const { body } = await site.visit('guide');
  const [, list] = /<ul class="tags"[^>]*>(.*?)<\/ul>/s.exec(body) ?? [];
  expect(list).toMatch(
    /^<li><span class="tag">unknown<\/span><\/li><li><span class="tag tag-primary"><svg .*<\/svg>Beta &lt;1&gt;<\/span><\/li><li><span class="tag"><span class="emoji" aria-hidden="true">✅<\/span>Done<\/span><\/li>$/s,
  );
});

it('the table of contents shows the primary tag of a page', async () => {
  const { body } = await site.visit('');
  expect(body).toMatch(
    /<bdi>Guide<\/bdi><span class="tag tag-primary"><svg .*?<\/svg>Beta &lt;1&gt;<\/span><\/a>/s,
  );
  expect(body.match(/class="tag/g)).toHaveLength(1);
});

it('updates show their tags by label, on the page and in the feed', async () => {
  const { body } = await site.visit('guide');
  expect(body).toContain('✅</span>Done</span><span class="tag">other</span></div>');
  const feed = await site.visit('guide/rss.xml');
  expect(feed.body).toContain('<category>Done</category><category>other</category>');
});

it('a page shows new labels as soon as the descriptions of tags have changed', async () => {
  await putTags('- tag: beta\n  label: Preview\n  color: $warning\n');
  const { body } = await site.visit('guide');
  expect(body.match(/<span class="tag tag-warning">Preview<\/span>/g)).toHaveLength(2);
  expect(body).toContain('<span class="tag">done</span>');
});
