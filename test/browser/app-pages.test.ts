import { beforeAll, describe, expect, inject, it } from 'vitest';
import { call, checkLooks, closeBrowserAfterwards, isTooWide, leave, violationsOf, visit } from './reader.ts';

closeBrowserAfterwards();

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly urls: { readonly app: string };
}

/** The addresses of pages for members, by name. */
const pages = new Map<string, string>();
const names = ['organizations', 'organization', 'space', 'page', 'change request', 'site', 'nothing'];

beforeAll(async () => {
  const [organization] = (await call<{ items: Listed[] }>('GET', '/orgs')).items as [Listed];
  const [site] = (await call<{ items: Listed[] }>('GET', `/orgs/${organization.id}/sites`)).items as [Listed];
  const spaces = (await call<{ items: Listed[] }>('GET', `/orgs/${organization.id}/spaces`)).items;
  const withBlocks = async (): Promise<{ space: Listed; page: Listed }> => {
    for (const space of spaces) {
      const tree = await call<{ pages: (Listed & { path?: string })[] }>(
        'GET',
        `/spaces/${space.id}/content/pages?texts=false`,
      );
      const page = tree.pages.find(({ path }) => path === 'blocks');
      if (page !== undefined) return { space, page };
    }
    throw new Error('No space has the page "blocks".');
  };
  const { space, page } = await withBlocks();
  const request = await call<Listed>('POST', `/spaces/${space.id}/change-requests`, { subject: 'Say more' });
  const at = `/spaces/${space.id}/change-requests/${request.id}`;
  await call('POST', `${at}/content`, {
    changes: [
      {
        operation: 'insert_page',
        title: 'More',
        document: { markdown: `# More\n\n${'A long line. '.repeat(30)}\n` },
      },
    ],
  });
  await call('POST', `${at}/comments`, { body: { markdown: 'Is **this** so? `code`\n\n> A quote' } });
  pages.set('organizations', `${inject('api')}/o/`);
  pages.set('organization', organization.urls.app);
  pages.set('space', space.urls.app);
  pages.set('page', page.urls.app);
  pages.set('change request', request.urls.app);
  pages.set('site', site.urls.app);
  pages.set('nothing', `${organization.urls.app}/nothing`);
});

/** Creates a link that opens a page once. */
async function linkTo(name: string): Promise<string> {
  return (await call<{ url: string }>('POST', '/user/sign-in-links', { url: pages.get(name) })).url;
}

describe('pages for members', () => {
  it.each(names)(
    'the page of %s has no accessibility violations in both themes, and fits into all window sizes',
    async (name) => {
      const status = name === 'nothing' ? 404 : 200;
      const page = await visit(await linkTo(name), { bypassCSP: true, status });
      expect(page.url()).toBe(pages.get(name));
      await checkLooks(page);
      await leave(page);
    },
  );
});

it('the sign-in page has no accessibility violations, and fits into a small window', async () => {
  const options = { viewport: { width: 320, height: 800 }, bypassCSP: true, status: 401 };
  const page = await visit(pages.get('space') ?? '', options);
  expect(await violationsOf(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  await leave(page);
});

describe('pages for members in a browser', () => {
  it('run no scripts, hide their session from scripts and the API, and can sign out', async () => {
    const page = await visit(await linkTo('page'), { javaScriptEnabled: true });
    expect(await page.evaluate<string>('document.cookie')).toBe('');
    const api = `${inject('api')}/v1/orgs`;
    expect((await page.goto(api))?.status()).toBe(401);
    await page.goto(pages.get('organization') ?? '');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('content');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    expect((await page.goto(pages.get('organization') ?? ''))?.status()).toBe(401);
    expect(await page.context().cookies()).toEqual([]);
    await leave(page);
  });

  it('open the PDF of a space with their session', async () => {
    const page = await visit(await linkTo('space'));
    const href = await page.getByRole('link', { name: 'PDF' }).getAttribute('href');
    const answer = await page.request.get(new URL(href ?? '', page.url()).href);
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await leave(page);
  });
});
