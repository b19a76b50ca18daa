import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const rowsOf = async (...words: string[]) => (await desk.done(words)).stdout.trimEnd().split('\n');

it('search shows another text of the page if a heading has no text, or else the heading', async () => {
  await desk.publish(page('Zebra', '## Quagga\n\n### Windows\n\nRun it.\n'));
  expect(await rowsOf('search', 'quagga')).toEqual([
    'space\ttitle\tpath\texcerpt',
    'Guide\tZebra\tzebra\tRun it.',
  ]);
  await desk.publish(page('Okapi', '## Giraffe\n\n### Neck'));
  expect((await rowsOf('search', 'giraffe'))[1]).toBe('Guide\tOkapi\tokapi\tGiraffe');
  expect((await rowsOf('search', 'run'))[1]).toBe('Guide\tZebra\tzebra\tRun it.');
  expect((await rowsOf('spaces', 'search', 'Guide', 'quagga'))[1]).toBe('zebra\tZebra\tQuagga\tRun it.');
});

describe('tables of links', () => {
  beforeEach(() =>
    desk.publish(
      page(
        'Start',
        '---\ndescription: x\n---\nSee [it](install.md) and\n[again](install.md), [gone](nope.md).\n',
        { git: { path: 'README.md' } },
      ),
      page('Install', '[home](README.md)\n', { git: { path: 'install.md' } }),
      page('Hand made', '[it](install)\n'),
    ),
  );

  it('show for backlinks the page, the position and the written link', async () => {
    const rows = await rowsOf('spaces', 'pages', 'backlinks', 'install', '--space', 'Guide');
    expect([rows[0], ...rows.slice(1).sort()]).toEqual([
      'title\tpath\tplace\thref',
      'Hand made\thand-made\thand-made:1\tinstall',
      'Start\tstart\tREADME.md:4\tinstall.md',
    ]);
    const { items } = JSON.parse(
      (await desk.done(['spaces', 'pages', 'backlinks', 'install', '--space', 'Guide', '-o', 'json'])).stdout,
    );
    expect(items.find(({ href }: { href: string }) => href === 'install.md')).toMatchObject({
      kind: 'page',
      page: await desk.pageId('Start'),
      line: 4,
      source: { kind: 'page', title: 'Start', path: 'start', file: 'README.md' },
    });
  });

  it('show for the links of a page the position and the written link, also in a change request', async () => {
    const expected = [
      'status\tplace\thref\trelation',
      'ok\tREADME.md:4\tinstall.md\treference',
      'ok\tREADME.md:5\tinstall.md\treference',
      'broken\tREADME.md:5\tnope.md\treference',
    ];
    expect(await rowsOf('spaces', 'pages', 'links', 'start', '--space', 'Guide')).toEqual(expected);
    const number = String(await desk.request());
    expect(
      await rowsOf('cr', 'pages', 'links', 'start', '--space', 'Guide', '--change-request', number),
    ).toEqual(expected);
    expect(
      (
        await rowsOf('cr', 'pages', 'backlinks', 'install', '--space', 'Guide', '--change-request', number)
      ).sort(),
    ).toContain('Start\tstart\tREADME.md:4\tinstall.md');
  });
});

