import { describe, expect, it } from 'vitest';
import { describeMissing, namesOf, resolveHref } from '../../../src/content/links/link-targets.ts';

describe('resolveHref', () => {
  const source = { git: 'guides/in/start.md', path: 'in/start' };
  it.each([
    ['https://a.test/x', { kind: 'url' }],
    ['//a.test', { kind: 'url' }],
    ['mailto:a@b.test', { kind: 'url' }],
    ['tel:+491234', { kind: 'url' }],
    ['javascript:alert(1)', { kind: 'name', name: 'empty:' }],
    ['ftp://a.test/x', { kind: 'name', name: 'empty:' }],
    ['data:text/html,x', { kind: 'name', name: 'empty:' }],
    ['openapi:pet-shop', { kind: 'app' }],
    ['tag:beta', { kind: 'app' }],
    ['/pages/pag_1-0123456789ab#a', { kind: 'name', name: 'page:pag_1-0123456789ab', anchor: 'a' }],
    ['https://app.gitbook.com/o/x', { kind: 'app' }],
    ['https://app.gitbook.com/s/spc_1', { kind: 'app', space: { id: 'spc_1' } }],
    [
      'https://app.gitbook.com/o/x/s/spc_1/a%20b/c/#d',
      { kind: 'app', space: { id: 'spc_1', name: 'path:a b/c', anchor: 'd' } },
    ],
    ['/o/x/s/spc_1/pag_2', { kind: 'app', space: { id: 'spc_1', name: 'page:pag_2' } }],
    ['https://docs.test/o/x/s/spc_1/~/changes/1/a', { kind: 'url', space: { id: 'spc_1' } }],
    ['https://app.gitbook.company', { kind: 'url' }],
    ['/o/x/s/y', { kind: 'app', space: { id: 'y' } }],
    ['/o/x/sites/y/z', { kind: 'app' }],
    ['/o/x', { kind: 'name', name: 'path:o/x' }],
    ['/pages/pag_1#a', { kind: 'name', name: 'page:pag_1', anchor: 'a' }],
    ['/content/files/fil_1', { kind: 'name', name: 'file:fil_1' }],
    ['/pages/other', { kind: 'name', name: 'path:pages/other' }],
    ['#a%20b', { kind: 'name', name: 'page:me', anchor: 'a b' }],
    ['#', { kind: 'name', name: 'page:me' }],
    ['', { kind: 'name', name: 'empty:' }],
    ['?a=b', { kind: 'name', name: 'empty:' }],
    ['b.md?c#d', { kind: 'name', name: 'path:guides/in/b.md', anchor: 'd' }],
    ['b.md#:~:text=a%20b', { kind: 'name', name: 'path:guides/in/b.md' }],
    ['b.md#c:~:text=a', { kind: 'name', name: 'path:guides/in/b.md', anchor: 'c' }],
    ['../../.gitbook/assets/Logo-#FFF.png', { kind: 'name', name: 'path:.gitbook/assets/Logo-#FFF.png' }],
    [
      '../../.gitbook/assets/manual.pdf#page=3',
      { kind: 'name', name: 'path:.gitbook/assets/manual.pdf', anchor: 'page=3' },
    ],
    ['/', { kind: 'name', name: 'path:.' }],
    ['100%.md', { kind: 'name', name: 'path:guides/in/100%.md' }],
  ])('resolves %j of a page to %o', (href, target) =>
    expect(resolveHref('page:me', source, href)).toEqual(target),
  );

  it.each([
    ['../b%20c/', 'guides/b c', 'guides/in/b c'],
    ['../Other#a', 'guides/Other', 'guides/other', 'guides/in/other'],
    ['./', 'guides/in', 'guides/in/start'],
    ['../a.png', 'guides/a.png', 'guides/in/a.png'],
    ['/docs/in/_b/01-c/', 'docs/in/_b/01-c', 'docs/in/b/c', 'in/b/c'],
    ['/docs/b.md', 'docs/b.md', 'docs/b', 'b'],
    ['/a/b', 'a/b'],
    ['/img/a.png', 'img/a.png', 'a.png'],
  ])('also tries the addresses of other tools for %j', (href, name, ...others) =>
    expect(resolveHref('page:me', source, href)).toMatchObject({
      name: `path:${name}`,
      ...(others.length > 0 && { others: others.map((other) => `path:${other}`) }),
    }),
  );

  it.each([
    ['[[Some Note#In it!]]', 'path:Some Note', ['path:some note', 'note:some note'], 'in-it'],
    ['[[a/B.png]]', 'path:a/B.png', ['path:a/b.png', 'note:b.png'], undefined],
    ['[[A#^block]]', 'path:A', ['path:a', 'note:a'], undefined],
    ['[[#A#B c]]', 'page:me', undefined, 'b-c'],
  ])('resolves the link %j of Obsidian by the path or the name of a file', (href, name, others, anchor) =>
    expect(resolveHref('page:me', source, href)).toEqual({
      kind: 'name',
      name,
      ...(others && { others }),
      ...(anchor !== undefined && { anchor }),
    }),
  );

  it('tries no other address for a link of the first page that has none', () =>
    expect(resolveHref('page:me', { git: 'README.md' }, 'b')).toEqual({ kind: 'name', name: 'path:b' }));

  it('resolves a link of a page without a file from the path of the page', () => {
    expect(resolveHref('page:me', { path: 'in/start' }, 'b.md')).toEqual({
      kind: 'name',
      name: 'path:in/b.md',
    });
    expect(resolveHref('page:me', {}, 'b.md')).toEqual({ kind: 'name', name: 'path:b.md' });
  });
});

