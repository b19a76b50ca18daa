import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

describe('a screen reader', () => {
  it('finds headings by their text, in the order of levels, and one of each landmark by its name', async () => {
    const page = await visit('blocks');
    const main = page.getByRole('main');
    for (const name of ['Texts', 'Code', 'Mind the gap'])
      expect([name, await main.getByRole('heading', { name, exact: true }).count()]).toEqual([name, 1]);
    const levels = await page.evaluate<number[]>(
      `[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => Number(tagName[1]))`,
    );
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.slice(1).entries())
      expect(level - (levels[index] ?? 0)).toBeLessThanOrEqual(1);
    expect(await page.getByRole('banner').count()).toBe(1);
    expect(await page.getByRole('contentinfo').count()).toBe(1);
    for (const name of ['Pages', 'Sections', 'On this page', 'Links'])
      expect([name, await page.getByRole('navigation', { name, exact: true }).count()]).toEqual([name, 1]);
    for (const button of await page.getByRole('button').all())
      expect((await button.getAttribute('aria-label')) ?? (await button.innerText())).not.toBe('');
    await leave(page);
  });

  it('announces the number of search results, and that there are none', async () => {
    const page = await visit('');
    const field = page.getByRole('combobox', { name: 'Search' });
    const status = page.getByRole('search').getByRole('status');
    await field.fill('install');
    await expect.poll(() => status.innerText()).toMatch(/^Results: \d+$/);
    await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true');
    await field.press('ArrowDown');
    await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe('~found-0');
    await field.fill('nowheretobefound');
    await expect.poll(() => status.innerText()).toBe('Nothing found');
    await leave(page);
  });

  it('announces that code was copied', async () => {
    const page = await visit('blocks');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('.copy-button').first().focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('body > [role=status]').innerText()).toBe('Copied');
    await leave(page);
  });

  it('moves to the thanks for feedback, which replaces the buttons', async () => {
    const page = await visit('inlines');
    await page.getByRole('group', { name: 'Was this page helpful?' }).waitFor();
    await page.getByRole('button', { name: 'Yes', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/thank/i);
    await leave(page);
  });
});

describe('a printed page', () => {
  it('shows the address of a link next to it, but not on a card', async () => {
    const page = await visit('blocks');
    await page.emulateMedia({ media: 'print' });
    const contentOf = (selector: string): Promise<string> =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), '::after').content`,
      );
    expect(await contentOf('.content p a[href^="https://example.com"]')).toContain('example.com');
    expect(await contentOf('.card-link[href^="https:"]')).toBe('none');
    await leave(page);
  });
});
