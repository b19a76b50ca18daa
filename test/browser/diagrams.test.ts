import { describe, expect, it } from 'vitest';
import { closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

describe('diagrams', () => {
  it('are images in the colors of the theme, with their source below', async () => {
    for (const [colorScheme, shown, hidden] of [
      ['light', 'default', 'dark'],
      ['dark', 'dark', 'default'],
    ] as const) {
      const page = await visit('blocks', { colorScheme });
      const picture = page.locator('.diagram').getByRole('img', { name: 'Who asks whom' });
      await picture.waitFor();
      expect(await picture.count()).toBe(1);
      const source = decodeURIComponent((await picture.getAttribute('src')) ?? '');
      expect(source).toMatch(new RegExp(`^data:image/svg\\+xml,<svg .*class="${shown}"`));
      expect(source).not.toContain(`class="${hidden}"`);
      // The SVG is complete, because browsers do not show SVG that is not well-formed.
      await expect
        .poll(() => picture.evaluate((image): unknown => Reflect.get(image, 'naturalHeight')))
        .toBe(60);
      const code = page.getByText('accTitle: Who asks whom');
      expect(await code.isVisible()).toBe(false);
      await page.getByText('Show the source of the diagram').first().click();
      await code.waitFor({ state: 'visible' });
      await leave(page);
    }
  });

  it('are shown as source if they cannot be drawn or without JavaScript', async () => {
    const page = await visit('blocks');
    await page.locator('.diagram').first().waitFor();
    expect(await page.getByText('wrong', { exact: true }).isVisible()).toBe(true);
    await leave(page);
    const still = await visit('blocks', { javaScriptEnabled: false });
    expect(await still.getByText('accTitle: Who asks whom').isVisible()).toBe(true);
    await leave(still);
  });

  it('are drawn in a frame that cannot access the page or other hosts', async () => {
    const page = await visit('blocks');
    const [address = ''] = await page.evaluate<string[]>('[document.body.dataset.diagrams]');
    const answer = await page.request.get(new URL(address, page.url()).href);
    const policy = answer.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toContain('sandbox allow-scripts');
    expect(policy).not.toContain('connect-src');
    await page.goto(answer.url());
    expect(await page.evaluate<string>('self.origin')).toBe('null');
    await leave(page);
  });

  it('run no scripts and load nothing from other hosts, and forged images are ignored', async () => {
    const page = await visit('');
    const [elsewhere, dialogs]: [string[], string[]] = [[], []];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith('data:') && new URL(url).host !== new URL(page.url()).host) elsewhere.push(url);
    });
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    // Forged messages come from the page itself and without a source, not from the frame of diagrams.
    await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
      const picture = { svg: '<svg xmlns="http://www.w3.org/2000/svg"/>', width: 9, height: 9, text: 'forged' };
      const forged = { index: 0, pictures: { light: picture, dark: picture } };
      window.postMessage(forged, '*');
      dispatchEvent(new MessageEvent('message', { data: forged, source: null }));
    })`);
    await page.goto(new URL('deeper/diagrams', page.url()).href);
    await page.getByRole('img', { name: 'The last one' }).waitFor();
    await page.locator('.diagram-frame').waitFor({ state: 'detached' });
    await page.evaluate(`dispatchEvent(new MessageEvent('message', { data: { index: 4 }, source: null }))`);
    // The third one was answered with something that is not an image, and the fourth is not a diagram.
    const names = await page
      .locator('.diagram')
      .getByRole('img')
      .evaluateAll((images) => images.map((image) => String(Reflect.get(image, 'alt'))));
    expect(names).toEqual(['Harm by labels', 'Harm by styles', 'The last one']);
    for (const image of await page.locator('.diagram img').all()) {
      const source = decodeURIComponent((await image.getAttribute('src')) ?? '');
      expect(source).toMatch(/^data:image\/svg\+xml,<svg /);
      expect(source).not.toMatch(/<script|<iframe|<set| on\w+=|(?:href|src)="(?!#)/);
    }
    expect([elsewhere, dialogs]).toEqual([[], []]);
    await page.context().close();
  });
});
