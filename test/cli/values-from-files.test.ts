import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

describe('values from files', () => {
  let desk: GuideStore;
  beforeAll(async () => {
    desk = await openGuideStore();
  });
  afterAll(() => desk.discard());

  it.each([
    ['one\n', 'one'],
    ['one\r\n', 'one'],
    ['one', 'one'],
    ['', ''],
    ['one\ntwo\n', 'one\ntwo\n'],
    ['one\n\n', 'one\n\n'],
  ])('%j is read as %j', async (content, value) => {
    writeFileSync(desk.at('subject.txt'), content);
    const words = [
      'cr',
      'create',
      'Guide',
      '--dry-run',
      '-o',
      'json',
      '--query',
      'body.subject',
      '--subject',
    ];
    expect(JSON.parse((await desk.done([...words, '@subject.txt'])).stdout)).toBe(value);
    expect(JSON.parse((await desk.done([...words, '-'], { input: content })).stdout)).toBe(value);
  });
});
