import { beforeAll, describe, expect, it } from 'vitest';
import { updateSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { Problem } from '../../src/errors/problem.ts';
import { publishedSite, type PublishedSite } from './published-site.ts';

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8H0z"/></svg>';
const insert = (name: string) => ({
  operation: 'insert_files',
  files: [{ name, contentType: 'image/svg+xml', base64: Buffer.from(svg).toString('base64') }],
});

describe('files of a space as images of a site', () => {
  let site: PublishedSite;
  let own: { kind: string; space: string; file: string };
  let other: typeof own;
  let secret: typeof own;
  beforeAll(async () => {
    site = await publishedSite([{ title: 'Start', text: 'Hello' }]);
    const fileIn = async (space: string, name: string) => ({
      kind: 'file',
      space,
      file: (await site.change(space, [insert(name)]))[0] ?? '',
    });
    own = await fileIn(site.spaceId, 'logo.svg');
    const addShown = async (title: string, settings?: object) => {
      const spaceId = await site.addSpace(title, [{ title: 'Page', text: 'x' }]);
      const { id } = await site.call(addSiteSpace, site.site, { body: { spaceId } });
      if (settings !== undefined)
        await site.call(updateSiteSpace, { ...site.site, siteSpaceId: id }, { body: settings });
      return spaceId;
    };
    other = await fileIn(await addShown('Other'), 'dark.svg');
    await site.call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
    secret = await fileIn(await addShown('Secret', { condition: 'visitor.claims.unsigned.x == 1' }), 's.svg');
    await site.call(updateSiteCustomization, site.site, {
      body: {
        header: { logo: { light: own, dark: other } },
        favicon: { icon: { light: own, dark: own } },
        footer: { logo: { light: secret, dark: 'https://example.com/dark.png' } },
        socialPreview: { url: own },
      },
    });
  });

  it('are loaded from the site itself', async () => {
    const { body } = await site.visit('');
    const sources = [...body.matchAll(/class="logo[^"]*" src="([^"]+)"/g)].map(([, src = '']) => src);
    const [light = '', dark = ''] = sources;
    expect([light, dark]).toEqual([
      expect.stringMatching(/^\/sites\/acme\/docs\/.*~files\/.*\/logo\.svg$/),
      expect.stringMatching(/^\/sites\/acme\/docs\/.*~files\/.*\/dark\.svg$/),
    ]);
    expect(body).toContain(`<link rel="icon" href="${light}">`);
    expect(body).toContain(`<meta property="og:image" content="https://docs.test${light}">`);
    for (const path of [light, dark]) {
      const answer = await site.server.inject({ url: path });
      expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
        200,
        expect.stringContaining('image/svg+xml'),
        svg,
      ]);
    }
  });

  it('are not shown to visitors who cannot open the space', async () => {
    const { body } = await site.visit('');
    expect(body).not.toContain('s.svg');
    expect(body).toContain('<div class="footer-logo"><img class="logo" src="https://example.com/dark.png"');
  });

  it('can be loaded only by visitors who may open the site', async () => {
    const { body } = await site.visit('');
    const [, light = ''] = /class="logo[^"]*" src="([^"]+)"/.exec(body) ?? [];
    await site.call(updateSite, site.site, { body: { visibility: 'visitor-auth' } });
    expect((await site.server.inject({ url: light })).statusCode).not.toBe(200);
    await site.call(updateSite, site.site, { body: { visibility: 'public' } });
  });

  it('must exist in a space of the organization', async () => {
    for (const wrong of [
      { ...own, file: 'fil_none' },
      { ...own, space: 'spc_none' },
    ]) {
      const body = { header: { logo: { light: wrong, dark: own } } };
      const refused = await site.call(updateSiteCustomization, site.site, { body }).catch((error) => error);
      expect(refused).toBeInstanceOf(Problem);
      expect(refused).toMatchObject({ reason: 'not-found' });
    }
  });
});
