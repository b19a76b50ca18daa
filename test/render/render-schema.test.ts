import { describe, expect, it } from 'vitest';
import { renderFields, renderSchema } from '../../src/render/render-schema.ts';
import type { FieldView, SchemaView } from '../../src/specification/view-schema.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
const { words } = renderer;
const schemaOf = (type: string, more: Partial<SchemaView> = {}): SchemaView => ({
  names: [],
  type,
  title: '',
  description: '',
  limits: [],
  values: [],
  fields: [],
  variants: [],
  ...more,
});
const fieldOf = (name: string, more: Partial<FieldView> = {}): FieldView => ({
  name,
  isRequired: false,
  isDeprecated: false,
  description: '',
  schema: schemaOf('string'),
  ...more,
});
const shown = (type: string, more: Partial<SchemaView> = {}): string =>
  renderSchema(schemaOf(type, more), renderer).text.replace(/^<div class="schema-body">|<\/div>$/g, '');
const fields = (...list: readonly FieldView[]): string =>
  renderFields(list, renderer).text.replace(/^<ul class="fields">|<\/ul>$/g, '');

describe('a schema', () => {
  it('shows its type, description, default, example and limits', () => {
    expect(shown('a<b')).toBe('<p class="type">a&lt;b</p>');
    expect(
      shown('integer', { description: 'Many', limits: ['min: 1', 'max: 2'], default: '1', example: '2' }),
    ).toBe(
      `<p class="type">integer</p><p>Many</p><p class="facts"><code>min: 1</code> <code>max: 2</code> <code>${words.standard}: 1</code> <code>${words.example}: 2</code> </p>`,
    );
  });

  it('shows 30 values, and an ellipsis if there are more', () => {
    const values = (count: number) =>
      shown('string', { values: Array.from({ length: count }, (_, at) => `v${at}`) });
    expect(values(1)).toContain(`<p class="values">${words.values}: <code>v0</code> </p>`);
    expect(values(30)).toContain('<code>v29</code> </p>');
    expect(values(31)).toContain('<code>v29</code> …</p>');
  });

  it('shows the items of a list', () => {
    expect(
      shown('array of Pet', { items: schemaOf('Pet', { description: 'A pet', fields: [fieldOf('name')] }) }),
    ).toBe(`<p class="type">array of Pet</p><p>A pet</p><ul class="fields">${fields(fieldOf('name'))}</ul>`);
  });

  it('shows the values of a discriminator with the titles of their variants', () => {
    const values = (mapping: [string, string][], more: Partial<SchemaView>) =>
      /<p class="values">.*?<\/p>/.exec(
        shown('one of', { discriminator: { property: 'kind', mapping }, ...more }),
      )?.[0];
    const variants = [
      schemaOf('object', { title: 'A cat', names: ['Cat'] }),
      schemaOf('object', { title: 'Dog', names: ['Dog'] }),
    ];
    const mapping: [string, string][] = [
      ['cat', 'Cat'],
      ['Dog', 'Dog'],
      ['other', 'Other'],
    ];
    expect(values(mapping, { variants })).toBe(
      '<p class="values">kind: <code>cat → A cat</code> <code>Dog</code> <code>other → Other</code> </p>',
    );
    expect(values([], { variants })).toBe(
      '<p class="values">kind: <code>Cat → A cat</code> <code>Dog</code> </p>',
    );
    expect(values([['cat', 'Cat']], { names: ['Cat'] })).toBe(
      '<p class="values">kind: <code>cat</code> </p>',
    );
    expect(values([], {})).toBeUndefined();
    expect(shown('any', { discriminator: { property: 'kind', mapping: [] } })).toContain(
      '<code>discriminator: kind</code>',
    );
  });

  it('shows whether a list contains one of several schemas', () => {
    const list = schemaOf('array', { items: schemaOf('one of', { variants: [schemaOf('string')] }) });
    expect(fields(fieldOf('events', { schema: list }))).toContain(`<summary>${words.variants}</summary>`);
    expect(fields(fieldOf('events', { schema: schemaOf('array', { items: list }) }))).toContain(
      `<summary>${words.variants}</summary>`,
    );
  });

  it('shows the titles of variants, which expand if they have fields', () => {
    const variants = [schemaOf('string'), schemaOf('object', { title: 'Cat', fields: [fieldOf('name')] })];
    const list = `<ul class="variants"><li>string</li><li><details><summary>Cat</summary><ul class="fields">${fields(fieldOf('name'))}</ul></details></li></ul>`;
    expect(shown('one of', { variants })).toBe(`<p class="type">one of</p>${list}`);
    expect(shown('one of', { variants, fields: [fieldOf('id')] })).toBe(
      `<p class="type">one of</p>${list}<ul class="fields">${fields(fieldOf('id'))}</ul>`,
    );
  });
});

describe('a field', () => {
  it('shows whether it is required or deprecated', () => {
    expect(fields(fieldOf('a'))).toBe(
      '<li><p class="field"><code>a</code> <span class="type">string</span></p></li>',
    );
    expect(fields(fieldOf('a', { isRequired: true, isDeprecated: true }))).toBe(
      `<li><p class="field"><code class="deprecated">a</code> <span class="type">string</span> <span class="required">${words.required}</span> <span class="tag tag-warning">${words.deprecated}</span></p></li>`,
    );
  });

  it('shows its own description, or that of its schema', () => {
    const schema = schemaOf('string', { description: 'Of the schema' });
    expect(fields(fieldOf('a', { schema }))).toContain('</p><p>Of the schema</p></li>');
    expect(fields(fieldOf('a', { schema, description: 'Own' }))).toContain('</p><p>Own</p></li>');
  });

  it('expands to show fields or variants', () => {
    const inner = schemaOf('object', { fields: [fieldOf('b')] });
    expect(fields(fieldOf('a', { schema: inner }))).toContain(
      `<details class="inner-fields"><summary>${words.fields}</summary><ul class="fields">`,
    );
    const either = schemaOf('one of', { variants: [schemaOf('string')] });
    expect(fields(fieldOf('a', { schema: either }))).toContain(
      `<details class="inner-fields"><summary>${words.variants}</summary><ul class="variants"><li>string</li></ul></details>`,
    );
  });
});
