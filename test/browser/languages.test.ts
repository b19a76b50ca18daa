import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, isTooWide, leave, visit } from './reader.ts';

closeBrowserAfterwards();

describe('a language with right-to-left script', () => {
  it('has its text direction and translations, and the navigation on the right', async () => {
    const page = await visit('دليل/');
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await page.locator('html').getAttribute('lang')).toBe('ar');
    const sidebar = await page.locator('.sidebar').boundingBox();
    const text = await page.locator('.content').boundingBox();
    const outline = await page.locator('.outline').boundingBox();
    expect((sidebar?.x ?? 0) > (text?.x ?? 0)).toBe(true);
    expect((outline?.x ?? 0) < (text?.x ?? 0)).toBe(true);
    expect(await page.evaluate('getComputedStyle(document.querySelector(".code pre")).direction')).toBe(
      'ltr',
    );
    expect(await page.locator('.skip').textContent()).not.toBe('Skip to content');
    expect(await isTooWide(page)).toBe(false);
    await leave(page);
  });

  it('mirrors the arrows to the previous and next page', async () => {
    const page = await visit('دليل/');
    const turned = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.pagination .icon')).transform`,
    );
    expect(turned).toBe('matrix(-1, 0, 0, 1, 0, 0)');
    await leave(page);
  });

  it('reverses the arrow keys of tabs', async () => {
    const page = await visit('دليل/');
    await page.getByRole('tab', { name: 'الأول' }).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await page.getByRole('tab', { name: 'الثاني' }).getAttribute('aria-selected')).toBe('true');
    await leave(page);
  });

  it('names the language of each link to another language', async () => {
    const page = await visit('deeper/setup');
    const link = page.locator('.header-extras a[hreflang=ar]');
    expect(await link.getAttribute('lang')).toBe('ar');
    // The Arabic space does not have this page, only the first one.
    expect(await page.locator('link[rel=alternate][hreflang=ar]').count()).toBe(0);
    await leave(page);
    const first = await visit('');
    expect(await first.locator('link[rel=alternate][hreflang=ar]').count()).toBe(1);
    await leave(first);
  });
});
