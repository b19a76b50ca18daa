import { expect, it } from 'vitest';
import { checkRedirects, type RedirectCheck } from '../../../../src/cli/commands/sites/check-redirects.ts';

const redirect = (source: string, url: string): RedirectCheck['redirects'][number] => ({
  object: 'site-redirect',
  id: source,
  source,
  draft: false,
  captureWildcard: false,
  permanent: false,
  destination: { kind: 'external', url },
  createdAt: '2026-01-05T09:00:00.000Z',
});

it('checkRedirects follows a redirect to the longest source that covers its path', async () => {
  const others = [redirect('/b*', 'https://example.com/b'), redirect('/blog/*', 'https://example.com/blog')];
  for (const listed of [others, others.toReversed()]) {
    const findings = await checkRedirects({
      redirects: [...listed, redirect('/z', 'https://acme.test/docs/blog/2020')],
      structure: { groups: [], sections: [], siteSpaces: [], parts: new Map(), levels: new Map() },
      pages: () => Promise.reject(new Error('The site has no pages.')),
      addresses: ['https://acme.test/docs/'],
    });
    expect(findings).toMatchObject([{ problem: 'chain', source: '/z', detail: '/z → /blog/*' }]);
  }
});

it('checkRedirects finds redirects from paths that the site itself answers', async () => {
  const findings = await checkRedirects({
    redirects: ['/llms.txt', '/~files/a', '/old.txt'].map((source) =>
      redirect(source, 'https://example.com/'),
    ),
    structure: { groups: [], sections: [], siteSpaces: [], parts: new Map(), levels: new Map() },
    pages: () => Promise.reject(new Error('The site has no pages.')),
    addresses: ['https://acme.test/docs/'],
  });
  const detail = 'the site itself answers at this path';
  expect(findings).toMatchObject([
    { problem: 'unused', source: '/llms.txt', detail },
    { problem: 'unused', source: '/~files/a', detail },
  ]);
});
