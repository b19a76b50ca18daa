import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { closeBrowserAfterwards, isTooWide, leave, resize, visit } from './reader.ts';

closeBrowserAfterwards();

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

it('a narrow table does not break names in its cells', async () => {
  const page = await visit('blocks', { viewport: { width: 390, height: 844 } });
  const name = page.locator('td code', { hasText: 'connectTimeout' });
  expect((await boxOf(name)).height).toBeLessThan(30);
  await leave(page);
});

it('expandable code shows ten lines until a reader expands it, also with the keyboard', async () => {
  const page = await visit('blocks');
  const code = page.locator('.code', { hasText: 'line15' });
  const pre = code.locator('pre');
  const whole = await pre.evaluate((element) => element.scrollHeight);
  expect((await boxOf(pre)).height).toBeLessThan(whole - 50);
  const more = code.getByRole('checkbox', { name: 'Show all 15 lines' });
  await more.focus();
  await page.keyboard.press('Space');
  expect((await boxOf(pre)).height).toBeCloseTo(whole, 0);
  await leave(page);
});

it('a wrapped line with a number continues below its text', async () => {
  const page = await visit('blocks', { viewport: { width: 390, height: 844 } });
  const lefts = await page
    .locator('.code-wrap.code-numbered .line', { hasText: 'export const' })
    .evaluate((line) => {
      const range = line.ownerDocument.createRange();
      range.selectNodeContents(line);
      return [...range.getClientRects()].filter(({ width }) => width > 0).map(({ left }) => left);
    });
  expect(lefts.length).toBeGreaterThan(1);
  expect(Math.min(...lefts)).toBeCloseTo(lefts[0], 0);
  await leave(page);
});

it('the two sides of equations are aligned at the equals sign', async () => {
  const page = await visit('blocks');
  const sides = await page.locator('mtable[columnalign^="right left"] mtd').evaluateAll((cells) =>
    cells.map((cell) => {
      const { left, right } = cell.firstElementChild!.getBoundingClientRect();
      return [left, right] as const;
    }),
  );
  const [first, equal, second] = sides;
  expect(first![1]).toBeCloseTo(equal![0], 0);
  expect(second![1]).toBeCloseTo(first![1], 0);
  await leave(page);
});

it('three cards are in one row', async () => {
  const page = await visit('');
  const tops = await page
    .locator('.card')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
  await leave(page);
});

it('a code block that fills a tab leaves no gap below it, and the key hint of the search is centered', async () => {
  const page = await visit('blocks');
  const gaps = await page.locator('.tabs-ready > .tab:not([hidden])').evaluateAll((tabs) =>
    tabs.flatMap((tab) => {
      const code = tab.querySelector(':scope > .code:last-child:nth-child(2)');
      if (code === null) return [];
      return [tab.getBoundingClientRect().bottom - code.getBoundingClientRect().bottom];
    }),
  );
  expect(gaps.length).toBeGreaterThan(0);
  for (const gap of gaps) expect(gap).toBeLessThan(1.5);
  const [key, field] = [await boxOf(page.locator('.search-key')), await boxOf(page.locator('.search-form'))];
  expect(key.y + key.height / 2).toBeCloseTo(field.y + field.height / 2, 0);
  await leave(page);
});

it('an anchor in the style of another tool leads to the heading with the same letters', async () => {
  const page = await visit('blocks#A_fourth.Level', { viewport: { width: 390, height: 400 } });
  const heading = page.getByRole('heading', { name: 'A fourth level' });
  await expect.poll(async () => (await boxOf(heading)).y).toBeLessThan(200);
  await leave(page);
});

it('an anchor of a folded part of a page unfolds it', async () => {
  const page = await visit('reference/models');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Order' }).click();
  await page.locator('details#order[open]').waitFor();
  expect(await page.locator('details.schema[open]').count()).toBe(1);
  await leave(page);
});

it('the group of the open section is marked like the section', async () => {
  const page = await visit('');
  const styles = await page.evaluate<string[]>(`{
    const list = document.querySelector('.sections > ul');
    list.insertAdjacentHTML('beforeend', '<li><details class="picker"><summary class="current">Group</summary></details></li>');
    [...list.querySelectorAll('[aria-current], .current')].map((tab) => {
      const { color, borderBottom } = getComputedStyle(tab);
      return color + borderBottom;
    });
  }`);
  expect(styles).toHaveLength(2);
  expect(new Set(styles).size).toBe(1);
  await leave(page);
});

it('the tab of the open section is visible even if not all tabs are', async () => {
  const page = await visit('reference', { viewport: { width: 150, height: 600 } });
  const tab = await boxOf(page.locator('.sections [aria-current]'));
  expect(tab.x).toBeGreaterThanOrEqual(0);
  expect(tab.x + tab.width).toBeLessThanOrEqual(150);
  await leave(page);
});

it('texts that are colored blue do not have the color of links', async () => {
  const page = await visit('inlines');
  const color = (name: string) =>
    page
      .locator(name)
      .first()
      .evaluate((e) => e.ownerDocument.defaultView!.getComputedStyle(e).color);
  expect(await color('.color-blue')).not.toBe(await color('.color-primary'));
  await leave(page);
});

