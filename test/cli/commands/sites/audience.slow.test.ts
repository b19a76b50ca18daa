import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signVisitorToken } from '../../../support/sign-visitor-token.ts';
import { openGuideStore, page, type GuideStore } from '../../guide-store.ts';

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    beta: { type: 'boolean', description: 'Beta' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan' },
    seats: { type: 'number', description: 'Seats' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { language: { type: 'string', enum: ['en', 'fr'], description: 'Language' } },
      additionalProperties: false,
    },
  },
};

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.publish(
    page('Start', 'Text'),
    page('Beta', 'Text', { condition: 'visitor.claims.beta == true' }),
    page('Old', 'Text', { condition: 'visitor.claims.gone' }),
    // Groups are not counted as pages.
    { operation: 'insert_page', type: 'group', title: 'More', document: {} },
  );
  await desk.done(['spaces', 'create', '--title', 'Internal']);
  await desk.done(['sites', 'create', '--title', 'Docs']);
  for (const space of ['Guide', 'Internal'])
    await desk.done(['sites', 'sections', 'add', space, '--site', 'Docs', '--title', `${space}s`]);
  await desk.done(['sites', 'section-groups', 'add', 'Team', '--site', 'Docs', '--sections', 'Internals']);
  await desk.done(['sites', 'publish', 'Docs']);
  writeFileSync(desk.at('schema.json'), JSON.stringify(schema));
  await desk.done([
    'sites',
    'adaptive-schema',
    'update',
    'Docs',
    '--json-schema',
    `@${desk.at('schema.json')}`,
  ]);
  await condition('visitor.claims.plan == "pro" && visitor.claims.unsigned.language == "fr"');
});
afterEach(() => desk.discard());

const condition = (text: string) =>
  desk.done(['sites', 'sections', 'update', 'Internals', '--site', 'Docs', '--condition', text]);
const drawn = (stdout: string) => stdout.split('\n').filter((line) => /^[●◐·✗│]|^\w/.test(line));

