import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

/** Returns the brightness of the background and the text of a page, from 0 to 255. */
async function brightness(page: Page): Promise<{ readonly ground: number; readonly text: number }> {
  return page.evaluate(`(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    const of = (value) => value.match(/\\d+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0) / 3;
    return { ground: of(backgroundColor), text: of(color) };
  })()`);
}

const isDark = async (page: Page): Promise<boolean> => (await brightness(page)).ground < 60;

describe('the theme of a page', () => {
  it('is that of the system until a reader selects another one, which is saved', async () => {
    const page = await visit('', { colorScheme: 'dark' });
    expect(await isDark(page)).toBe(true);
    const button = page.locator('[data-theme-toggle]');
    const seen: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      seen.push([await button.getAttribute('aria-label'), await isDark(page)]);
      await button.click();
    }
    expect(seen).toEqual([
      ['Theme: same as the system', true],
      ['Theme: light', false],
      ['Theme: dark', true],
    ]);
    expect(await button.getAttribute('aria-label')).toBe('Theme: same as the system');
    await button.click();
    await page.getByRole('link', { name: 'Every inline' }).click();
    await page.waitForURL(/inlines$/);
    expect([await isDark(page), await button.getAttribute('aria-label')]).toEqual([false, 'Theme: light']);
    await leave(page);
  });

  it('switches images that have a dark version', async () => {
    for (const [colorScheme, name] of [
      ['light', 'cover.svg'],
      ['dark', 'dark.svg'],
    ] as const) {
      const page = await visit('blocks', { colorScheme });
      const shown = page.getByRole('img', { name: 'Hills by day and by night' });
      expect(await shown.count()).toBe(1);
      expect(await shown.getAttribute('src')).toContain(name);
      await leave(page);
    }
  });

  it('is light on paper, where menus are hidden and everything is expanded', async () => {
    const page = await visit('blocks', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const { ground, text } = await brightness(page);
    expect([ground > 240, text < 90]).toEqual([true, true]);
    for (const selector of ['.site-header', '.sidebar', '.outline', '.site-footer', '.copy-button', '.skip'])
      expect([selector, await page.locator(selector).first().isVisible()]).toEqual([selector, false]);
    for (const text of ['This text, with', 'Run pnpm add', 'The second group', 'npm install docsctl'])
      expect([text, await page.getByText(text).first().isVisible()]).toEqual([text, true]);
    const image = page.getByRole('img', { name: 'Hills by day and by night' });
    for (const theme of ['auto', 'dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect([theme, await image.count()]).toEqual([theme, 1]);
      expect(await image.getAttribute('src')).toContain('cover');
    }
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await leave(page);
  });
});
