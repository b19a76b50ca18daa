import { beforeAll, describe, expect, it } from 'vitest';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;
let file: string;
let other: string;

beforeAll(async () => {
  site = await publishedSite([
    {
      title: 'Welcome',
      description: 'The first page',
      text: '# Welcome to all  \n\nRead [the setup](setup.md#install), [itself](#below) or [nothing](gone.md).\n\n`[code](setup.md)` and <a href="setup.md">HTML</a>\n\n[label]: setup.md "Title"\n\n## Below\n\n[label] and [outside](https://x.test/setup.md)',
    },
    {
      title: 'Setup',
      description: 'How to',
      text: 'Back to [the start](/welcome).\n\n{% content-ref url="welcome.md" %}\n[welcome.md](welcome.md)\n{% endcontent-ref %}',
    },
    { title: 'Bare', text: 'Text' },
    { title: 'Two words', slug: 'two_words', text: 'See [this](two\\_words.md).' },
  ]);
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  [file = ''] = await site.change(site.spaceId, [
    { operation: 'insert_files', files: [{ name: 'plan-b.png', contentType: 'image/png', base64: png }] },
  ]);
  other = await site.addSpace('Other', [{ title: 'There', text: 'Text' }]);
  await site.call(addSiteSpace, site.site, { body: { spaceId: other } });
  await site.change(site.spaceId, [
    {
      operation: 'insert_page',
      title: 'Far',
      document: {
        markdown: `![](/files/${file}) and [there](https://app.gitbook.com/s/${other}/there#x)\n\n![plan-b.png](/files/${file})`,
      },
    },
  ]);
});

const origin = 'https://docs.test/sites/acme/docs/';
const read = async (path: string) => (await site.visit(path)).body;

describe('the Markdown of a page', () => {
  it('consists of its title, its description and its text', async () => {
    expect(await read('index.md')).toMatch(/^# Welcome to all\n\nThe first page\n\nRead \[the setup\]/);
    expect(await read('setup.md')).toMatch(/^# Setup\n\nHow to\n\nBack to /);
    expect(await read('bare.md')).toBe('# Bare\n\nText\n');
  });

  it('has a title and a description that are one line of plain text', async () => {
    const descriptions = ['# One\n# [two](javascript:1)', '1. <b>x</b> 1 < 2', '- a', 'a - \\'];
    await site.change(
      site.spaceId,
      descriptions.map((description, at) => ({
        operation: 'insert_page',
        title: `<i>T</i> ${at}`,
        slug: `plain-${at}`,
        description,
        document: { markdown: 'Text' },
      })),
    );
    const shown = ['\\# One # \\[two\\](javascript:1)', '1\\. \\<b>x\\</b> 1 < 2', '\\- a', 'a - \\\\'];
    for (const [at, description] of shown.entries())
      expect(await read(`plain-${at}.md`)).toBe(`# \\<i>T\\</i> ${at}\n\n${description}\n\nText\n`);
    expect(await read('llms.txt')).toContain(`[\\<i>T\\</i> 3](${origin}plain-3.md): a - \\\\\n`);
  });

  it('has no HTML comments, which the page does not show', async () => {
    const markdown = 'Shown <!-- canary --> text\n\n<!--\ncanary\n-->\n\n`<!-- code -->`';
    await site.change(site.spaceId, [{ operation: 'insert_page', title: 'Noted', document: { markdown } }]);
    expect(await read('noted')).not.toContain('canary');
    expect(await read('noted.md')).toBe('# Noted\n\nShown  text\n\n`<!-- code -->`\n');
    expect(await read('llms-full.txt')).not.toContain('canary');
  });

  it.each(['index.md', 'llms-full.txt'])('has absolute links, and unchanged code: %s', async (path) => {
    const text = await read(path);
    expect(text).toContain(`[the setup](${origin}setup#install), [itself](${origin}#below) or nothing.`);
    expect(text).toContain(`\`[code](setup.md)\` and <a href="${origin}setup">HTML</a>`);
    expect(text).toContain(`[label]: ${origin}setup "Title"`);
    expect(text).toContain('[outside](https://x.test/setup.md)');
  });

  it('shows only the text of links that lead nowhere, or to pages that the visitor cannot see', async () => {
    await site.change(site.spaceId, [
      {
        operation: 'insert_page',
        title: 'Inner',
        document: { markdown: 'Secret' },
        condition: 'visitor.claims.plan == "pro"',
      },
      {
        operation: 'insert_page',
        title: 'Links',
        document: {
          markdown: `[Gone](gone.md), [root](/gone), [inner](inner.md), [mail](mailto:a@b.test) and ![Plan](gone.png)\n\n{% content-ref url="inner.md" %}\n[inner.md](inner.md)\n{% endcontent-ref %}\n\n\`[code](gone.md)\``,
        },
      },
    ]);
    const text =
      '# Links\n\nGone, root, inner, [mail](mailto:a@b.test) and Plan\n\ninner.md\n\n`[code](gone.md)`\n';
    expect(await read('links.md')).toBe(text);
    expect(await read('llms-full.txt')).toContain(text.trim());
    const answer = await site.visit('links', { accept: 'text/markdown' });
    expect(answer.body).toBe(text);
  });

  it('has no links to addresses of the API that visitors cannot open, like the page itself', async () => {
    const address = 'http://localhost:8080/v1/orgs/org_acme/openapi/pets/versions/latest/content/download';
    await site.change(site.spaceId, [
      { operation: 'insert_page', title: 'Spec', document: { markdown: `Get [OpenAPI pets](${address}).` } },
    ]);
    expect(await read('spec.md')).toBe('# Spec\n\nGet OpenAPI pets.\n');
    expect((await site.visit('spec')).body).not.toContain('/v1/orgs/');
  });

  it('has absolute links even if their targets have escapes', async () => {
    expect(await read('two_words.md')).toContain(`[this](${origin}two_words)`);
  });

  it('has absolute addresses of files and of pages in other spaces', async () => {
    const full = await read('llms-full.txt');
    expect(full).toContain(`![](${origin}~files/${file}/plan-b.png)`);
    expect(full).toContain('[there](https://docs.test/sites/acme/docs/other/#x)');
    expect(full).toContain(`{% content-ref url="${origin}" %}`);
    expect((await site.visit(`~files/${file}/plan-b.png`)).statusCode).toBe(200);
  });
});

it('a search ignores file names that readers do not see', async () => {
  const found = async (query: string) => {
    const answer = await site.visit(`~gitbook/search?q=${query}`, { accept: 'application/json' });
    return answer.json<{ items: { title: string; excerpt: string }[] }>().items;
  };
  expect(await found('plan-b.png')).toEqual([]);
  const [back] = await found('back');
  expect(back?.title).toBe('Setup');
  expect(back?.excerpt).not.toContain('.md');
});
