import { beforeAll, describe, expect, it } from 'vitest';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

let site: PublishedSite;
const look = {
  title: 'Acme Help',
  footer: { copyright: 'All rights with Acme', groups: [] },
  themes: { default: 'dark', toggeable: true },
};
beforeAll(async () => {
  site = await publishedSite([
    { title: 'Start', text: 'Welcome.' },
    { title: 'Set things up', text: 'Do it.' },
    { title: 'Cellar', text: 'Only with the address.', hidden: true },
  ]);
  await site.change(site.spaceId, [
    {
      operation: 'insert_page',
      title: 'Vault',
      document: { markdown: '---\nif: visitor.claims.plan == "pro"\n---\n\nFor some.' },
    },
  ]);
  const spaceId = await site.addSpace('API', [{ title: 'Calls', text: 'How to call.' }]);
  await site.call(addSection, site.site, { body: { spaceId, title: 'Reference' } });
  await site.call(replaceSiteCustomization, site.site, { body: look });
});

describe('the "Page not found" page', () => {
  it('has the frame of the site and its current title', async () => {
    const { statusCode, body } = await site.visit('set-things');
    expect(statusCode).toBe(404);
    expect(body).toContain('<title>Page not found | Acme Help</title>');
    // An Arabic page must not cut off the start of this title.
    expect(body).toContain('<span class="brand-title" dir="auto">Acme Help</span>');
    expect(body).toContain('<meta name="robots" content="noindex">');
    expect(body).toMatch(/<html lang="en" dir="ltr" data-theme="dark">/);
    expect(body).toMatch(/~assets\/theme-[0-9a-f]+\.css/);
    expect(body).toContain('data-theme-toggle');
    expect(body).toContain('<p>All rights with Acme</p>');
    expect(body.match(/<h1>/g)).toHaveLength(1);
    await site.call(updateSite, site.site, { body: { title: 'Renamed' } });
    expect((await site.visit('gone')).body).toContain('| Acme Help</title>');
  });

  it('has the navigation of the space at the path, or of the first space', async () => {
    const inFirst = (await site.visit('gone')).body;
    expect(inFirst).toContain('<bdi>Set things up</bdi>');
    expect(inFirst).not.toContain('<bdi>Calls</bdi>');
    const inSecond = (await site.visit('reference/gone')).body;
    expect(inSecond).toContain('<bdi>Calls</bdi>');
    expect(inSecond).not.toContain('<bdi>Set things up</bdi>');
    expect(inSecond).toMatch(/<a href="[^"]*\/reference\/" aria-current="true">Reference<\/a>/);
    expect(inSecond).not.toContain('aria-current="page"');
  });

  it('has the navigation of the default space in 404.html for static hosts', async () => {
    const { addSpace, call, visit, site: at } = await publishedSite([{ title: 'Start', text: 'Text' }]);
    const spaceId = await addSpace('API', [{ title: 'Calls', text: 'Text' }]);
    const { id } = await call(addSection, at, { body: { spaceId, title: 'Reference' } });
    await call(updateSite, at, { body: { defaultSiteSection: id } });
    const { body } = await visit('404.html');
    expect(body).toContain('<bdi>Calls</bdi>');
    expect(body).not.toContain('<bdi>Start</bdi>');
  });

  it('suggests similar pages, and links to a search and the first page', async () => {
    for (const path of ['set-thing', 'guide/set-thing.html', 'set-thing/README.md']) {
      const { body } = await site.visit(path);
      expect(body).toContain(
        '<h2>Similar pages</h2><ul class="notice-links"><li><a href="/sites/acme/docs/set-things-up">Set things up</a></li></ul>',
      );
      expect(body).toContain('<a class="button button-secondary" href="/sites/acme/docs/">Acme Help</a>');
    }
    expect((await site.visit('set-thing')).body).toContain(
      'href="/sites/acme/docs/~gitbook/search?q=set+thing">Search: set thing</a>',
    );
  });

  it('suggests no page that is not similar enough', async () => {
    for (const path of ['hallo-world', 'seating', 'settlement']) {
      const { body } = await site.visit(path);
      expect(body).not.toContain('Similar pages');
      expect(body).toContain(`Search: ${path.replaceAll('-', ' ')}</a>`);
    }
  });

  it('does not reveal hidden pages or pages that the visitor cannot open', async () => {
    for (const path of ['gone', 'vault', 'vaults', 'cellars', 'guide/cella', '~gitbook/search?q=address'])
      expect([path, /Vault|Cellar/.test((await site.visit(path)).body)]).toEqual([path, false]);
  });

  it('escapes the path that it repeats', async () => {
    const { body } = await site.visit('%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E');
    expect(body).not.toContain('<script>alert');
  });
});

