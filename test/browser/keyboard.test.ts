import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

/** Returns the text or label of the focused element, and whether a reader can see the focus. */
async function focused(page: Page): Promise<{ readonly name: string; readonly isVisible: boolean }> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return {
      name: (element.getAttribute('aria-label') || element.textContent || element.name || element.tagName).trim(),
      isVisible:
        outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && box.width > 0 && box.height > 0 &&
        box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  })()`);
}

/** Waits until the element with this name has the focus. @throws AssertionError if it never does */
async function expectFocusOn(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await focused(page)).name).toBe(name);
}

/** Waits until there are tabs, and all of them are selected. @throws AssertionError if one never is */
async function expectChosen(tabs: Locator): Promise<void> {
  const states = (): Promise<(string | null)[]> =>
    tabs.evaluateAll((all) => all.map((tab) => tab.getAttribute('aria-selected')));
  await expect.poll(async () => [...new Set(await states())]).toEqual(['true']);
}

/** Presses Tab until the element with this name has the focus. @throws Error if it never does */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let count = 0; count < 150; count++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).name === name) return;
  }
  throw new Error(`Tab never reaches "${name}".`);
}

describe('keyboard navigation', () => {
  it('reaches a link to the content first', async () => {
    const page = await visit('deeper/setup');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toEqual({ name: 'Skip to content', isVisible: true });
    await page.keyboard.press('Enter');
    await page.waitForURL(/#~content$/);
    await page.keyboard.press('Tab');
    await expectFocusOn(page, 'Deeper');
    await leave(page);
  });

  it('shows the focus at every stop, and reaches the end of the page', async () => {
    const page = await visit('blocks');
    const unseen: string[] = [];
    let count = 0;
    for (; count < 300; count++) {
      await page.keyboard.press('Tab');
      const { name, isVisible } = await focused(page);
      if (name === 'github') break;
      if (!isVisible) unseen.push(name);
    }
    expect([count < 300, unseen]).toEqual([true, []]);
    await leave(page);
  });

  it('opens a menu, reaches its links, and closes it with Escape', async () => {
    const page = await visit('');
    await tabTo(page, 'Language: English');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expectFocusOn(page, 'العربية');
    await page.keyboard.press('Escape');
    await expectFocusOn(page, 'Language: English');
    await expect.poll(() => page.locator('.header-extras details[open]').count()).toBe(0);
    await leave(page);
  });

  it('opens and closes entries of the table of contents, and follows one', async () => {
    const page = await visit('');
    await tabTo(page, 'Show pages below: Setup');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'On Linux' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Space');
    await page.getByRole('link', { name: 'On Linux' }).waitFor({ state: 'visible' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/setup\/linux$/);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('On Linux');
    await leave(page);
  });

  it('selects tabs with arrow keys, in all groups with the same titles, and restores them after a reload', async () => {
    const page = await visit('blocks');
    const tabs = page.getByRole('tab', { name: 'pnpm' });
    await page.getByRole('tab', { name: 'npm', exact: true }).first().focus();
    await page.keyboard.press('ArrowRight');
    await expectFocusOn(page, 'pnpm');
    await expectChosen(tabs);
    await page.keyboard.press('Tab');
    await expect.poll(async () => (await focused(page)).name).toContain('Run pnpm add docsctl.');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Home');
    await expectFocusOn(page, 'npm');
    await page.keyboard.press('End');
    await page.reload();
    await expectChosen(tabs);
    await leave(page);
  });

  it('opens expandable blocks', async () => {
    const page = await visit('blocks');
    await tabTo(page, 'What is hidden?');
    await page.keyboard.press('Enter');
    await page.getByText('This text, with').waitFor({ state: 'visible' });
    await leave(page);
  });

  it('opens the note of a word, and closes it with Escape', async () => {
    const page = await visit('inlines');
    const note = page.getByText('The text of the note');
    expect(await note.isVisible()).toBe(false);
    await tabTo(page, 'a note');
    await page.keyboard.press('Enter');
    await note.waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'hidden' });
    await leave(page);
  });

  it('opens the menu of a small screen at the current page, and closes it with Escape', async () => {
    const page = await visit('deeper/setup/linux', { viewport: { width: 390, height: 700 } });
    expect(await page.locator('.sidebar').isVisible()).toBe(false);
    await tabTo(page, 'Menu');
    await page.keyboard.press('Enter');
    await page.locator('.sidebar').waitFor({ state: 'visible' });
    await expect.poll(() => focused(page)).toEqual({ name: 'On Linux', isVisible: true });
    await page.keyboard.press('Escape');
    await page.locator('.sidebar').waitFor({ state: 'hidden' });
    await expectFocusOn(page, 'Menu');
    await leave(page);
  });

  it('closes menus when the focus leaves them, so that they do not cover it', async () => {
    const small = await visit('deeper/setup/linux', { viewport: { width: 390, height: 700 } });
    await small.locator('.menu summary').press('Enter');
    await tabTo(small, 'Page actions');
    expect(await small.locator('.menu[open]').count()).toBe(0);
    await leave(small);
    const large = await visit('');
    await large.locator('.header-row .picker summary').press('Enter');
    await tabTo(large, 'q');
    expect(await large.locator('.picker[open]').count()).toBe(0);
    await leave(large);
  });

  it('follows an anchor in the style of another tool, even into a closed tab', async () => {
    const page = await visit('blocks#long-&-narrow...');
    const top = () =>
      page.getByRole('heading', { name: 'Long and narrow' }).evaluate((it) => it.getBoundingClientRect().top);
    await expect.poll(top).toBeLessThan(400);
    await page.evaluate("location.hash = '#PNPM'");
    await expect
      .poll(() => page.getByRole('tab', { name: 'pnpm' }).first().getAttribute('aria-selected'))
      .toBe('true');
    await leave(page);
  });

  it('reaches the search from a button of a page', async () => {
    const page = await visit('inlines');
    await page.getByRole('link', { name: 'Search it' }).press('Enter');
    await expectFocusOn(page, 'q');
    await leave(page);
  });

  it('stops at a table or code block only if it scrolls', async () => {
    const wide = await visit('deeper/wide');
    const table = wide.getByRole('region', { name: /^Table 1, Column 1/ });
    await table.focus();
    await wide.keyboard.press('ArrowRight');
    await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    await expect.poll(() => wide.locator('.code pre[tabindex="0"]').count()).toBe(1);
    await leave(wide);
    const narrow = await visit('blocks');
    await expect.poll(() => narrow.locator('.table[tabindex="0"]').count()).toBe(0);
    await expect.poll(() => narrow.getByRole('region', { name: /Table/ }).count()).toBe(0);
    await leave(narrow);
  });
});
