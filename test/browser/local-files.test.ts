import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';
import { docsctl } from '../support/cli.ts';
import { closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

it('the pages of a site that was built to a folder work from the disk', async () => {
  const home = mkdtempSync(join(tmpdir(), 'docsctl-local-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { DOCSCTL_SERVER: inject('api'), DOCSCTL_TOKEN: inject('token') };
  const built = await docsctl(['sites', 'build', 'Samples', '-d', 'built'], { home, env });
  expect(built).toMatchObject({ exit: 0 });
  const page = await visit(pathToFileURL(join(home, 'built/index.html')).href);
  const out = await page.evaluate(`(() => {
    const link = document.querySelector('a[href="https://example.com/"]');
    document.addEventListener('click', (event) => event.preventDefault(), { once: true });
    link.click();
    return link.href;
  })()`);
  expect(out).toBe('https://example.com/');
  await page.getByRole('link', { name: 'Every block' }).first().click();
  await page.waitForURL(/^file:.*\/blocks\/index\.html$/);
  await page.getByRole('combobox').fill('linux');
  await page.getByRole('combobox').press('Enter');
  await page.waitForURL(/^file:.*\/index\.html\?.*q=linux/);
  await leave(page);
});
