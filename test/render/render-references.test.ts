import { describe, expect, it } from 'vitest';
import type { Target } from '../../src/render/render-context.ts';
import {
  renderContentRef,
  renderEmbed,
  renderFile,
  renderUndrawn,
} from '../../src/render/render-references.ts';
import { fragment, paragraphOf, voidBlock } from '../../src/richtext/nodes.ts';
import { createRenderer } from './renderer.ts';

const targets: Record<string, Target> = {
  page: { href: 'a/b', kind: 'page', title: 'Page', description: 'About it', emoji: '1f680' },
  plain: { href: 'a/b', kind: 'page', description: '' },
  outside: { href: 'https://a.example/x', kind: 'external', title: 'Outside' },
  unsafe: { href: 'javascript:alert(1)', kind: 'external', title: 'Unsafe' },
  file: { href: '~files/1/a%20b.pdf?x=1/2#p', kind: 'file', size: 2048 },
  odd: { href: '~files/1/%zz', kind: 'file' },
};
const renderer = createRenderer({ targets });
const { brokenLink } = renderer.words;
const refTo = (name: string) => ({ ref: { kind: 'page', page: name } });
const caption = [fragment('caption', [paragraphOf('Caption')])];

describe('a reference to another page', () => {
  const cardOf = (name: string, label?: string) =>
    renderContentRef(voidBlock('content-ref', { ...refTo(name), label }), renderer).text;

  it('is a card with the title of its target', () => {
    expect(cardOf('page', 'Label')).toMatch(
      /^<a class="content-ref" href="a\/b"><span class="emoji".*<span class="content-ref-text"><span class="content-ref-title">Page<\/span><span class="content-ref-description">About it<\/span><\/span><\/a>$/,
    );
    expect(cardOf('outside')).toContain('rel="noopener"');
    expect(cardOf('plain', 'Label')).toContain('<span class="content-ref-title">Label</span></span></a>');
    expect(cardOf('plain')).toContain('<span class="content-ref-title">a/b</span></span></a>');
  });

  it('shows a notice if its target does not exist or is unsafe', () => {
    for (const name of ['gone', 'unsafe']) {
      expect(cardOf(name)).toBe(`<p class="content-ref broken-link" title="${brokenLink}">${brokenLink}</p>`);
      expect(cardOf(name, 'Label')).toBe(
        `<p class="content-ref broken-link" title="${brokenLink}">Label</p>`,
      );
    }
  });
});

describe('a link to a file', () => {
  const fileOf = (name: string, fragments = caption) =>
    renderFile(voidBlock('file', refTo(name), fragments), renderer).text;

  it('shows the file name, or the last part of the URL', () => {
    expect(fileOf('page')).toContain('<span class="content-ref-title">Page</span></span></a>');
    expect(fileOf('file')).toContain(
      `<span class="content-ref-title">a b.pdf</span><span class="content-ref-description">${renderer.words.size(2048)}</span></span></a><figcaption>Caption</figcaption></figure>`,
    );
    expect(fileOf('odd', [])).toContain('<span class="content-ref-title">%zz</span></span></a></figure>');
  });

  it('shows a notice if the file does not exist', () => {
    for (const name of ['gone', 'unsafe'])
      expect(fileOf(name)).toBe(`<p class="content-ref broken-link">${brokenLink}</p>`);
  });
});

it('links to the content of a block that cannot be drawn', () => {
  const blockOf = (props?: unknown) =>
    renderUndrawn(voidBlock('integration', { integration: 'acme', block: 'chart', props }), renderer).text;
  expect(blockOf({ url: 'https://a.example/x' })).toContain(
    '<a class="content-ref external" href="https://a.example/x" rel="noopener">',
  );
  for (const props of [
    undefined,
    null,
    {},
    { url: 7 },
    { url: 'javascript:alert(1)' },
    { url: 'a' },
    { url: 'mailto:a@b' },
  ])
    expect(blockOf(props)).toBe('<p class="ck-undrawn">acme/chart</p>');
});

describe('an embed', () => {
  const embed = (url: string, title?: string, fragments = caption) =>
    renderEmbed(voidBlock('embed', { url, title }, fragments), renderer).text;

  it('is a card with the host and path of its URL', () => {
    expect(embed('https://a.example/b?c')).toMatch(
      /^<figure class="embed"><a class="content-ref external" href="https:\/\/a.example\/b\?c" rel="noopener">.*<span class="content-ref-title">a.example<\/span><span class="content-ref-description">a.example\/b<\/span><\/span><\/a><figcaption>Caption<\/figcaption><\/figure>$/,
    );
    expect(embed('https://a.example', 'Title', [])).toContain(
      '<span class="content-ref-title">Title</span><span class="content-ref-description">a.example</span></span></a></figure>',
    );
  });

  it('can load a frame if the site is known', () => {
    expect(embed('https://www.youtube.com/watch?v=abc_123-XYZ')).toMatch(
      /^<figure class="embed embed-\w+" data-frame="https:\/\/[^"]*abc_123-XYZ[^"]*" data-title="[^"]+" data-sandbox="[^"]+"><a /,
    );
  });

  it('has the icon of a video or sound if it can be played', () => {
    expect(embed('https://www.youtube.com/watch?v=abc_123-XYZ')).toContain('data-icon="circle-play"');
    for (const url of ['https://www.figma.com/file/abc/x', 'https://a.example/b'])
      expect(embed(url)).toContain('data-icon="arrow-up-right-from-square"');
  });

  it('is omitted without a web URL', () => {
    for (const url of ['', 'a/b', 'mailto:a@b.example', 'javascript:alert(1)', 'https://['])
      expect(embed(url), url).toBe('');
  });
});