describe('header links', () => {
  const links = (body: string, name: string): string =>
    new RegExp(`<nav class="${name}"[^>]*>([^]*?)</nav>`).exec(body)?.[1] ?? '';

  it('are shown as a menu if they have links below them, including the link itself', async () => {
    const to = (path: string) => ({ kind: 'url', url: `https://example.com/${path}` });
    const header = {
      links: [
        { title: 'Status', to: to('status'), links: [] },
        {
          title: 'More',
          to: to('more'),
          links: [{ title: 'One', to: to('one') }],
        },
      ],
    };
    await site.call(replaceSiteCustomization, site.site, { body: { ...look, header } });
    const { body } = await site.visit('gone');
    for (const name of ['header-links', 'sidebar-links']) {
      const [status, menu = ''] = links(body, name).split('<details');
      expect(status).toBe('<a href="https://example.com/status">Status</a>');
      expect(menu).toMatch(/^ class="picker" data-menu><summary>More</);
      expect(
        [...menu.matchAll(/<li><a href="([^"]*)">([^<]*)<\/a><\/li>/g)].map(([, ...found]) => found),
      ).toEqual([
        ['https://example.com/more', 'More'],
        ['https://example.com/one', 'One'],
      ]);
    }
  });
});

describe('the search page', () => {
  it('has the frame of the site and one form, and marks no section as current', async () => {
    const { body, statusCode } = await site.visit('~gitbook/search?q=call');
    expect(statusCode).toBe(200);
    expect(body).toContain('<title>Search | Acme Help</title>');
    expect(body).toContain('<nav class="sections"');
    expect(body).toContain('<p>All rights with Acme</p>');
    expect(body.match(/role="search"/g)).toHaveLength(1);
    expect(body).toContain('name="q" value="call"');
    expect(body).not.toContain('aria-current');
    expect(body).toContain('href="/sites/acme/docs/reference/"');
  });

  it('says that nothing was found', async () => {
    expect((await site.visit('~gitbook/search?q=xyzzy')).body).toContain(
      '<p role="status">Nothing found</p>',
    );
    expect((await site.visit('~gitbook/search')).body).not.toContain('role="status"');
  });
});

describe('a visitor who is not admitted', () => {
  it('gets the same page as for a site that does not exist', async () => {
    await site.call(updateSite, site.site, { body: { visibility: 'share-link' } });
    const unknown = (await site.server.inject('/sites/acme/nothing/')).body;
    expect(unknown).toContain('<title>Page not found</title>');
    for (const path of ['', 'wrong-key/', 'reference/']) {
      const { statusCode, body } = await site.visit(path);
      expect([path, statusCode, body === unknown]).toEqual([path, 404, true]);
    }
  });

  it('gets a page without any information about the site, with a way to sign in', async () => {
    await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
    const { statusCode, headers, body } = await site.visit('');
    expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(body).toContain('<h1>Sign in to read this site</h1>');
    expect(body).toContain('or ask its owner for access.');
    expect(body).not.toMatch(/Acme|Docs|Renamed|Reference|Start|theme-/);
    const internationalization = { locale: 'de' as const };
    await site.call(replaceSiteCustomization, site.site, { body: { ...look, internationalization } });
    expect((await site.visit('')).body).toContain('<html lang="de" dir="ltr"');
  });

  it('gets the styles of these pages, which are the same for everybody', async () => {
    const { body } = await site.server.inject('/sites/acme/nothing/');
    const [styles = ''] = /\/~assets\/site-[0-9a-f]+\.css/.exec(body) ?? [];
    const answer = await site.server.inject({ url: styles, headers: { host: 'unknown.test' } });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect((await site.server.inject('/~assets/site-0.css')).statusCode).toBe(404);
  });
});
