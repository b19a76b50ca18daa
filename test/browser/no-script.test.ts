import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, isTooWide, leave, visit } from './reader.ts';

closeBrowserAfterwards();

describe('pages without JavaScript', () => {
  it('show all content, even of every tab', async () => {
    const page = await visit('blocks', { javaScriptEnabled: false });
    for (const text of ['npm install docsctl', 'Run pnpm add', 'The second group', 'The same titles'])
      expect([text, await page.getByText(text).first().isVisible()]).toEqual([text, true]);
    await page.getByText('What is hidden?').click();
    await page.getByText('This text, with').waitFor({ state: 'visible' });
    // The feedback buttons submit a form, which needs no script.
    expect(await page.locator('button:visible:not(.feedback-button)').count()).toBe(0);
    const films = page.getByRole('link', { name: /YouTube/ });
    expect(await films.getAttribute('href')).toContain('youtube.com/watch');
    await leave(page);
  });

  it('reach every page by links, through the table of contents and the sections', async () => {
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

  it('can be searched', async () => {
    const page = await visit('', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('zanzibar');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: /On a server/ }).click();
    await page.waitForURL(/\/setup\/server(?:#|$)/);
    await leave(page);
  });

  it('hide the navigation of a small screen until it is opened', async () => {
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

  it('open the menus of versions and languages', async () => {
    const page = await visit('deeper/setup', { javaScriptEnabled: false });
    await page.locator('.header-extras .picker-languages summary').click();
    await page.locator('.header-extras').getByRole('link', { name: 'العربية' }).click();
    // This page does not exist in Arabic, so the first page is shown instead.
    await page.waitForURL((url) => decodeURI(url.pathname).endsWith('/samples/دليل/'));
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    await leave(page);
  });
});