describe('docsctl sites audience', () => {
  const audience = async (...words: string[]) => {
    const { stdout, stderr } = await desk.done(['sites', 'audience', 'Docs', '--no-pages', ...words]);
    return { rows: drawn(stdout).filter((line) => /Guides|Internals/.test(line)), stderr };
  };
  it('notes which roles are needed to see share links', async () => {
    await desk.done(['members', 'invite', 'mo@acme.test', '--role', 'create']);
    await desk.done(['sites', 'update', 'Docs', '--visibility', 'share-link']);
    const as = ['--as', 'mo@acme.test'];
    const note = 'you need the create role on the site and the read role on all of its spaces';
    expect((await audience(...as)).stderr).not.toContain(note);
    await desk.done([
      'spaces',
      'permissions',
      'set',
      'Internal',
      '--role',
      'none',
      '--users',
      'mo@acme.test',
    ]);
    expect((await audience(...as)).stderr).toContain(note);
  });
  const setEnabled = (enabled: boolean) =>
    desk.done(['sites', 'update', 'Docs', '--adaptive-content', JSON.stringify({ enabled })]);
  beforeEach(() => setEnabled(true));

  it('shows what visitors see without adaptive content, or would see with --assume-adaptive-content', async () => {
    const claims = ['--claims', '{"plan":"pro","unsigned":{"language":"fr"}}'];
    const hidden = [expect.stringMatching(/^●  ●  Guides/), expect.stringMatching(/^·  ·  └─ Internals/)];
    const seen = [expect.stringMatching(/^●  ●  Guides/), expect.stringMatching(/^·  ●  └─ Internals/)];
    await setEnabled(false);
    const off = await audience(...claims);
    expect(off.rows).toEqual(hidden);
    expect(off.stderr).toMatch(
      /so claims have no effect\. Enable it: `docsctl sites update .*`\. To see what visitors would see then, add --assume-adaptive-content\.\n$/,
    );
    const assumed = await audience(...claims, '--assume-adaptive-content');
    expect(assumed.rows).toEqual(seen);
    expect(assumed.stderr).toContain('This shows what visitors would see if it were enabled.');
    await setEnabled(true);
    for (const words of [claims, [...claims, '--assume-adaptive-content']])
      expect(await audience(...words)).toEqual({ rows: seen, stderr: '' });
  });

  it('ignores unsigned claims of signed-in visitors if adaptive content is disabled', async () => {
    await setEnabled(false);
    await condition('visitor.claims.plan == "pro"');
    await desk.done(['sites', 'update', 'Docs', '--visibility', 'visitor-auth']);
    const signed = await audience('--claims', '{"plan":"pro"}');
    expect(signed.rows[1]).toMatch(/^·  ·  ●  └─ Internals/);
    expect(signed.stderr).toContain('so unsigned claims have no effect.');
    await condition('visitor.claims.unsigned.language == "fr"');
    const unsigned = ['--claims', '{"plan":"pro","unsigned":{"language":"fr"}}'];
    expect((await audience(...unsigned)).rows[1]).toMatch(/^·  ·  ·  └─ Internals/);
  });

  it('ignores signed claims of visitors with a share link', async () => {
    await desk.done(['sites', 'update', 'Docs', '--visibility', 'share-link']);
    const both = ['--claims', '{"plan":"pro","unsigned":{"language":"fr"}}'];
    expect((await audience(...both)).rows[1]).toMatch(/^·  ·  └─ Internals/);
    await condition('visitor.claims.unsigned.language == "fr"');
    expect((await audience(...both)).rows[1]).toMatch(/^·  ●  └─ Internals/);
  });
  it('draws which visitors see what, with visitors generated from the adaptive schema', async () => {
    const { stdout, stderr } = await desk.done(['sites', 'audience', 'Docs']);
    expect(drawn(stdout)).toEqual([
      'Docs · public · published',
      'anyone | beta=false | plan=free | plan=pro | unsigned.language=en | unsigned.language=fr',
      '│  beta',
      '│  │  plan=pro, unsigned.language=fr',
      '●  ●  ●  Guides',
      '◐  ◐  ◐  └─ Guide  3 pages',
      '·  ●  ·     ├─ /beta  if visitor.claims.beta == true',
      '✗  ✗  ✗     └─ /old  if visitor.claims.gone · ✗ column 16: there is no claim "gone" in visitor.claims',
      '·  ·  ●  Team',
      '·  ·  ●  └─ Internals  if visitor.claims.plan == "pro" && visitor.claims.unsigned.language == "fr"',
      '·  ·  ●     └─ Internal',
      '● sees it   ◐ sees some of its pages   · does not see it   ✗ invalid condition',
    ]);
    expect(stderr).toBe('');
  });

  it('draws visitors from claims in files, and warns of ignored claims', async () => {
    writeFileSync(desk.at('ana.json'), '{"beta": true, "plan": "gold"}');
    writeFileSync(desk.at('bo.yaml'), 'plan: pro\nunsigned: { language: fr }\n');
    const { stdout, stderr } = await desk.done([
      'sites',
      'audience',
      'Docs',
      '--no-pages',
      '--claims',
      desk.at('ana.json'),
      desk.at('bo.yaml'),
    ]);
    expect(drawn(stdout)).toEqual([
      'Docs · public · published',
      'anyone',
      '│  ana',
      '│  │  bo',
      '●  ●  ●  Guides',
      '●  ●  ●  └─ Guide',
      '·  ·  ●  Team',
      expect.stringMatching(/^·  ·  ●  └─ Internals/),
      '·  ·  ●     └─ Internal',
      '● sees it   · does not see it',
    ]);
    expect(stderr).toContain('ana: ignored a claim: claims.plan is not one of: free, pro.');
  });

  it('shows share links, and that other visitors are not admitted', async () => {
    await desk.done(['sites', 'update', 'Docs', '--visibility', 'share-link']);
    const links = ['Partners', 'Old'];
    for (const name of links) await desk.done(['sites', 'share-links', 'create', name, '--site', 'Docs']);
    await desk.done(['sites', 'share-links', 'update', 'Old', '--site', 'Docs', '--active', 'false']);
    const { stdout, stderr } = await desk.done(['sites', 'audience', 'Docs', '--no-pages']);
    expect(drawn(stdout).slice(0, 6)).toEqual([
      'Docs · share-link · published',
      'anyone',
      '│  link Partners | plan=pro, unsigned.language=fr | plan=free | plan=pro | unsigned.language=en | unsigned.language=fr',
      '│  │  link Old',
      '·  ●  ·  Guides',
      '·  ●  ·  └─ Guide',
    ]);
    expect(stderr).toContain('anyone: not admitted, the site requires an active share link');
    expect(stderr).toContain('link Old: not admitted, the link is not active.');
    const keys = JSON.parse(
      (await desk.done(['sites', 'share-links', 'list', 'Docs', '-o', 'json'])).stdout,
    ).items.map(({ urls }: { urls: { published: string } }) => urls.published.split('/').at(-2));
    for (const key of keys) expect(stdout + stderr).not.toContain(key);
  });

  it('shows signed-in visitors if the site requires a visitor token', async () => {
    await desk.done(['sites', 'update', 'Docs', '--visibility', 'visitor-auth']);
    const { stdout, stderr } = await desk.done(['sites', 'audience', 'Docs', '--no-pages']);
    expect(stderr).toContain('anyone: not admitted, the site requires a visitor token');
    expect(drawn(stdout)[2]).toMatch(/^│  signed in \| /);
    expect(drawn(stdout)).toContain('·  ●  ●  Guides');
  });

  it('generates a number that satisfies a condition, and fits a narrow terminal', async () => {
    await condition('visitor.claims.seats > 10');
    const { stdout } = await desk.done(['sites', 'audience', 'Docs', '--no-pages'], { tty: true });
    expect(drawn(stdout)[2]).toBe('│  seats=11');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('prints everything as JSON, and one row for each part of the site as TSV', async () => {
    const { stdout } = await desk.done([
      'sites',
      'audience',
      'Docs',
      '--claims',
      '{"beta":true,"x":1}',
      '-o',
      'json',
    ]);
    const { visitors, items } = JSON.parse(stdout);
    expect(visitors).toMatchObject([
      { name: 'anyone', source: 'anyone', admitted: true },
      {
        name: 'visitor 1',
        source: 'claims',
        claims: { beta: true },
        ignored: ['claims.x is not in the adaptive schema'],
      },
    ]);
    const of = (title: string) => items.find((item: { title: string }) => item.title === title);
    expect(of('Beta')).toMatchObject({ object: 'page', seenBy: ['visitor 1'] });
    expect(of('Old')).toMatchObject({ seenBy: [], broken: expect.stringContaining('gone') });
    expect(of('Guide')).toMatchObject({ seenBy: ['anyone', 'visitor 1'], partlyBy: ['anyone', 'visitor 1'] });
    const rows = await desk.done([
      'sites',
      'audience',
      'Docs',
      '-o',
      'tsv',
      '--columns',
      'title',
      '--no-headers',
    ]);
    expect(rows.stdout.trimEnd().split('\n')).toEqual([
      'Guides',
      'Guide',
      'Start',
      'Beta',
      'Old',
      'More',
      'Team',
      'Internals',
      'Internal',
    ]);
  });

  it.each([
    [[], 64],
    [['Docs', '--claims', '[]'], 8],
    [['Docs', '--claims', '{"a":'], 8],
    [['Docs', '--claims', 'nowhere.json'], 8],
    [['Nowhere'], 5],
  ])('%j exits with %i', async (words, exit) => {
    expect((await desk.run(['sites', 'audience', ...words])).exit).toBe(exit);
  });
});

describe('docsctl sites published', () => {
  it('accepts the key or the whole URL of a share link', async () => {
    await desk.done(['sites', 'update', 'Docs', '--visibility', 'share-link']);
    const { stdout } = await desk.done(['sites', 'share-links', 'create', 'Partners', '--site', 'Docs']);
    const address = /^urls\.published\t(http\S+)$/m.exec(stdout)![1]!;
    for (const given of [address, address.slice(0, -1), address.split('/').at(-2)!])
      expect((await desk.run(['sites', 'published', 'Docs', '--share-key', given])).exit).toBe(0);
    for (const wrong of [`${address}x`, address.slice(0, -2), 'https://docs.example/'])
      expect((await desk.run(['sites', 'published', 'Docs', '--share-key', wrong])).exit).toBe(5);
  });

  const enable = () => desk.done(['sites', 'update', 'Docs', '--adaptive-content', '{"enabled": true}']);

  it('prints the structure of the site, or what a visitor with claims sees of it', async () => {
    await enable();
    expect((await desk.done(['sites', 'published', 'Docs'])).stdout).toContain('Internals');
    const free = await desk.done(['sites', 'published', 'Docs', '--claims', '{"plan":"free"}']);
    expect(free.stdout).not.toContain('Internals');
    writeFileSync(desk.at('bo.json'), '{"plan":"pro","unsigned":{"language":"fr"}}');
    expect(
      (await desk.done(['sites', 'published', 'Docs', '--claims', desk.at('bo.json')])).stdout,
    ).toContain('Internals');
    const piped = await desk.done(['sites', 'published', 'Docs', '--claims', '-', '-o', 'json'], {
      input: '{"plan":"pro"}',
    });
    expect(JSON.parse(piped.stdout).structure.structure.map(({ title }: { title: string }) => title)).toEqual(
      ['Guides'],
    );
  });

  it('notes that everything is shown without --claims, and that claims may have no effect', async () => {
    const notes = async (...words: string[]) =>
      (await desk.done(['sites', 'published', 'Docs', ...words])).stderr;
    const all =
      "Everything is shown, whatever the conditions say. Add --claims '{}' to see what a visitor without claims sees.\n";
    expect([await notes(), await notes('-o', 'json')]).toEqual([all, all]);
    expect(await notes('--claims', '{"plan":"pro"}')).toMatch(
      /^Adaptive content is disabled for this site, so claims have no effect\. Enable it: `docsctl sites update /,
    );
    for (const words of [
      ['build', 'Docs', '-d', 'public'],
      ['check', 'Docs'],
    ])
      expect((await desk.run(['sites', ...words, '--claims', '{"plan":"pro"}'])).stderr).toContain(
        'Adaptive content is disabled for this site, so claims have no effect.',
      );
    expect(
      (await desk.done(['sites', 'published', 'Docs', '--claims', '{"plan":"pro"}'])).stdout,
    ).not.toContain('Internals');
    await desk.done(['sites', 'update', 'Docs', '--visibility', 'visitor-auth']);
    expect(await notes('--claims', '{"plan":"pro"}')).toContain('so unsigned claims have no effect.');
    await enable();
    expect([await notes(), await notes('--claims', '{}')]).toEqual([all, '']);
    await desk.done(['sites', 'sections', 'update', 'Internals', '--site', 'Docs', '--unset', 'condition']);
    expect(await notes()).toBe('');
  });

  it('reads a visitor token from a file, and never prints it', async () => {
    const { privateKey } = JSON.parse(
      (await desk.done(['sites', 'publishing-auth', 'regenerate', 'Docs', '--yes', '-o', 'json'])).stdout,
    );
    await enable();
    const seen = async (key: string) => {
      const token = await signVisitorToken({ plan: 'pro' }, key, Math.floor(Date.now() / 1000) + 3600);
      writeFileSync(desk.at('token'), `${token}\n`);
      const ran = await desk.run([
        'sites',
        'published',
        'Docs',
        '--visitor-token-file',
        desk.at('token'),
        '--claims',
        '{"unsigned":{"language":"fr"}}',
      ]);
      expect(ran.stdout + ran.stderr).not.toContain(token);
      return ran;
    };
    expect((await seen(privateKey)).stdout).toContain('Internals');
    const refused = await seen('x'.repeat(43));
    expect([refused.exit, refused.stdout, refused.stderr]).toEqual([
      11,
      '',
      expect.stringContaining('not signed with the key of this site'),
    ]);
  });
});

describe('the condition of a page', () => {
  it.each([
    ['of a field', page('Bad', 'Text', { condition: 'visitor.claims.a = 1' })],
    ['of front matter', page('Bad', '---\nif: visitor.claims.a = 1\n---\nText')],
  ])('%s is checked when it is saved', async (_, change) => {
    await expect(desk.publish(change)).rejects.toThrow(
      'The condition of the page "Bad" is not valid: column 18: a condition cannot assign',
    );
  });

  it('can use variables of the space', async () => {
    await desk.publish(
      { operation: 'put_text', role: 'variables', git: { path: '.gitbook/vars.yaml' }, text: 'latest: v2\n' },
      page('Latest', 'Text', { condition: 'space.vars.latest == "v2"' }),
      page('First', 'Text', { condition: 'space.vars.latest == "v1"' }),
    );
    const { items } = JSON.parse(
      (await desk.done(['sites', 'audience', 'Docs', '-o', 'json', '--claims', '{}'])).stdout,
    ) as { items: { title: string; seenBy: string[] }[] };
    expect(
      items
        .filter(({ title }) => title === 'Latest' || title === 'First')
        .map(({ title, seenBy }) => [title, seenBy.length]),
    ).toEqual([
      ['Latest', 2],
      ['First', 0],
    ]);
  });
});
