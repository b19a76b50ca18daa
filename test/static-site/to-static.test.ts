import { describe, expect, it } from 'vitest';
import { StaticPaths } from '../../src/static-site/static-paths.ts';
import { toBranchScript, toStaticHtml, toStaticText } from '../../src/static-site/to-static.ts';

const origin = 'https://docs.example.com';
const paths = new StaticPaths('/docs/', [
  { object: 'site-path', path: "it's", kind: 'page', key: 'key' },
  { object: 'site-path', path: "~gitbook/files/a'b.png", kind: 'file', key: '0123456789abcdef' },
] as never);

describe('Addresses with an apostrophe in a copy of a site', () => {
  it('lead from a page to the files of the copy', () => {
    const html = `<a href="/docs/it&#39;s#a&amp;b">It</a><img src="/docs/~gitbook/files/a&#39;b.png">`;
    expect(toStaticHtml(html, { paths, address: '', finder: '~search/finder.js', origin: '' })).toEqual({
      html: `<a href="it&#39;s/#a&amp;b">It</a><img src="~files/0123456789ab/a&#39;b.png">`,
      uses: new Set(["it's", "~gitbook/files/a'b.png"]),
    });
  });

  it('lead from the table of contents to the files of the copy', () => {
    const html = `<a href="/docs/it&#39;s">It</a>`;
    expect(toBranchScript(html, paths)).toBe(
      `docsctlData(${JSON.stringify(`<a href="~root/it&#39;s/">It</a>`)})\n`,
    );
  });

  it('lead from feeds to the files of the copy, also in their escaped HTML', () => {
    const feed = `<link>${origin}/docs/it&#39;s</link><content>&lt;a href=&quot;${origin}/docs/it&amp;#39;s&quot;&gt;</content>`;
    expect(toStaticText(feed, paths, origin)).toBe(
      `<link>${origin}/docs/it&#39;s/</link><content>&lt;a href=&quot;${origin}/docs/it&amp;#39;s/&quot;&gt;</content>`,
    );
  });
});