it('titles of one long word wrap at the edge of a small screen', async () => {
  const page = await visit('deeper/setup/linux', { viewport: { width: 320, height: 800 } });
  for (const title of await page.locator('h1, .breadcrumbs a, .pagination-title').all())
    await title.evaluate((element) => (element.textContent = 'UseLazyQueryWithPaginationReturnTypeEntity'));
  expect(await isTooWide(page)).toBe(false);
  await leave(page);
});

it('current and selected items are visible in the forced colors of the system', async () => {
  const page = await visit('blocks', { forcedColors: 'active' });
  const differ = (chosen: string, other: string, property: string) =>
    page.evaluate<boolean>(`{
      const [one, two] = ${JSON.stringify([chosen, other])}.map((name) => getComputedStyle(document.querySelector(name)));
      one.${property} !== two.${property};
    }`);
  const isNot = ':not([aria-current])';
  expect(await differ('.sections [aria-current]', `.sections a${isNot}`, 'borderBottomColor')).toBe(true);
  expect(await differ('.outline [aria-current]', `.outline a${isNot}`, 'borderInlineStartColor')).toBe(true);
  expect(
    await differ('[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]', 'borderBottomColor'),
  ).toBe(true);
  expect(await differ('.contents [aria-current]', `.contents a${isNot}`, 'outlineStyle')).toBe(true);
  // The table of contents cuts off what is outside of it.
  expect(await differ('.contents [aria-current]', `.contents a${isNot}`, 'outlineOffset')).toBe(true);
  await page.getByRole('combobox').fill('install');
  await page.getByRole('option').nth(1).waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await differ('.found [aria-selected=true]', '.found [aria-selected=false]', 'outlineStyle')).toBe(
    true,
  );
  await leave(page);
});

it('buttons in a line are separated by space', async () => {
  const page = await visit('inlines');
  const [first, second] = [
    await boxOf(page.getByRole('link', { name: 'Set it up' })),
    await boxOf(page.getByRole('link', { name: 'Source' })),
  ];
  expect(second.x - first.x - first.width).toBeGreaterThan(8);
  await leave(page);
});

it('code below the text of a list item is separated by space', async () => {
  const page = await visit('blocks');
  const margin = await page.evaluate<string>(`{
    const content = document.querySelector('.content');
    content.insertAdjacentHTML('beforeend', '<ul><li>Text:<figure class="code"></figure></li></ul>');
    getComputedStyle(content.lastElementChild.querySelector('figure')).marginTop;
  }`);
  expect(margin).toBe('12px');
  await leave(page);
});

it('the samples of an operation are beside its text if there is room, and below it on a phone', async () => {
  const page = await visit('blocks', { viewport: { width: 1600, height: 900 } });
  const [text, samples] = ['.operation-text', '.operation-samples'].map((name) => page.locator(name).first());
  const gap = async () => {
    const [left, right] = [await boxOf(text!), await boxOf(samples!)];
    return { x: right.x - left.x - left.width, y: right.y - left.y - left.height };
  };
  expect((await gap()).x).toBeGreaterThan(0);
  await resize(page, 390);
  await page.evaluate(`document.querySelector('.layout').classList.add('layout-wide')`);
  expect((await gap()).y).toBeGreaterThan(0);
  await leave(page);
});

it('two large images of one block share a row, except on a phone', async () => {
  const page = await visit('blocks');
  await page.evaluate(`{
    const figure = document.querySelector('.images > figure');
    figure.after(figure.cloneNode(true));
    for (const image of figure.parentElement.querySelectorAll('img')) image.width = 2000;
  }`);
  const tops = () =>
    page
      .locator('.images:has(figure + figure) > figure')
      .evaluateAll((figures) => figures.map((figure) => figure.getBoundingClientRect().top));
  expect(new Set(await tops()).size).toBe(1);
  await resize(page, 390);
  expect(new Set(await tops()).size).toBe(2);
  await leave(page);
});

it('a note opens below the words that it belongs to, or above them at the end of the window', async () => {
  const page = await visit('inlines', { viewport: { width: 390, height: 600 } });
  const words = page.getByRole('button', { name: 'a note' });
  const note = page.locator('.note:popover-open');
  for (const isAtEnd of [false, true]) {
    await words.evaluate(
      (element, end) => element.scrollIntoView({ block: end ? 'end' : 'center' }),
      isAtEnd,
    );
    await words.press('Enter');
    const [button, box] = [await boxOf(words), await boxOf(note)];
    const gap = isAtEnd ? button.y - box.y - box.height : box.y - button.y - button.height;
    expect(gap).toBeGreaterThanOrEqual(0);
    expect(gap).toBeLessThan(20);
    expect(box.x).toBeLessThan(button.x + button.width);
    expect(box.x + box.width).toBeGreaterThan(button.x);
    await page.keyboard.press('Escape');
  }
  await leave(page);
});

it('links and menus in the navigation of a phone are separated by space', async () => {
  const page = await visit('', { viewport: { width: 390, height: 844 } });
  await page.locator('.menu > summary').click();
  expect(
    await page
      .locator('.sidebar-links')
      .evaluate((links) => links.ownerDocument.defaultView!.getComputedStyle(links).columnGap),
  ).not.toBe('normal');
  await leave(page);
});
