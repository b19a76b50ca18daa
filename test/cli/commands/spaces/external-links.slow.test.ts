import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore } from '../../guide-store.ts';

describe.each([
  ['a store', openGuideStore],
  ['a server', openGuideServer],
] as const)('docsctl spaces links --external on %s', (_, open) => {
  let desk: Awaited<ReturnType<typeof open>>;
  let other: Server;
  let asked: string[];
  let host: string;
  beforeEach(async () => {
    asked = [];
    other = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.statusCode = request.url === '/good' ? 200 : 404;
      response.end('x'.repeat(100));
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    desk = await open();
    await desk.publish({
      operation: 'insert_page',
      title: 'Start',
      document: {
        markdown: `[a](http://${host}/good#x)\n[b](http://${host}/bad)\n[c](http://${host}/good)\n[d](gone.md)\n[e](#none)\n[f](mailto:a@b.test)\n`,
      },
      git: { path: 'start.md' },
    });
  });
  afterEach(async () => {
    await desk.discard();
    await new Promise((done) => other.close(done));
  });
  const run = (...flags: string[]) =>
    desk.run(['spaces', 'links', 'Guide', '--external', '--delay', '0', ...flags], {
      env: { DOCSCTL_ALLOW_PRIVATE: '127.0.0.1' },
    });

  it('checks each address once, counts the results, and caches working addresses', async () => {
    const { exit, stdout, stderr } = await run('-o', 'tsv');
    expect(stdout.replace(/\n$/, '').split('\n')).toEqual([
      'status\tplace\thref\tproblem',
      `ok\tstart.md:1\thttp://${host}/good#x\t`,
      `broken\tstart.md:2\thttp://${host}/bad\tHTTP 404`,
      `ok\tstart.md:3\thttp://${host}/good\t`,
      'broken\tstart.md:4\tgone.md\tno page or file has this address',
      'broken\tstart.md:5\t#none\tthe page "Start" has no anchor #none',
      'ok\tstart.md:6\tmailto:a@b.test\t',
    ]);
    expect([exit, stderr]).toEqual([
      0,
      '6 links, 3 broken\n2 addresses: 1 ok, 1 broken, 0 unreachable, 0 skipped\n',
    ]);
    expect(asked.sort()).toEqual(['GET /bad', 'HEAD /bad', 'HEAD /good']);
    const cache = JSON.parse(readFileSync(join(desk.home, 'config', 'checked-links.json'), 'utf8'));
    expect(Object.keys(cache)).toEqual([`http://${host}/good`]);
    asked = [];
    const again = await run('--status', 'broken', '--fail-on', 'broken');
    expect(again.stderr).toContain(
      '2 addresses: 1 ok (1 from an earlier run), 1 broken, 0 unreachable, 0 skipped\n',
    );
    expect([again.exit, again.stderr.includes('3 of 6 links are broken.')]).toEqual([3, true]);
    expect(asked.sort()).toEqual(['GET /bad', 'HEAD /bad']);
    await run('--max-age', '0');
    expect(asked).toContain('HEAD /good');
  });

  it('prints counts as JSON, annotations for GitHub, and skips hosts that are not allowed', async () => {
    const { stdout } = await run('-o', 'json', '--allow-host', 'example.com', '--status', 'skipped');
    const { count, stats, items } = JSON.parse(stdout);
    expect([count, items.length, items[0].problem]).toEqual([3, 3, 'host not in --allow-host']);
    expect(stats).toEqual({
      total: 6,
      broken: { total: 2 },
      addresses: { total: 2, ok: 0, broken: 0, unreachable: 0, skipped: 2, cached: 0 },
    });
    expect(asked).toEqual([]);
    const annotated = await run('--format', 'github');
    expect(annotated.stdout.split('\n')).toContain(
      `::error file=start.md,line=2::broken link: http://${host}/bad (HTTP 404)`,
    );
    expect(annotated.stdout).toContain(
      '::error file=start.md,line=5::broken link: #none (the page "Start" has no anchor #none)',
    );
    const shown = await run('--limit', '2');
    expect(shown.stderr).toContain('Showing 2 of 6 links; use --all for the rest.');
  });

  it('never requests a private address that the operator does not allow', async () => {
    const { stdout } = await desk.run(['spaces', 'links', 'Guide', '--external', '-o', 'json', '--all']);
    expect(JSON.parse(stdout).stats.addresses).toMatchObject({ skipped: 2, ok: 0 });
    expect(asked).toEqual([]);
  });

  it('checks the links of a change request', async () => {
    const number = await desk.request({
      operation: 'insert_page',
      title: 'New',
      document: { markdown: '# New\n\n[a](start.md#none)\n' },
      git: { path: 'new.md' },
    });
    const { exit, stdout } = await desk.run([
      'spaces',
      'links',
      'Guide',
      '--change-request',
      String(number),
      '--page',
      'new',
      '-o',
      'tsv',
    ]);
    expect([exit, stdout]).toEqual([
      0,
      'status\tplace\thref\tproblem\nbroken\tnew.md:3\tstart.md#none\tthe page "Start" has no anchor #none\n',
    ]);
    const all = await desk.run([
      'spaces',
      'links',
      'Guide',
      '--change-request',
      String(number),
      '-o',
      'json',
    ]);
    expect(JSON.parse(all.stdout).stats).toEqual({ total: 7, broken: { total: 3, changeRequest: 1 } });
    expect(
      (await desk.run(['cr', 'links', String(number), '--space', 'Guide', '--status', 'broken', '--anchors']))
        .stdout,
    ).toContain('start.md#none');
  });

  it.each([
    [['--external', '--max-age', 'x'], '--max-age takes a whole number from 0 to 720, not "x".', 8],
    [['--external', '--concurrency', '0'], '--concurrency takes a whole number from 1 to 64, not "0".', 8],
    [['--allow-host', 'a.test'], '--allow-host works only with --external.', 64],
    [['--delay', '5'], '--delay works only with --external.', 64],
    [['--status', 'skipped'], 'There is no status "skipped".', 8],
  ] as const)('refuses %j', async (flags, message, code) => {
    const { exit, stderr } = await desk.run(['spaces', 'links', 'Guide', ...flags]);
    expect([exit, stderr.includes(message)]).toEqual([code, true]);
  });
});
