import { beforeAll, expect, it } from 'vitest';
import { panels } from '../script-runtime/samples.ts';
import { call, closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

beforeAll(async () => {
  const { items } = await call<{ items: { id: string }[] }>('GET', '/orgs');
  const organization = items[0]!.id;
  const of = `/orgs/${organization}`;
  await call('POST', '/integrations/bot', {
    title: 'Bot',
    description: 'Asks',
    scopes: ['space:content:read'],
    script: panels.v2,
    runtime: 'v2',
    organization,
    blocks: [
      { id: 'panel', title: 'Panel' },
      { id: 'frame', title: 'Frame' },
    ],
  });
  await call('POST', '/integrations/bot/installations', { organization });
  const { id: spaceId } = await call<{ id: string }>('POST', `${of}/spaces`, { title: 'Panels' });
  const { id } = await call<{ id: string }>('POST', `/spaces/${spaceId}/change-requests`, {});
  const at = `/spaces/${spaceId}/change-requests/${id}`;
  const document = { markdown: '{% @bot/panel content="Hi" %}' };
  const frame = { markdown: '{% @bot/frame url="https://frames.example/" %}' };
  await call('POST', `${at}/content`, {
    changes: [
      { operation: 'insert_page', title: 'Panel', document },
      { operation: 'insert_page', title: 'Frame', document: frame },
    ],
  });
  await call('POST', `${at}/merge`);
  const { id: siteId } = await call<{ id: string }>('POST', `${of}/sites`, {
    title: 'Panels',
    spaces: [spaceId],
  });
  await call('PATCH', `${of}/sites/${siteId}`, { basename: 'panels' });
  await call('POST', `${of}/sites/${siteId}/publish`);
});

it('sends the values of a block of an integration, and the values of its dialog', async () => {
  const page = await visit('../panels/panel');
  const sent: { readonly state: object }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('~gitbook/blocks')) sent.push(request.postDataJSON() as { state: object });
  });
  const block = page.locator('[data-ck-block]');
  await block.locator('[data-ck-state=name]').fill('Ada');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByLabel('About Hi').fill('Yes');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => block.textContent()).toContain('Hi: 0Ada, Yes');
  await page.getByRole('button', { name: 'Count' }).click();
  await expect.poll(() => block.textContent()).toContain('Hi: 2');
  expect(sent).toMatchObject([
    { state: {}, modal: { componentId: 'question' } },
    { state: { reply: 'Yes' }, action: { action: 'answer' }, modal: { componentId: 'question' } },
    { state: { name: 'Ada' }, action: { action: '@ui.modal.close', returnValue: 'Yes' } },
    { state: { count: 0 }, action: { action: 'count', step: 2 } },
  ]);
  expect(Object.keys(sent[2]!.state).sort()).toEqual(['count', 'name']);
  await page.getByRole('button', { name: 'Why' }).click();
  await expect.poll(() => page.getByLabel('About 2').count()).toBe(1);
  await leave(page);
});

it('sends the state of its block or dialog to a frame', async () => {
  const page = await visit('../panels/panel');
  const body = `<script>
    onmessage = ({ data }) => { document.body.textContent = data.state.content; };
    parent.postMessage({ action: { action: '@webframe.ready' } }, '*');
  </script>`;
  await page.route('https://frames.example/', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(new URL('frame', page.url()).href);
  const textOf = (scope: string) => () => page.frameLocator(`${scope} iframe`).locator('body').textContent();
  await expect.poll(textOf('form.ck-block')).toBe('Ada');
  await page.getByRole('button', { name: 'Larger' }).click();
  await expect.poll(textOf('dialog')).toBe('Eve');
  await leave(page);
});

it('keeps the frames and the focus of a block that is redrawn', async () => {
  const page = await visit('../panels/frame');
  const frame = page.locator('[data-ck-block] iframe');
  await frame.evaluate((element) => Object.assign(element, { isFirst: true }));
  await page.getByRole('button', { name: 'Again' }).focus();
  const drawn = page.waitForResponse((response) => response.url().endsWith('~gitbook/blocks'));
  await page.keyboard.press('Enter');
  await (await drawn).finished();
  await expect.poll(() => page.locator('[aria-busy]').count()).toBe(0);
  expect(await frame.evaluate((element) => 'isFirst' in element)).toBe(true);
  expect(await page.locator(':focus').textContent()).toBe('Again');
  await leave(page);
});

it('shows a reader that an action failed, until another one succeeds', async () => {
  const page = await visit('../panels/panel');
  const alert = page.locator('[data-ck-block]').getByRole('alert');
  const path = '**/~gitbook/blocks';
  await page.route(path, (route) => route.fulfill({ status: 502, json: { error: 'x' } }));
  await page.getByRole('button', { name: 'Count' }).click();
  await expect
    .poll(() => alert.allTextContents())
    .toEqual(['This did not work. Try again, or reload the page.']);
  // Dialogs that cannot be drawn stay closed.
  await page.getByRole('button', { name: 'Ask' }).click();
  await expect.poll(() => page.locator('[aria-busy], dialog').count()).toBe(0);
  expect(await alert.count()).toBe(1);
  await page.unroute(path);
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.route(path, (route) => route.abort());
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => page.locator('dialog').getByRole('alert').count()).toBe(1);
  await page.unroute(path);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => alert.count()).toBe(0);
  // `leave` would report the failed requests as faults.
  await page.context().close();
});
