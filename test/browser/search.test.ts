import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, leave, violationsOf, visit } from './reader.ts';

closeBrowserAfterwards();

describe('the search field of a page', () => {
  it('shows results while a reader types, and works with the keyboard alone', async () => {
    const page = await visit('blocks');
    await page.keyboard.press('/');
    await page.keyboard.type('zanzibar');
    const found = page.getByRole('option');
    await found.first().waitFor();
    const field = page.getByRole('combobox');
    expect(await field.inputValue()).toBe('zanzibar');
    await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe('~found-0');
    expect(await found.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/setup\/server/);
    // The word is in a tab that is not the first.
    await page.getByText('The word zanzibar is only here').waitFor({ state: 'visible' });
    await leave(page);
  });

  it.each(['install', 'xyzzyx'])(
    'has no accessibility violations while it shows the results for "%s"',
    async (query) => {
      const page = await visit('', { bypassCSP: true });
      await page.getByRole('combobox').fill(query);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      expect(await violationsOf(page)).toEqual([]);
      await leave(page);
    },
  );

  it('keeps the selected result when the results for more letters arrive later', async () => {
    const page = await visit('');
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/q=install\b/, async (route) => {
      await released;
      await route.continue();
    });
    const field = page.getByRole('combobox');
    await field.fill('insta');
    await page.getByRole('option').first().waitFor();
    await field.fill('install');
    await field.press('ArrowDown');
    const chosen = page.locator('.found a[aria-selected=true]');
    const href = await chosen.getAttribute('href');
    await page.evaluate(`for (const one of document.querySelectorAll('.found li')) one.className = 'early'`);
    release();
    await page.locator('.found .early').first().waitFor({ state: 'detached' });
    expect(await chosen.getAttribute('href')).toBe(href);
    expect(await field.getAttribute('aria-activedescendant')).toMatch(/^~found-\d+$/);
    await leave(page);
  });

  it('drops the selected result when other words replace the query', async () => {
    const page = await visit('');
    await page.route(/q=quick\b.*/, (route) =>
      route.request().headers()['accept'] === 'application/json' ? undefined : route.continue(),
    );
    const field = page.getByRole('combobox');
    await field.fill('install');
    await page.getByRole('option').first().waitFor();
    await field.press('ArrowDown');
    expect(await page.locator('.found [aria-selected=true]').count()).toBe(1);
    await field.fill('quick');
    await field.press('Enter');
    await page.waitForURL(/q=quick/);
    await leave(page);
  });

  it('closes with Escape, and reports that nothing was found', async () => {
    const page = await visit('');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xyzzyx');
    await page.getByText('Nothing found').first().waitFor();
    await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found');
    await page.keyboard.press('Escape');
    await page.locator('.found').waitFor({ state: 'hidden' });
    await expect.poll(() => page.getByRole('combobox').getAttribute('aria-expanded')).toBe('false');
    await leave(page);
  });

  it('opens the page of results with Enter, even from a space of another section', async () => {
    const page = await visit('reference');
    await page.getByRole('combobox').fill('linux');
    await page.getByRole('combobox').press('Enter');
    await page.waitForURL(/~gitbook\/search\?q=linux\b/);
    await page.getByRole('link', { name: 'On Linux', exact: true }).click();
    await page.waitForURL(/\/setup\/linux(?:#|$)/);
    await leave(page);
  });

  it('finds texts in Arabic, and opens them', async () => {
    const page = await visit('دليل/');
    await page.getByRole('combobox').fill('الخطوات');
    await page.getByRole('option').first().waitFor();
    await page.getByRole('option').first().click();
    await page.waitForURL(/#/);
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    await leave(page);
  });

  it('is a button on a phone, which expands over the whole row', async () => {
    const page = await visit('blocks', { viewport: { width: 390, height: 760 } });
    const field = page.getByRole('combobox');
    const width = async (): Promise<number> => (await field.boundingBox())?.width ?? 0;
    expect(await width()).toBe(36);
    await field.click();
    expect(await width()).toBeGreaterThan(340);
    await page.keyboard.type('zanzibar');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await width()).toBe(36);
    await leave(page);
  });
});