describe('tables of search results', () => {
  const filler = 'Nothing of interest is said in this sentence. '.repeat(3);
  beforeEach(() =>
    desk.publish(
      page('Run', `# Run\n\nIntro.\n\n## By hand\n\n${filler}Use workflow\ndispatch then.\n`),
      page('Other', 'dispatch of a workflow\n'),
    ),
  );

  it('have a row for each page, with its space and the best section', async () => {
    const rows = await rowsOf('search', 'workflow', 'dispatch');
    expect(rows[0]).toBe('space\ttitle\tpath\texcerpt');
    expect(rows.slice(1).sort()).toEqual([
      'Guide\tOther\tother\tdispatch of a workflow',
      `Guide\tRun\trun\t${filler}Use workflow dispatch then.`,
    ]);
    expect(
      await rowsOf('search', '"workflow dispatch"', '--columns', 'space.title,path', '--no-headers'),
    ).toEqual(['Guide\trun']);
    expect(JSON.parse((await desk.done(['search', 'workflow', '-o', 'json'])).stdout).items).toMatchObject([
      { title: 'Guide', pages: [{}, {}] },
    ]);
  });

  it('have the heading and the excerpt of the best section within one space', async () => {
    const rows = await rowsOf('spaces', 'search', 'Guide', 'workflow', 'dispatch');
    expect(rows[0]).toBe('path\ttitle\theading\texcerpt');
    expect(rows).toContain(`run\tRun\tBy hand\t${filler}Use workflow dispatch then.`);
    expect(
      (await desk.done(['spaces', 'search', 'Guide', '-o', 'id', 'workflow'])).stdout.split('\n'),
    ).toContain(await desk.pageId('Run'));
  });

  it('show the match in a narrow column', async () => {
    const { stdout } = await desk.done(['search', 'workflow', 'dispatch'], { tty: true });
    for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(stdout).toMatch(/Run .*….*Use workflow dispatch/);
  });
});

describe('tables of pages', () => {
  const long = 'a-rather-long-slug-that-says-it-all';
  beforeEach(async () => {
    await desk.publish(page('Guides', 'x\n', { slug: long }));
    await desk.publish(
      page('How to install it on every machine', 'x\n', {
        into: await desk.pageId('Guides'),
        slug: 'install',
      }),
    );
  });

  it('are a tree on a terminal, and never shorten paths that users have to type', async () => {
    const { stdout } = await desk.done(['spaces', 'pages', 'list', 'Guide'], { tty: true });
    const [titles, , first, second] = stdout.split('\n');
    expect(titles).toMatch(/^path +title/);
    expect(first).toMatch(new RegExp(`^${long} +Guides +document  …\\w{6}$`));
    expect(second).toMatch(new RegExp(`^${long}/install    How to install it on every machine `));
  });

  it('are plain rows in a pipe', async () => {
    expect(await rowsOf('spaces', 'pages', 'list', 'Guide', '--columns', 'path,title')).toEqual([
      'path\ttitle',
      `${long}\tGuides`,
      `${long}/install\tHow to install it on every machine`,
    ]);
    const sorted = await desk.done(
      ['spaces', 'pages', 'list', 'Guide', '--sort-by=-path', '--columns', 'title'],
      { tty: true },
    );
    expect(sorted.stdout.split('\n')[2]).toBe('How to install it on every machine');
  });

  it('show the first items of the sorted list with --limit, or the whole list with --all', async () => {
    const list = ['spaces', 'list', '--columns', 'title'];
    for (const title of ['C', 'A', 'B']) await desk.done(['spaces', 'create', '--title', title]);
    const first = await desk.done([...list, '--sort-by', 'title', '--limit', '2']);
    expect(first.stdout).toBe('title\nA\nB\n');
    expect(first.stderr).toBe('Showing 2 of 4. Add --all to show the rest.\n');
    const all = await desk.done([...list, '--sort-by', 'title', '--limit', '2', '--all']);
    expect(all.stdout).toBe('title\nA\nB\nC\nGuide\n');
    const unsorted = await desk.done([...list, '--limit', '2']);
    expect(unsorted.stdout.split('\n')).toHaveLength(4);
    const [, next = ''] = /--page (\S+)/.exec(unsorted.stderr) ?? [];
    const second = await desk.done([...list, '--limit', '2', '--sort-by', 'title', '--page', next]);
    expect(second.stdout.split('\n')).toHaveLength(4);
    expect([...unsorted.stdout.split('\n'), ...second.stdout.split('\n')]).toEqual(
      expect.arrayContaining(['A', 'B', 'C', 'Guide']),
    );
  });

  it('are drawn in a pipe with --color always', async () => {
    expect((await desk.done(['spaces', 'pages', 'list', 'Guide', '--color', 'always'])).stdout).toContain(
      '\u001b[1mpath',
    );
    expect((await desk.done(['spaces', 'pages', 'list', 'Guide', '--color', 'auto'])).stdout).not.toContain(
      '\u001b',
    );
  });
});

