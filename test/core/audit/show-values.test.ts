import { describe, expect, it } from 'vitest';
import {
  digest,
  showDifference,
  shownId,
  shownLabel,
  shownName,
} from '../../../src/core/audit/show-values.ts';
import type { RowAudit } from '../../../src/core/audit/table-audit.ts';
import type { Row } from '../../../src/core/store.ts';

const audit = {
  type: 'thing',
  fields: ['title', 'value', 'done'],
  secrets: ['key'],
  sizes: ['text'],
  progress: ['done'],
} as unknown as RowAudit;
const row = (more: object): Row => ({ id: 'thg_1', ...more });
const shown = (before: object | undefined, after: object | undefined, isJob = false) =>
  showDifference(audit, before && row(before), after && row(after), isJob);
/** Returns what audit events show of a value. */
const valueOf = (value: unknown): unknown => shown(undefined, { value })?.after?.['value'];

describe('the difference of two rows', () => {
  it('contains the fields that differ, with both values', () => {
    expect(shown({ title: 'A', value: 1, other: 1 }, { title: 'B', value: 1, other: 2 })).toEqual({
      before: { title: 'A' },
      after: { title: 'B' },
    });
    expect(shown({ title: 'A' }, { title: 'A', value: 0 })).toEqual({
      before: { value: null },
      after: { value: 0 },
    });
    expect(shown({ value: { a: 1 } }, { value: { a: 1 } })).toBeUndefined();
    expect(shown({ value: [1] }, { value: [2] })).toEqual({ before: { value: [1] }, after: { value: [2] } });
    expect(shown({ other: 1 }, { other: 2 })).toBeUndefined();
  });

  it('contains one side if a row was added or removed, even without visible fields', () => {
    expect(shown(undefined, { title: 'A' })).toEqual({ after: { title: 'A' } });
    expect(shown({ title: 'A' }, undefined)).toEqual({ before: { title: 'A' } });
    expect(shown(undefined, {})).toEqual({ after: {} });
    expect(shown({}, undefined)).toEqual({ before: {} });
  });

  it('omits the progress of jobs, and rows of jobs without visible fields', () => {
    expect(shown({ done: 1, title: 'A' }, { done: 2, title: 'B' }, true)).toEqual({
      before: { title: 'A' },
      after: { title: 'B' },
    });
    expect(shown({ done: 1 }, { done: 2 }, false)).toEqual({ before: { done: 1 }, after: { done: 2 } });
    expect(shown(undefined, { done: 1 }, true)).toBeUndefined();
    expect(shown({ done: 1 }, undefined, true)).toBeUndefined();
    expect(shown(undefined, { title: 'A' }, true)).toEqual({ after: { title: 'A' } });
  });

  it('shows that secrets differ without their values, and the length of long texts', () => {
    expect(shown({ key: 'one' }, { key: 'two' })).toEqual({
      before: { key: '[secret]' },
      after: { key: '[secret]' },
    });
    expect(shown({}, { key: 'two' })).toEqual({ before: { key: null }, after: { key: '[secret]' } });
    expect(shown({ text: 'abc' }, { text: { a: 1 } })).toEqual({
      before: { text: { characters: 3 } },
      after: { text: { characters: 7 } },
    });
    expect(shown({ text: 'abc' }, {})).toEqual({
      before: { text: { characters: 3 } },
      after: { text: null },
    });
  });
});

describe('a shown value', () => {
  it('is unchanged if it is short', () => {
    for (const value of [true, 7, 'text', [1, ['a']], { a: { b: 'c' } }])
      expect(valueOf(value)).toEqual(value);
  });

  it('is truncated after 500 characters if it is a text, never within a character', () => {
    expect(valueOf('x'.repeat(500))).toBe('x'.repeat(500));
    expect(valueOf('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
    expect(valueOf(`${'x'.repeat(499)}🚀`)).toBe(`${'x'.repeat(499)}\ufffd…`);
    expect(valueOf({ a: ['x'.repeat(501)] })).toEqual({ a: [`${'x'.repeat(500)}…`] });
  });

  it('is replaced by its length if its JSON has more than 2,000 characters', () => {
    expect(valueOf(['x'.repeat(1996)])).toEqual([`${'x'.repeat(500)}…`]);
    expect(valueOf(['x'.repeat(1997)])).toEqual({ characters: 2001 });
  });

  it('contains no credentials of URLs and no tokens', () => {
    expect(valueOf('https://a.example/b')).toBe('https://a.example/b');
    expect(valueOf('https://name@a.example/b')).toBe('https://a.example/b');
    expect(valueOf('https://:word@a.example/b')).toBe('https://a.example/b');
    expect(valueOf('https://a.example/b?key=1')).toBe('https://a.example/b?[secret]');
    expect(valueOf('https://a.example/b#key')).toBe('https://a.example/b');
    expect(valueOf('git+ssh://n:w@a.example/b?c#d')).toBe('git+ssh://a.example/b?[secret]');
    for (const text of ['see https://n:w@a.example', 'a:b', 'https://[']) expect(valueOf(text)).toBe(text);
    const secret = 'x'.repeat(30);
    expect(valueOf(`dctl_${secret} and dcti_${secret}-_`)).toBe('[secret] and [secret]');
    expect(valueOf(`dctl_${'x'.repeat(29)}`)).toBe(`dctl_${'x'.repeat(29)}`);
    expect(valueOf(`dctx_${secret}`)).toBe(`dctx_${secret}`);
  });
});

it('a row is identified by its ID, or by a digest if the ID is secret', () => {
  expect(shownId(audit, row({}))).toBe('thg_1');
  expect(shownId({ ...audit, id: 'name' }, row({ name: 'n' }))).toBe('n');
  expect(shownId({ ...audit, secretId: true }, row({}))).toBe(digest('thg_1'));
  expect(digest('thg_1')).toMatch(/^[\da-f]{16}$/);
  expect(digest('thg_1')).not.toBe(digest('thg_2'));
});

it('a row has the label of the field that its table names, up to 200 characters', () => {
  const labelled = { ...audit, label: 'title' } as RowAudit;
  expect(shownLabel(labelled, row({ title: 'A' }))).toBe('A');
  for (const title of ['', 7, undefined]) expect(shownLabel(labelled, row({ title }))).toBeUndefined();
  expect(shownLabel(audit, row({ title: 'A' }))).toBeUndefined();
  expect(shownName('x'.repeat(200))).toHaveLength(200);
  expect(shownName('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
});
