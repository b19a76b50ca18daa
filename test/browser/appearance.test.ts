import { beforeAll, describe, expect, inject, it } from 'vitest';
import { checkLooks, closeBrowserAfterwards, leave, visit } from './reader.ts';

closeBrowserAfterwards();

const color = (light: string, dark = light) => ({ light, dark });
const account = (platform: string, handle: string) => ({
  platform,
  handle,
  display: { header: true, footer: true },
});
const to = { kind: 'url', url: 'https://example.com/' };

/** Customizations that together cover every theme, header preset, sidebar style, corner style and icon style. */
const looks: Readonly<Record<string, object>> = {
  muted: {
    styling: { theme: 'muted', links: 'accent', icons: 'solid', depth: 'flat', corners: 'straight' },
    socialAccounts: [account('github', 'acme'), account('intranet', 'docs')],
  },
  bold: {
    styling: {
      theme: 'bold',
      primaryColor: color('#ffd400', '#ffd400'),
      icons: 'duotone',
      corners: 'circular',
    },
    header: { links: [{ title: 'Try it', to, links: [], style: 'button-primary' }] },
  },
  gradient: {
    styling: { theme: 'gradient', sidebar: { background: 'filled', list: 'pill' }, icons: 'light' },
    header: { links: [{ title: 'Sign in', to, links: [], style: 'button-secondary' }] },
  },
  tinted: {
    styling: {
      tint: { color: color('#c2410c', '#7c3aed') },
      background: 'match',
      sidebar: { list: 'line' },
      search: 'prominent',
      icons: 'thin',
      infoColor: color('#ffe600'),
      dangerColor: color('#300000'),
      codeTheme: {
        default: { light: 'dracula', dark: 'github-light' },
        openapi: { light: 'nord', dark: 'min-light' },
      },
    },
    header: {
      preset: 'contrast',
      links: Array.from({ length: 6 }, (_, at) => ({ title: `Another place ${at}`, to, links: [] })),
    },
    socialAccounts: ['github', 'x', 'youtube'].map((platform) => account(platform, 'acme')),
    trademark: { enabled: true },
    privacyPolicy: { url: 'https://example.com/privacy' },
  },
  custom: {
    header: {
      preset: 'custom',
      backgroundColor: color('#fde68a', '#422006'),
      linkColor: color('#fdba74', '#451a03'),
    },
    announcement: { enabled: true, message: 'We move', style: 'warning' },
    feedback: { enabled: true },
    pageActions: { externalAI: true, mcp: true },
  },
  'without a header': {
    header: { preset: 'none', links: [{ title: 'Status', to, links: [] }] },
    styling: { sidebar: { background: 'filled' } },
    socialAccounts: [account('x', 'acme')],
  },
};

const basenameOf = (name: string): string => `look-${name.replaceAll(' ', '-')}`;

async function request(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${inject('api')}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${inject('token')}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect([path, answer.status < 300, text]).toEqual([path, true, text]);
  return JSON.parse(text) as Record<string, unknown>;
}

beforeAll(async () => {
  const { items } = await request('GET', '/orgs');
  const [{ id: org }] = items as [{ id: string }];
  const { items: found } = await request('GET', `/orgs/${org}/spaces`);
  const spaces = found as { readonly id: string; readonly title: string }[];
  const idOf = (title: string): string => spaces.find((space) => space.title === title)?.id ?? '';
  for (const [name, look] of Object.entries(looks)) {
    const { id } = await request('POST', `/orgs/${org}/sites`, { title: 'Looks' });
    const site = `/orgs/${org}/sites/${String(id)}`;
    for (const title of ['Guide', 'API'])
      await request('POST', `${site}/sections`, { spaceId: idOf(title), title });
    await request('PATCH', site, { basename: basenameOf(name) });
    await request('PUT', `${site}/customization`, {
      themes: { default: 'system', toggeable: true },
      ...look,
    });
    await request('POST', `${site}/publish`, {});
  }
});

describe.each(Object.keys(looks))('the customization "%s"', (name) => {
  it.each(['blocks', 'api/orders', '~gitbook/search?q=install'])(
    'has no accessibility violations on "%s" in both themes, and fits into all window sizes',
    async (path) => {
      const page = await visit(`../${basenameOf(name)}/${path}`, { bypassCSP: true });
      await checkLooks(page);
      await leave(page);
    },
  );
});

it('the header shows links to accounts in one line, in the color of the header', async () => {
  const page = await visit(`../${basenameOf('tinted')}/blocks`, { viewport: { width: 1280, height: 800 } });
  const tops = await page
    .locator('.header-social a')
    .evaluateAll((links: { getBoundingClientRect: () => { top: number } }[]) =>
      links.map((link) => link.getBoundingClientRect().top),
    );
  expect([tops.length, new Set(tops).size]).toEqual([3, 1]);
  const colorOf = (selector: string): Promise<string> =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`);
  expect(await colorOf('.header-social a')).toBe(await colorOf('.theme-toggle'));
  await leave(page);
});

describe('a site without a header', () => {
  it('shows its title and its search above the table of contents', async () => {
    const page = await visit(`../${basenameOf('without a header')}/blocks`);
    expect(await page.locator('.header-row').isVisible()).toBe(false);
    expect(await page.locator('.sidebar .brand').isVisible()).toBe(true);
    await page.keyboard.press('/');
    await page.keyboard.type('install');
    await page.locator('.found [role=option]').first().waitFor();
    const box = await page.locator('.found').boundingBox();
    expect(box?.width).toBeGreaterThan(400);
    await leave(page);
  });

  it('shows a header on small screens, with a menu that contains them', async () => {
    const page = await visit(`../${basenameOf('without a header')}/blocks`, {
      viewport: { width: 390, height: 800 },
    });
    expect(await page.locator('.site-header .brand').isVisible()).toBe(true);
    await page.locator('.menu summary').click();
    await expect.poll(() => page.locator('.sidebar input[type=search]').isVisible()).toBe(true);
    await leave(page);
  });
});
