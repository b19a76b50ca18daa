import { beforeAll, describe, expect, it } from 'vitest';
import { plainText } from '../../../src/richtext/nodes.ts';
import { getPage } from '../../../src/resources/content/space-pages/contract.ts';
import { newFolder, openShelf, type Shelf } from '../../content-sync/folder-support.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
let shelf: Shelf;
const e = (expression: string) => `<code class="expression">${expression}</code>`;
const text = `---
vars:
  name: El*sa
  count: 3
---
# Start

A ${e('page.vars.name')} B ${e('space.vars.product')} C ${e('page.vars.count &gt; 2 ? "many" : "few"')} D ${e('space.vars.none')} E ${e('page.vars')} F ${e('not valid(')} G ${e('visitor.claims.plan')}H \`${e('space.vars.product')}\`

\`\`\`html
${e('space.vars.product')}
{% if page.vars.count == 3 %}
\`\`\`

{% if page.vars.count == 3 %}
Three

{% if space.vars.beta %}
Beta
{% endif %}
{% endif %}

{% if visitor.claims.plan == "pro" %}
Pro
{% endif %}

{% if broken( %}
Kept
{% endif %}
`;

beforeAll(async () => {
  world = await createWorld();
  shelf = await openShelf(world);
  await shelf.importFolder(
    newFolder({ 'README.md': text, '.gitbook/vars.yaml': 'product: Docs\nbeta: false\n' }),
  );
});

const read = async (query: object) =>
  world.as('read').call(getPage, {
    params: { spaceId: shelf.spaceId, pageId: (await shelf.pages())[0]?.id ?? '' },
    query,
  });

describe('expressions', () => {
  it('are returned as written unless evaluated is set', async () => {
    expect((await read({})).markdown).toBe(text.slice(text.indexOf('# Start')));
    expect((await read({ evaluated: 'false' })).markdown).toContain(e('space.vars.product'));
  });

  it('are replaced by their values in Markdown; null, objects and missing claims become empty', async () => {
    const { markdown } = await read({ evaluated: 'true' });
    expect(markdown).toBe(`# Start

A El\\*sa B Docs C many D  E  F ${e('not valid(')} G H \`${e('space.vars.product')}\`

\`\`\`html
${e('space.vars.product')}
{% if page.vars.count == 3 %}
\`\`\`

Three



{% if broken( %}
Kept
{% endif %}
`);
  });

  it('are evaluated in titles, descriptions, links and cells', async () => {
    const own = await openShelf(world);
    const name = e('page.vars.name');
    const page = `---
description: About ${name}
vars:
  name: El*sa
---
# Meet ${name} {#top}

[to ${name}](https://example.com)

| ${name} |
| --- |
| a ${name} |

<table><thead><tr><th>${name}</th></tr></thead><tbody><tr><td>b ${name}</td></tr></tbody></table>
`;
    const summary = `* [Meet ${name}](page.md "Hi ${name.replaceAll('"', '&quot;')}")\n`;
    await own.importFolder(newFolder({ 'SUMMARY.md': summary, 'page.md': page }));
    const pageId = (await own.pages())[0]?.id ?? '';
    const at = { spaceId: own.spaceId, pageId };
    const evaluated = await world.as('read').call(getPage, { params: at, query: { evaluated: 'true' } });
    expect(evaluated).toMatchObject({ title: 'Meet El*sa', description: 'About El*sa' });
    expect(evaluated.markdown).not.toContain('class="expression"');
    const { title } = await world.as('read').call(getPage, { params: at });
    expect(title).toBe(`Meet ${name}`);
    const query = { evaluated: 'true', format: 'document' } as const;
    const { document } = await world.as('read').call(getPage, { params: at, query });
    const shown = JSON.stringify(document);
    expect(shown.match(/El\*sa/g)).toHaveLength(8);
    expect(shown).not.toContain('page.vars.name');
    expect(await own.exportFiles()).toMatchObject({ 'page.md': page, 'SUMMARY.md': summary });
  });

  it('that read claims are kept as written with deterministic-only', async () => {
    const { markdown } = await read({ evaluated: 'deterministic-only' });
    expect(markdown).toContain(`B Docs C many D  E  F ${e('not valid(')} G ${e('visitor.claims.plan')}H`);
    expect(markdown).toContain('{% if visitor.claims.plan == "pro" %}\nPro\n{% endif %}');
    expect(markdown).not.toContain('Beta');
  });

  it('are evaluated in documents without reading their values as Markdown', async () => {
    const all = (await read({ format: 'document', evaluated: 'true' })).document?.nodes ?? [];
    expect(plainText(all[1]?.nodes ?? [])).toBe(
      `A El*sa B Docs C many D  E  F not valid( G H ${e('space.vars.product')}`,
    );
    expect(all.map(({ type }) => type)).toEqual(['heading-1', 'paragraph', 'code', 'paragraph', 'if']);
    const some = (await read({ format: 'document', evaluated: 'deterministic-only' })).document?.nodes ?? [];
    expect(some.map(({ type, data }) => data?.['expression'] ?? type)).toEqual([
      'heading-1',
      'paragraph',
      'code',
      'paragraph',
      'visitor.claims.plan == "pro"',
      'broken(',
    ]);
  });

  it('are evaluated in a bounded number of steps, even on a page with hundreds of them', async () => {
    const hard = `{% if [${'1,'.repeat(200)}1].some(a => [${'1,'.repeat(200)}1].some(b => a == b && false)) %}`;
    const many = Array.from(
      { length: 300 },
      (_, at) => `${hard.replace('false', `${at} < 0`)}\nx\n{% endif %}`,
    ).join('\n\n');
    await shelf.publish({ operation: 'insert_page', title: 'Hard', document: { markdown: many } });
    const pages = await shelf.pages();
    const { markdown } = await world.as('read').call(getPage, {
      params: { spaceId: shelf.spaceId, pageId: pages[1]?.id ?? '' },
      query: { evaluated: 'true' },
    });
    expect(markdown?.match(/\{% endif/g)?.length ?? 0).toBeGreaterThan(0);
  });
});
