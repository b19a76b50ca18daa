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

  it.each([
    [['spaces', 'create', '--title', '-', '--emoji', '-']],
    [['openapi', 'validate', '-', '-']],
    [['spaces', 'create', '-', '--body', '-']],
  ])('%j is refused, because standard input can be read only once', async (words) => {
    const { exit, stderr } = await desk.run([...words, '--dry-run'], { input: '{"a": 1}' });
    expect(stderr).toContain('Standard input can be read only once, but "-" is given more than once.');
    expect(exit).toBe(64);
  });
});
