import { describe, expect, it } from 'vitest';
import { freeSlug, maxSlugLength, slugKey, toSlug } from '../../src/content/slugs.ts';

describe('a slug', () => {
  it.each([
    ['Getting Started!', 'getting-started'],
    ['  --A  b--', 'a-b'],
    ['Über uns 中文', 'über-uns-中文'],
    ['e\u0301', 'é'],
    ['!?', 'page'],
    ['', 'page'],
  ])('is generated from %j as %s', (title, slug) => expect(toSlug(title)).toBe(slug));

  it('has at most 80 characters and 100 UTF-16 code units', () => {
    expect(toSlug('a'.repeat(80))).toBe('a'.repeat(80));
    expect(toSlug('a'.repeat(81))).toBe('a'.repeat(80));
    expect(toSlug(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79));
    expect(toSlug('𝒶'.repeat(60))).toBe('𝒶'.repeat(50));
    expect(toSlug(`a${'𝒶'.repeat(60)}`)).toBe(`a${'𝒶'.repeat(49)}`);
  });

  it('gets the first free number', () => {
    expect(freeSlug('a', new Set())).toBe('a');
    expect(freeSlug('a', new Set(['a']))).toBe('a-1');
    expect(freeSlug('a', new Set(['a', 'a-1', 'a-3']))).toBe('a-2');
    expect(freeSlug('A', new Set(['a', 'a-1']))).toBe('A-2');
    const long = 'a'.repeat(maxSlugLength);
    expect(freeSlug(long, new Set([long]))).toBe(`${'a'.repeat(98)}-1`);
    const pairs = '𝒶'.repeat(50);
    expect(freeSlug(`a${pairs}`, new Set([`a${pairs}`]))).toBe(`a${'𝒶'.repeat(48)}-1`);
    expect(freeSlug(long.slice(2), new Set([long.slice(2)]))).toBe(`${'a'.repeat(98)}-1`);
  });

  it('is found in a few steps if many are equal', () => {
    const taken = new Set<string>();
    const numbers = new Map<string, number>();
    let steps = 0;
    const counted = { has: (slug: string) => (steps++, taken.has(slug)) };
    const word = (number: number) =>
      [...'abcdefgh'].map((c, at) => ((number >> at) & 1 ? c.toUpperCase() : c)).join('');
    for (let number = 0; number < 200; number++) taken.add(slugKey(freeSlug(word(number), counted, numbers)));
    expect([...taken].slice(-2)).toEqual(['abcdefgh-198', 'abcdefgh-199']);
    expect(steps).toBeLessThan(3 * 200);
  });
});
