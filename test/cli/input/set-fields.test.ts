import { describe, expect, it } from 'vitest';
import { setFields } from '../../../src/cli/input/set-fields.ts';
import { closed, nullable, Type } from '../../../src/contract/schema.ts';

const body = closed({
  title: Type.String(),
  emoji: nullable(Type.String()),
  source: closed({ language: Type.String(), siteSpace: Type.String() }),
  limits: closed({ max: Type.Integer(), isOpen: Type.Boolean() }),
  rules: Type.Array(closed({ to: Type.String() })),
  free: Type.Unsafe<unknown>({}),
  domains: Type.Array(Type.String()),
});

const set = (assignments: string[], before: Record<string, unknown> = {}) =>
  setFields(before, body, assignments, async (_, { type }, text) =>
    type === 'integer' ? Number(text) : type === 'boolean' ? text === 'true' : text,
  );

describe('--set', () => {
  it('sets nested fields with the types of the schema, and keeps other fields', async () => {
    expect(
      await set(
        ['source.language=en', 'source.site-space=x', 'limits.max=5', 'limits.isOpen=true', 'emoji=null'],
        { title: 'T', source: { language: 'de', note: 1 } },
      ),
    ).toEqual({
      title: 'T',
      emoji: null,
      source: { language: 'en', siteSpace: 'x', note: 1 },
      limits: { max: 5, isOpen: true },
    });
  });

  it('keeps everything after the first equals sign, and reads JSON if the schema has no type', async () => {
    expect(await set(['title=a=b', 'free.deep.flag=true', 'free.word=yes', 'free.none=null'])).toEqual({
      title: 'a=b',
      free: { deep: { flag: true }, word: 'yes', none: null },
    });
  });

  it('reads lists as JSON, even empty ones', async () => {
    expect(await set(['domains=[]'])).toEqual({ domains: [] });
    expect(await set(['domains=["a","b,c"]'])).toEqual({ domains: ['a', 'b,c'] });
    expect(await set(['domains=[a'])).toEqual({ domains: '[a' });
  });

  it('sets items of lists by their index', async () => {
    expect(await set(['rules.1.to=/b'], { rules: [{ to: '/a' }, { to: '/x', code: 1 }] })).toEqual({
      rules: [{ to: '/a' }, { to: '/b', code: 1 }],
    });
    expect(await set(['rules.0.to=/a'])).toEqual({ rules: [{ to: '/a' }] });
    expect(await set(['free.99999999999=1', 'free.x=2'])).toEqual({ free: { 99999999999: 1, x: 2 } });
    expect(await set(['free.x=2'], { free: [1] })).toEqual({ free: { x: 2 } });
  });

  it.each([
    ['source.langage=en', 'there is no field "langage"', 'language'],
    ['title.deep=x', 'there is no field "deep"', 'title is a single value'],
    ['other=x', 'there is no field "other"', 'Choose one of: '],
    ['rules.first.to=x', 'must be a number', '0'],
    ['title', 'takes PATH=VALUE', '--set source.language=en'],
    ['__proto__.x=1', 'there is no field "__proto__"', ''],
  ])('refuses %s', async (assignment, message, hint) => {
    await expect(set([assignment])).rejects.toMatchObject({
      reason: 'invalid-input',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    });
  });
});