describe('tables without JSON in their cells', () => {
  it('show a revision and the whole content as names', async () => {
    await desk.publish(page('Start', 'x\n', { git: { path: 'README.md' } }), page('Next', 'x\n'));
    for (const words of [
      ['spaces', 'content', 'get', 'Guide'],
      ['spaces', 'pages', 'get', 'start', '--space', 'Guide'],
      ['spaces', 'get', 'Guide'],
    ])
      expect((await desk.done(words)).stdout).not.toMatch(/\t[[{]/);
    expect(await rowsOf('spaces', 'content', 'get', 'Guide')).toContain('pages\tStart, Next');
    expect(await rowsOf('spaces', 'pages', 'get', 'start', '--space', 'Guide')).toContain(
      'git.path\tREADME.md',
    );
    await desk.publish(...Array.from({ length: 20 }, (_, index) => page(`P${index}`, 'x\n')));
    expect(await rowsOf('spaces', 'content', 'get', 'Guide')).toContain('pages\t22 (all with -o json)');
  });

  it('show the changes, reviewers and description of a change request as text', async () => {
    const number = String(
      await desk.request(...Array.from({ length: 11 }, (_, index) => page(`P${index}`, 'x\n')), {
        operation: 'put_text',
        role: 'include',
        title: 'Note',
        git: { path: 'n.md' },
        text: 'n',
      }),
    );
    const changes = await desk.done(['cr', 'changes', number, '--space', 'Guide', '--limit', '11']);
    expect(changes.stdout.split('\n').slice(0, 2)).toEqual([
      'type\tpath\ttitle\tdetails',
      'page_created\tp0\tP0\t-',
    ]);
    expect(changes.stderr).toBe('1 more. Show up to 1000 with --limit.\n');
    expect(await rowsOf('cr', 'changes', number, '--space', 'Guide', '--limit', '99')).toContain(
      'reusable_content_created\t-\tNote\t-',
    );
    await desk.done([
      'cr',
      'update',
      number,
      '--space',
      'Guide',
      '--description',
      'Why **this**\n\nand that',
    ]);
    expect(await rowsOf('cr', 'get', number, '--space', 'Guide')).toContain('description\tWhy this and that');
  });
});

describe('the names of columns', () => {
  beforeEach(async () => {
    await desk.done(['spaces', 'create', '--title', 'Other']);
    await desk.publish(page('Run', 'dispatch\n'));
  });

  it('can be headings of the table or paths of fields, in every format', async () => {
    const rows = (...words: string[]) => rowsOf('search', 'dispatch', '--all', ...words);
    expect(await rows('--columns', 'space,path')).toEqual(['space\tpath', 'Guide\trun']);
    expect(await rows('--columns', 'space=Where,space.title', '--sort-by=-space')).toEqual([
      'Where\tspace.title',
      'Guide\tGuide',
    ]);
    expect(await rows('--columns', 'space', '-o', 'csv')).toEqual(['space\r', 'Guide']);
    const unknown = await desk.run(['search', 'dispatch', '--columns', 'nope']);
    expect([unknown.exit, unknown.stderr]).toEqual([
      8,
      expect.stringContaining('Columns: space, title, path, excerpt'),
    ]);
  });

  it('can be headings in --sort-by', async () => {
    const { stdout } = await desk.done(['openapi', 'list', '--columns', 'state,error', '--sort-by', 'state']);
    expect(stdout).toBe('state\terror\n');
  });
});

it('a list with further pages notes the --page option on its own line', async () => {
  await desk.done(['spaces', 'create', '--title', 'Other']);
  const { stderr } = await desk.done(['spaces', 'list', '--limit', '1']);
  expect(stderr).toMatch(
    /^Showing 1 of 2\. Add --all to show the rest, or for the next page:\n {2}--page \S+\n$/,
  );
  expect(
    (await desk.done(['spaces', 'list', '--limit', '1', ...stderr.trim().split(' ').slice(-2)])).stderr,
  ).toBe('');
});

it('--limit of a search over all spaces counts spaces, with a note', async () => {
  await desk.publish(page('Zebra', 'Run it.\n'), page('Quagga', 'Run them.\n'));
  await desk.done(['spaces', 'duplicate', 'Guide', '-o', 'none']);
  const { stdout, stderr } = await desk.done(['search', 'run', '--limit', '1']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(stderr).toMatch(/^Showing the pages of 1 of 2 spaces\. Add --all/);
  const counted = await desk.done(['search', 'run', '--limit', '0']);
  expect(counted.stderr).toBe('--limit 0 only counts: 2 spaces.\n');
  expect((await desk.done(['search', '--help'])).stdout).toMatch(/number of spaces\s+in\s+a\s+page/);
});

describe('an empty table', () => {
  it.each([
    [['spaces', 'search', 'Guide', 'zzzz'], 'No page of "Guide" contains "zzzz".'],
    [['search', 'zzzz'], 'No page contains "zzzz".'],
    [['search', 'zzzz', 'yyyy'], 'No page contains all of the words "zzzz yyyy".'],
    [['members', 'teams', 'ana@acme.test'], 'No teams.'],
    [['orgs', 'change-requests', '--status', 'archived'], 'No change requests.'],
  ])('notes what %j did not find', async (words, note) => {
    const { stdout, stderr } = await desk.done(words, { tty: true });
    expect([stdout, stderr]).toEqual(['', `${note}\n`]);
  });

  it('suggests other statuses, which can be combined', async () => {
    await desk.publish(page('Start', 'x\n'));
    const open = async () => (await desk.done(['cr', 'list', 'Guide'])).stderr;
    expect(await open()).toBe(
      'Nothing has the status open. To show others, add --status all (or draft, archived, merged).\n',
    );
    expect((await desk.done(['cr', 'list', 'Guide', '--creator', 'ana@acme.test'])).stderr).toBe(
      'Nothing with the status open matches --creator. To show others, add --status all (or draft, archived, merged).\n',
    );
    const number = await desk.request();
    expect(await open()).toBe('');
    expect((await desk.done(['cr', 'list', 'Guide', '-o', 'json'])).stderr).toBe(
      'Nothing has the status open, but there is 1 draft. To show it, run `docsctl change-requests list Guide --status draft`; to show everything, run `docsctl change-requests list Guide --status all`.\n',
    );
    expect((await desk.done(['orgs', 'change-requests'])).stderr).toBe(
      'Nothing has the status open. To show others, add --status draft,archived,merged.\n',
    );
    const { items, count } = JSON.parse(
      (await desk.done(['cr', 'list', 'Guide', '--status', 'all', '-o', 'json'])).stdout,
    );
    expect([count, items.map((item: { status: string }) => item.status).sort()]).toEqual([
      2,
      ['draft', 'merged'],
    ]);
    expect(
      await rowsOf('cr', 'list', 'Guide', '--status', 'open,draft', '--columns', 'number', '--no-headers'),
    ).toEqual([String(number)]);
    expect((await desk.run(['cr', 'list', 'Guide', '--status', 'open,odd'])).exit).toBe(8);
    expect((await desk.run(['cr', 'list', 'Guide', '--status', 'all', '--limit', '1'])).exit).toBe(64);
  });

  it('counts items with --limit 0', async () => {
    expect(await desk.done(['spaces', 'list', '--limit', '0'])).toMatchObject({
      stdout: '',
      stderr: '--limit 0 only counts: 1.\n',
    });
    expect(
      JSON.parse((await desk.done(['spaces', 'list', '--limit', '0', '-o', 'json'])).stdout),
    ).toMatchObject({ count: 1, items: [] });
    expect(await desk.done(['spaces', 'list', '--limit', '0', '--query', 'count'])).toMatchObject({
      stdout: '1\n',
      stderr: '',
    });
  });
});
