import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, expect, inject } from 'vitest';

/** The widths at which pages are tested: the narrowest of WCAG 2.2 (1.4.10), and a desktop screen. */
const widths = [320, 1280] as const;
export const themes = ['light', 'dark'] as const;

let browser: Promise<Browser> | undefined;

/** Opens a page of the sample site in a new browser context with reduced motion. */
export async function visit(
  path: string,
  { status = 200, ...options }: BrowserContextOptions & { readonly status?: number } = {},
): Promise<Page> {
  browser ??= chromium.launch({
    executablePath: inject('chromium'),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const context = await (
    await browser
  ).newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    // Pages that are missing on purpose do not count as faults.
    if (message.type() !== 'error' || /status of 40[14]/.test(message.text())) return;
    // Since version 156, Chromium reports the scripts that it blocks while images are parsed to remove them.
    const isCleaned =
      message.location().url.includes('/draw-diagrams-') && message.text().includes('inline event handler');
    if (!isCleaned) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  faultsOf.set(page, faults);
  const answer = await page.goto(new URL(path, inject('site')).href);
  expect([path, answer?.status()]).toEqual([path, status]);
  // While the frame of diagrams exists, diagrams replace their source one after the other.
  await page.locator('.diagram-frame').waitFor({ state: 'detached' });
  return page;
}

const faultsOf = new WeakMap<Page, string[]>();

/** Checks that the scripts of a page ran without errors and that the browser blocked nothing, and closes the page. */
export async function leave(page: Page): Promise<void> {
  expect(faultsOf.get(page)).toEqual([]);
  await page.context().close();
}

/** Closes the browser after the tests of a file. */
export function closeBrowserAfterwards(): void {
  afterAll(async () => {
    const open = browser;
    browser = undefined;
    await (await open)?.close();
  });
}

/** Returns the violations that axe finds: a rule and its elements, one per line. The page must bypass the CSP. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ content: axe.source });
  // The other results list every element of the page, and sending them takes as long as the check.
  const violations = await page.evaluate<AxeResults['violations']>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** Changes the width of the window, and waits until the scripts of the page have adapted it. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  // Observers of sizes are called at the end of a frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** Whether a page is wider than its window, so that a reader would have to scroll sideways to read. */
export async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
}

/** Checks that a page has no accessibility violations and fits into all window sizes, in each theme. The page must bypass the CSP. */
export async function checkLooks(
  page: Page,
  schemes: readonly (typeof themes)[number][] = themes,
): Promise<void> {
  for (const colorScheme of schemes)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await resize(page, width);
      const at = [colorScheme, width];
      expect([at, await violationsOf(page)]).toEqual([at, []]);
      expect([at, await isTooWide(page)]).toEqual([at, false]);
    }
}

/** Calls the API as the administrator. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${inject('api')}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${inject('token')}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
