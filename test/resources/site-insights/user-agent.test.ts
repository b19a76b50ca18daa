import { expect, test } from 'vitest';
import { clientOf } from '../../../src/resources/site-insights/user-agent.ts';

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    { browser: 'chrome', device: 'desktop', os: 'linux' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    { browser: 'edge', device: 'desktop', os: 'windows' },
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
    { browser: 'firefox', device: 'desktop', os: 'macos' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    { browser: 'safari', device: 'mobile', os: 'ios' },
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    { browser: 'chrome', device: 'tablet', os: 'android' },
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    { browser: 'chrome', device: 'mobile', os: 'android' },
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Trident/7.0; rv:11.0) like Gecko',
    { browser: 'ie', device: 'desktop', os: 'windows' },
  ],
  [
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    { browser: 'unknown', device: 'unknown', os: 'unknown', bot: 'gptbot' },
  ],
  [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    { browser: 'unknown', device: 'unknown', os: 'unknown', bot: 'googlebot' },
  ],
  ['some-crawler/1.0', { browser: 'unknown', device: 'unknown', os: 'unknown', bot: 'unknown' }],
  ['', { browser: 'unknown', device: 'unknown', os: 'unknown' }],
])('the client is detected from %s', (userAgent, client) => {
  expect(clientOf(userAgent)).toEqual(client);
});
