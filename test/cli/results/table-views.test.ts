import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const rowsOf = async (...words: string[]) => (await desk.done(words)).stdout.trimEnd().split('\n');

it('a search shows another text of the page where there is none below a heading, or else the heading', async () => {
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

  it('say of backlinks which page has them, where, and what is written there', async () => {
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

  it('say of the links of a page where they stand and what is written, in a change request too', async () => {
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

describe('tables of what was found', () => {
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

  it('have the heading and the excerpt of the best section in a space', async () => {
    const rows = await rowsOf('spaces', 'search', 'Guide', 'workflow', 'dispatch');
    expect(rows[0]).toBe('path\ttitle\theading\texcerpt');
    expect(rows).toContain(`run\tRun\tBy hand\t${filler}Use workflow dispatch then.`);
    expect(
      (await desk.done(['spaces', 'search', 'Guide', '-o', 'id', 'workflow'])).stdout.split('\n'),
    ).toContain(await desk.pageId('Run'));
  });

  it('show the hit in a narrow column', async () => {
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

  it('are a tree on a terminal, and never cut the path that is to be typed', async () => {
    const { stdout } = await desk.done(['spaces', 'pages', 'list', 'Guide'], { tty: true });
    const [titles, , first, second] = stdout.split('\n');
    expect(titles).toMatch(/^path +title/);
    expect(first).toMatch(new RegExp(`^${long} +Guides +document  …\\w{6}$`));
    expect(second).toMatch(new RegExp(`^${long}/install    How to install it on every machine `));
  });

  it('are plain rows elsewhere', async () => {
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

  it('have a limit with an order: the first so many of the sorted list, or with --all all of it', async () => {
    const list = ['spaces', 'list', '--columns', 'title'];
    for (const title of ['C', 'A', 'B']) await desk.done(['spaces', 'create', '--title', title]);
    const first = await desk.done([...list, '--sort-by', 'title', '--limit', '2']);
    expect(first.stdout).toBe('title\nA\nB\n');
    expect(first.stderr).toBe('Showing 2 of 4.\n');
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

  it('are drawn for a pipe too where color is asked for', async () => {
    expect((await desk.done(['spaces', 'pages', 'list', 'Guide', '--color', 'always'])).stdout).toContain(
      '\u001b[1mpath',
    );
    expect((await desk.done(['spaces', 'pages', 'list', 'Guide', '--color', 'auto'])).stdout).not.toContain(
      '\u001b',
    );
  });
});

describe('tables without JSON in their cells', () => {
  it('show a revision and the whole content', async () => {
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

  it('show what a change request changes, its reviewers and its description', async () => {
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

  it('may be those that a table has, in every format, and what they stand for', async () => {
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

  it('sort by a heading as by its path', async () => {
    const { stdout } = await desk.done(['openapi', 'list', '--columns', 'state,error', '--sort-by', 'state']);
    expect(stdout).toBe('state\terror\n');
  });
});

it('a list that was cut has the flag for the next page on a line of its own', async () => {
  await desk.done(['spaces', 'create', '--title', 'Other']);
  const { stderr } = await desk.done(['spaces', 'list', '--limit', '1']);
  expect(stderr).toMatch(
    /^Showing 1 of 2\. Add --all to show the rest, or for the next page:\n {2}--page \S+\n$/,
  );
  expect(
    (await desk.done(['spaces', 'list', '--limit', '1', ...stderr.trim().split(' ').slice(-2)])).stderr,
  ).toBe('');
});

it('the limit of a search over all spaces counts spaces, and says so', async () => {
  await desk.publish(page('Zebra', 'Run it.\n'), page('Quagga', 'Run them.\n'));
  await desk.done(['spaces', 'duplicate', 'Guide', '-o', 'none']);
  const { stdout, stderr } = await desk.done(['search', 'run', '--limit', '1']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(stderr).toMatch(/^Showing the pages of 1 of 2 spaces\. Add --all/);
  const counted = await desk.done(['search', 'run', '--limit', '0']);
  expect(counted.stderr).toBe('--limit 0 only counts: 2 spaces.\n');
  expect((await desk.done(['search', '--help'])).stdout).toMatch(/number of spaces\s+in\s+a\s+page/);
});

describe('what an empty table says', () => {
  it.each([
    [['spaces', 'search', 'Guide', 'zzzz'], 'No page of "Guide" contains "zzzz".'],
    [['search', 'zzzz'], 'No page contains "zzzz".'],
    [['search', 'zzzz', 'yyyy'], 'No page contains all of the words "zzzz yyyy".'],
    [['members', 'teams', 'ana@acme.test'], 'No teams.'],
    [['orgs', 'change-requests', '--status', 'archived'], 'No change requests.'],
  ])('%j says what was not found', async (words, note) => {
    const { stdout, stderr } = await desk.done(words, { tty: true });
    expect([stdout, stderr]).toEqual(['', `${note}\n`]);
  });

  it('names the other states, which can be shown together', async () => {
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

  it('counts with --limit 0', async () => {
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
