import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

/** Opens a page whose visitor token expires afterwards. */
async function visitUntilExpired(): Promise<Page> {
  const page = await visit('inlines', { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.evaluate('navigator.clipboard.writeText("before")');
  await page.route(/\.md$|~gitbook\//, (route) =>
    route.fulfill({ status: 401, contentType: 'text/plain', body: `Sign in. ${route.request().postData()}` }),
  );
  return page;
}

describe('a request that the site refuses after the page was opened', () => {
  it('opens the refusal instead of copying it as the Markdown of the page', async () => {
    const page = await visitUntilExpired();
    await page.locator('[data-copy-page]').evaluate((button: { click: () => void }) => button.click());
    await page.getByText('Sign in.').waitFor();
    expect(page.url()).toMatch(/\/inlines\.md$/);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('before');
    await leave(page);
  });

  it('opens the refusal for a reader who gives feedback', async () => {
    const page = await visitUntilExpired();
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await page.getByText(/^Sign in\. siteSpace=\w+&page=\w+&.*rating=good/).waitFor();
    expect(page.url()).toMatch(/\/~gitbook\/feedback$/);
    await leave(page);
  });
});

it('copy buttons are hidden if the browser does not allow pages to copy', async () => {
  const page = await visit('blocks');
  await page.addInitScript('Object.defineProperty(window, "isSecureContext", { value: false })');
  await page.reload();
  await page.locator('[data-theme-toggle]:visible').first().waitFor();
  expect(await page.locator('.copy-button, [data-copy-page]:visible, [data-copy-text]:visible').count()).toBe(
    0,
  );
  await leave(page);
});
