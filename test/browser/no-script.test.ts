import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, isTooWide, leave, visit } from './reader.ts';

closeBrowserAfterwards();

describe('a browser without JavaScript', () => {
  it('shows all content, also that of every tab', async () => {
    const page = await visit('blocks', { javaScriptEnabled: false });
    for (const text of ['npm install docsctl', 'Run pnpm add', 'The second group', 'The same titles'])
      expect([text, await page.getByText(text).first().isVisible()]).toEqual([text, true]);
    await page.getByText('What is hidden?').click();
    await page.getByText('This text, with').waitFor({ state: 'visible' });
    // Those of the feedback send a form, which needs no script.
    expect(await page.locator('button:visible:not(.feedback-button)').count()).toBe(0);
    const films = page.getByRole('link', { name: /YouTube/ });
    expect(await films.getAttribute('href')).toContain('youtube.com/watch');
    await leave(page);
  });

  it('reaches every page by links, through the table of contents and the sections', async () => {
    const page = await visit('', { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'On a server' }).click();
    await page.getByText('The word zanzibar').waitFor({ state: 'visible' });
    await page.getByRole('link', { name: 'Reference', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const next = page.getByRole('link', { name: /^Next/ });
    const target = new URL((await next.getAttribute('href')) ?? '', page.url());
    await next.click();
    await page.waitForURL(target.href);
    await leave(page);
  });

  it('searches', async () => {
    const page = await visit('', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('zanzibar');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: /On a server/ }).click();
    await page.waitForURL(/\/setup\/server(?:#|$)/);
    await leave(page);
  });

  it('keeps the navigation of a small screen closed until it is asked for', async () => {
    const page = await visit('', { javaScriptEnabled: false, viewport: { width: 390, height: 700 } });
    const link = page.locator('.sidebar').getByRole('link', { name: 'Every inline' });
    expect(await link.isVisible()).toBe(false);
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(heading?.y).toBeLessThan(500);
    await page.locator('details.menu summary').click();
    await link.waitFor({ state: 'visible' });
    await page.locator('.sidebar').getByText('Status').waitFor({ state: 'visible' });
    expect(await isTooWide(page)).toBe(false);
    await link.click();
    await page.waitForURL(/\/inlines$/);
    await leave(page);
  });

  it('opens the menus of versions and languages', async () => {
    const page = await visit('deeper/setup', { javaScriptEnabled: false });
    await page.locator('.header-extras .picker-languages summary').click();
    await page.locator('.header-extras').getByRole('link', { name: 'العربية' }).click();
    // There is no such page in Arabic: its first page stands in for it.
    await page.waitForURL((url) => decodeURI(url.pathname).endsWith('/samples/دليل/'));
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    await leave(page);
  });
});
