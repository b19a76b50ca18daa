import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore } from '../../guide-store.ts';

let desk: Awaited<ReturnType<typeof openGuideStore>>;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.publish(
    {
      operation: 'insert_page',
      title: 'Start',
      document: { markdown: '# S\n\n[b](b.md)\n[gone](../y.md)\n' },
      git: { path: 'x.md' },
    },
    {
      operation: 'insert_page',
      title: 'B',
      document: { markdown: '<https://example.com>' },
      git: { path: 'b.md' },
    },
    { operation: 'insert_page', title: 'Hand made', document: { markdown: '[gone](z.md)' } },
  );
});
afterEach(() => desk.discard());

const last = (stderr: string) => stderr.trimEnd().split('\n').at(-1);

describe('docsctl spaces links', () => {
  it('lists status, place and href, and prints counts on stderr', async () => {
    const { exit, stdout, stderr } = await desk.run([
      'spaces',
      'links',
      'Guide',
      '--root',
      'docs',
      '-o',
      'tsv',
    ]);
    expect(stdout.replace(/\n$/, '').split('\n').sort()).toEqual([
      'broken\tdocs/x.md:4\t../y.md\tno page or file has this address',
      'broken\thand-made:1\tz.md\tno page or file has this address',
      'ok\tdocs/b.md:1\thttps://example.com\t',
      'ok\tdocs/x.md:3\tb.md\t',
      'status\tplace\thref\tproblem',
    ]);
    expect([exit, stderr]).toEqual([0, '4 links, 2 broken\n']);
  });

  it('exits with 3 with --fail-on broken, after it lists the links', async () => {
    const { exit, stdout, stderr } = await desk.run([
      'spaces',
      'links',
      'Guide',
      '--status',
      'broken',
      '--fail-on',
      'broken',
      '--all',
    ]);
    expect(exit).toBe(3);
    expect(stdout).toContain('x.md:4');
    expect(stdout).not.toContain('b.md:1');
    expect(last(stderr)).toContain('2 of 4 links are broken.');
    const fine = await desk.run(['spaces', 'links', 'Guide', '--page', 'b', '--fail-on', 'broken']);
    expect([fine.exit, fine.stderr]).toEqual([0, '1 link, 0 broken\n']);
    const words = ['spaces', 'links', 'Guide', '--page', 'b', '--fail-on', 'broken'];
    const { stderr: notes } = await desk.run(words, { tty: true });
    expect(notes).toBe('No broken links.\n1 link, 0 broken\n');
    expect(
      (await desk.run(['spaces', 'links', 'Guide', '--page', 'x.md', '--fail-on', 'broken'])).stderr,
    ).toContain('1 of 2 links is broken.');
  });

  it('explains why each link is broken, and suggests similar anchors and links', async () => {
    await desk.publish(
      {
        operation: 'insert_page',
        title: 'Steps',
        document: { markdown: '## 2. Use it\n\n## streamToBytes\n' },
        git: { path: 'steps.md' },
      },
      {
        operation: 'insert_page',
        title: 'Links',
        document: {
          markdown:
            '[a](steps.md#2-use-it) [b](steps.md#streamToBytes) [c](steps.md#use-it) [d](#e) [e](f.md) [f](../docs/steps.md#use)',
        },
        git: { path: 'links.md' },
      },
    );
    const reasons = [
      [
        'steps.md#use-it',
        'anchor-missing',
        'The page "Steps" has no anchor #use-it. Did you mean #2-use-it?',
      ],
      ['#e', 'anchor-missing', 'The page "Links" has no anchor #e.'],
      ['f.md', 'target-missing', 'No page or file has this address.'],
      [
        '../docs/steps.md#use',
        'target-missing',
        'No page or file has this address. Did you mean steps.md#use?',
      ],
    ];
    const query = [
      '--page',
      'links.md',
      '-o',
      'json',
      '--query',
      "items[?status=='broken'].[href, reason, message]",
    ];
    expect(JSON.parse((await desk.run(['spaces', 'links', 'Guide', ...query])).stdout)).toEqual(reasons);
    const { stdout } = await desk.run([
      'spaces',
      'links',
      'Guide',
      '--page',
      'links.md',
      '-o',
      'csv',
      '--columns',
      'reason,problem',
    ]);
    expect(stdout).toContain(
      'anchor-missing,"the page ""Steps"" has no anchor #use-it. Did you mean #2-use-it?"',
    );
    const number = await desk.request();
    const ofRequest = await desk.run([
      'cr',
      'links',
      String(number),
      '--space',
      'Guide',
      '--anchors',
      '--status',
      'broken',
      '-o',
      'csv',
      '--all',
    ]);
    expect(ofRequest.stdout).toContain('Did you mean #2-use-it?');
    expect(ofRequest.stdout).toContain('No page or file has this address.');
  });

  it('prints annotations for GitHub with --format github', async () => {
    const { stdout } = await desk.run(['spaces', 'links', 'Guide', '--format', 'github', '--root', './docs']);
    expect(stdout.trimEnd().split('\n').sort()).toEqual([
      '::error file=docs/x.md,line=4::broken link: ../y.md (no page or file has this address)',
      '::error::hand-made:1: broken link: z.md (no page or file has this address)',
    ]);
  });

  it('prints paths relative to GITHUB_WORKSPACE in annotations', async () => {
    const { stdout } = await desk.run(
      ['spaces', 'links', 'Guide', '--format', 'github', '--root', '../docs', '--page', 'start'],
      { env: { GITHUB_WORKSPACE: dirname(desk.at('.')) } },
    );
    expect(stdout).toBe(
      '::error file=docs/x.md,line=4::broken link: ../y.md (no page or file has this address)\n',
    );
  });

  it('escapes texts in annotations, so that they cannot begin another workflow command', async () => {
    await desk.publish({
      operation: 'insert_page',
      title: 'Odd',
      document: { markdown: '<a href="a%0A\n::set-output name=x::y">odd</a>' },
      git: { path: 'a,b:c%.md' },
    });
    const { stdout } = await desk.run(['spaces', 'links', 'Guide', '--format', 'github', '--page', 'odd']);
    expect(stdout).toContain('::error file=a%2Cb%3Ac%25.md,line=1::broken link: a%250A%0A::set-output ');
  });

  it('uses the root folder of the settings of the space, unless --root is given', async () => {
    const places = async (...flags: string[]) =>
      (await desk.run(['spaces', 'links', 'Guide', '--format', 'github', ...flags])).stdout;
    await desk.publish({
      operation: 'put_text',
      role: 'settings',
      git: { path: '.gitbook.yaml' },
      text: 'root: ./docs/\n',
    });
    expect(await places()).toContain('file=docs/x.md,line=4');
    expect((await desk.run(['spaces', 'links', 'Guide', '-o', 'tsv'])).stdout).toContain('docs/x.md:4');
    expect(await places('--root', 'guide')).toContain('file=guide/x.md,line=4');
    await desk.publish({
      operation: 'put_text',
      role: 'settings',
      git: { path: '.gitbook.yaml' },
      text: 'root: [',
    });
    expect(await places()).toContain('file=x.md,line=4');
  });

  it('prints the response of the API as JSON, one page or all', async () => {
    const one = await desk.run(['spaces', 'links', 'Guide', '-o', 'json', '--limit', '1']);
    const body = JSON.parse(one.stdout);
    expect([body.items.length, body.stats, typeof body.next.page, 'place' in body.items[0]]).toEqual([
      1,
      { total: 4, broken: { total: 2 } },
      'string',
      false,
    ]);
    expect(one.stderr).toBe('Showing 1 of 4 links; use --all for the rest.\n4 links, 2 broken\n');
    expect(
      JSON.parse((await desk.run(['spaces', 'links', 'Guide', '-o', 'json', '--all'])).stdout).items,
    ).toHaveLength(4);
  });

  describe('of several spaces', () => {
    beforeEach(async () => {
      await desk.done(['spaces', 'create', '--title', 'API']);
      await desk.done(['cr', 'create', '--space', 'API', '--subject', 'Calls']);
      const changes = [
        { operation: 'insert_page', title: 'Calls', document: { markdown: '# Calls\n\n[a](#call)\n' } },
      ];
      await desk.done(['cr', 'content', 'update', '1', '--space', 'API', '--body', '-'], {
        input: JSON.stringify({ changes }),
      });
      await desk.done(['cr', 'merge', '1', '--space', 'API']);
    });
    const links = (...words: string[]) => desk.run(['spaces', 'links', ...words]);
    const broken = [
      'space\tstatus\tplace\thref\tproblem',
      'API\tbroken\tcalls:3\t#call\tthe page "Calls" has no anchor #call. Did you mean #calls?',
      'Guide\tbroken\thand-made:1\tz.md\tno page or file has this address',
      'Guide\tbroken\tx.md:4\t../y.md\tno page or file has this address',
    ];
    const sorted = (text: string) => {
      const [heading = '', ...rows] = text.replace(/\n$/, '').split('\n');
      return [heading, ...rows.sort()];
    };

    it.each([[['--all-spaces']], [['Guide', 'API']], [['Guide', '--space', 'API']]])(
      'lists the broken links of %j with their space, and exits with 3 with --fail-on broken',
      async (words) => {
        const { exit, stdout, stderr } = await links(...words, '--fail-on', 'broken', '-o', 'tsv');
        expect([exit, sorted(stdout)]).toEqual([3, broken]);
        expect(stderr).toMatch(
          /^5 links in 2 spaces, 3 broken \(only these are shown\): (?:API 1, Guide 2|Guide 2, API 1)\nerror: 3 of 5 links are broken\.\n/,
        );
      },
    );

    it('reads names from standard input, checks each space once, and applies --limit', async () => {
      const { exit, stdout, stderr } = await desk.run(
        ['spaces', 'links', '-', '--limit', '2', '-o', 'json'],
        { input: 'Guide\nAPI\nGuide\n' },
      );
      const { count, stats, items } = JSON.parse(stdout);
      expect([exit, count, stats, items.length]).toEqual([0, 5, { total: 5, broken: { total: 3 } }, 2]);
      expect(items[0].space).toMatchObject({ title: 'Guide' });
      expect(stderr).toBe(
        'Showing 2 of 5 links; use --all for the rest.\n5 links in 2 spaces, 3 broken: Guide 2, API 1\n',
      );
    });

    it('prints annotations for the broken links of all spaces', async () => {
      const { stdout } = await links('--all-spaces', '--format', 'github');
      expect(stdout.trimEnd().split('\n')).toHaveLength(3);
      expect(stdout).toContain('::error::calls:3: broken link: #call (the page "Calls" has no anchor #call');
    });

    it('accepts one space as an option', async () => {
      const { exit, stderr } = await links('--space', 'API');
      expect([exit, stderr]).toEqual([0, '1 link, 1 broken\n']);
      const failed = await links('--space', 'API', '--fail-on', 'broken');
      expect([failed.exit, failed.stderr]).toEqual([
        3,
        '1 link, 1 broken (only these are shown)\nerror: 1 of 1 link is broken.\n',
      ]);
    });

    it.each([
      [['Guide', '--all-spaces'], '--all-spaces cannot be used with the name of a space.'],
      [['--all-spaces', '--page', 'calls'], '--page works only with one space.'],
      [['Guide', 'API', '--change-request', '1'], '--change-request works only with one space.'],
    ])('refuses %j', async (words, message) => {
      const { exit, stderr } = await links(...words);
      expect([exit, stderr]).toEqual([64, expect.stringContaining(message)]);
    });

    it('suggests --external for statuses of links to other websites', async () => {
      const { exit, stderr } = await links('Guide', '--status', 'unreachable');
      expect([exit, stderr]).toEqual([8, expect.stringContaining('hint: Add --external,')]);
    });
  });

  it('shows only broken links in a table with --fail-on broken, unless --status is given', async () => {
    const fails = (...more: string[]) =>
      desk.run(['spaces', 'links', 'Guide', '--fail-on', 'broken', ...more]);
    const table = await fails();
    expect([table.exit, table.stdout]).toEqual([3, expect.not.stringContaining('example.com')]);
    expect(table.stderr).toContain('4 links, 2 broken (only these are shown)\n');
    expect((await fails('--status', 'ok')).stdout).toContain('example.com');
    expect(JSON.parse((await fails('-o', 'json')).stdout).items).toHaveLength(4);
  });

  it.each([
    [['--status', 'odd'], 'There is no status "odd".', 8],
    [['--fail-on', 'ok'], '--fail-on takes "broken", not "ok".', 8],
    [['--format', 'xml'], '--format "xml" is not one of: table, github.', 8],
    [['--format', 'github', '--status', 'ok'], '--format github shows only broken links', 64],
    [['--limit', '1001'], '--limit takes a whole number', 8],
  ] as const)('refuses %j', async (flags, message, code) => {
    const { exit, stderr } = await desk.run(['spaces', 'links', 'Guide', ...flags]);
    expect(exit).toBe(code);
    expect(stderr).toContain(message);
  });
});

describe('docsctl spaces pages links', () => {
  it('accepts the page as an option, and continues with --next-page', async () => {
    const list = (...more: string[]) =>
      desk.run([
        'spaces',
        'pages',
        'links',
        '--page',
        'start',
        '--space',
        'Guide',
        '--columns',
        'href',
        ...more,
      ]);
    const { exit, stdout, stderr } = await list('--limit', '1');
    expect([exit, stdout]).toEqual([0, 'href\nb.md\n']);
    const [, flag = '', next = ''] = /^ {2}(--next-page) (\S+)$/m.exec(stderr) ?? [];
    expect(await list('--limit', '1', flag, next)).toMatchObject({ exit: 0, stdout: 'href\n../y.md\n' });
  });
});