describe('names that links can use', () => {
  it('are the ID, file and path of a page', () => {
    expect([...namesOf('page:a', { git: 'g/README.md', path: 'p' })]).toEqual([
      ['page:a', 0],
      ['path:g/README.md', 0],
      ['path:g/README', 1],
      ['path:g', 2],
      ['path:g/index.html', 5],
      ['path:p', 3],
    ]);
    expect([...namesOf('page:a', { path: 'p' })]).toEqual([
      ['page:a', 0],
      ['path:p', 3],
      ['path:p.md', 4],
      ['path:p/README.md', 4],
    ]);
    expect([...namesOf('page:a', { git: 'p.markdown', path: 'p' })]).toEqual([
      ['page:a', 0],
      ['path:p.markdown', 0],
      ['path:p', 1],
      ['path:p.html', 5],
      ['note:p', 8],
    ]);
    expect([...namesOf('page:a', { git: 'g/index.mdx' }).keys()]).toEqual([
      'page:a',
      'path:g/index.mdx',
      'path:g/index',
      'path:g',
      'path:g/index.html',
    ]);
  });

  it('are also the address that other tools give to a page', () => {
    for (const [git, name] of [
      ['in/_index.md', 'in'],
      ['in/A b.md', 'in/a b'],
      ['_docs/02-Set_up.md', 'docs/set_up'],
      ['in/2024-plan.md', 'in/2024-plan'],
      ['static/img/a.png', 'img/a.png'],
      ['../public/a.png', 'a.png'],
    ] as const)
      expect([...namesOf(git.endsWith('.md') ? 'page:a' : 'file:a', { git }).keys()]).toContain(
        `path:${name}`,
      );
  });

  it('are only the ID and path of a file', () => {
    expect([...namesOf('file:a', { git: 'README.md' })]).toEqual([
      ['file:a', 0],
      ['path:README.md', 0],
    ]);
  });
});

it('explains why a link has no target', () => {
  expect(describeMissing('../gone/')).toBe('No page or file has this address.');
  expect(describeMissing('javascript:alert(1)')).toMatch(/^Sites show such an address as text/);
});
