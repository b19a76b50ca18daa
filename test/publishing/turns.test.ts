import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { answerSite } from '../../src/publishing/answer-site.ts';
import { PageCache } from '../../src/publishing/page-cache.ts';
import { mockBusyClock } from '../support/busy-clock.ts';
import { publishedSite } from './published-site.ts';

afterEach(() => vi.restoreAllMocks());

it('answerSite lets other requests run while it makes a large answer', async () => {
  const pages = Array.from({ length: 60 }, (_, number) => ({
    title: `Page ${number}`,
    text: `Text ${number}.`,
  }));
  const { world } = await publishedSite(pages);
  const turns: string[] = [];
  mockBusyClock();
  const answering = answerSite({ ...world.core, sitesUrl: 'https://docs.test' }, new PageCache(), {
    method: 'GET',
    host: 'docs.test',
    path: '/sites/acme/docs/llms-full.txt',
    query: new URLSearchParams(),
    cookies: [],
    isSecure: true,
  }).then(({ body }) => {
    turns.push('answer');
    return String(body);
  });
  for (let turn = 0; turn < 3; turn++) {
    await setImmediate();
    turns.push('other');
  }
  expect(await answering).toContain('Text 59.');
  expect(turns).toEqual(['other', 'other', 'other', 'answer']);
});
