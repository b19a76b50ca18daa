import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

describe('content of other sites', () => {
  it('is loaded only after a click, in a sandboxed frame', async () => {
    const page = await visit('blocks');
    const asked: string[] = [];
    await page.route(/youtube|example\.com|codepen/, (route) => {
      asked.push(new URL(route.request().url()).host);
      return route.fulfill({ contentType: 'text/html', body: '<p>A film</p>' });
    });
    expect(await page.locator('iframe').count()).toBe(0);
    await page.getByRole('link', { name: /YouTube/ }).click();
    const frame = page.locator('iframe');
    expect(await frame.getAttribute('title')).toBe('YouTube');
    expect(await frame.getAttribute('sandbox')).toBe(
      'allow-scripts allow-same-origin allow-popups allow-presentation',
    );
    await page.frameLocator('iframe').getByText('A film').waitFor();
    expect(asked).toEqual(['www.youtube-nocookie.com']);
    await leave(page);
  });

  it('does not prevent the browser from playing a video of the site', async () => {
    const page = await visit('blocks');
    const address = await page.getByRole('link', { name: 'tour.webm' }).getAttribute('href');
    await page.goto(new URL(address ?? '', page.url()).href);
    await page.waitForFunction(`document.querySelector('video')?.videoWidth === 16`);
    await leave(page);
  });

  it('is not requested while pages are read', async () => {
    const page = await visit('');
    const own = new URL(page.url()).host;
    const others: string[] = [];
    page.on('request', (request) => {
      const { host, protocol } = new URL(request.url());
      if (host !== own && protocol !== 'data:') others.push(request.url());
    });
    for (const path of ['inlines', 'blocks', 'deeper/wide', 'reference/orders'])
      await page.goto(new URL(path, page.url().replace(/[^/]*$/, '')).href);
    expect(others).toEqual([]);
    await leave(page);
  });
});

describe('a code block', () => {
  it('is copied without line numbers', async () => {
    const page = await visit('blocks', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('.code-numbered').hover();
    await page.locator('.code-numbered .copy-button').click();
    await page.locator('.code-numbered').getByText('Copied').waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(text).toMatch(
      /^\/\* Says hello to everybody who asks,\n   and to nobody else\. \*\/\nexport const hello/,
    );
    await leave(page);
  });
});
