import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docsctl, splitWords, type Ran } from '../../../support/cli.ts';

let home: string;
const env = () => ({
  DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
  DOCSCTL_CONFIG_DIR: join(home, 'config'),
});
const run = (line: string): Promise<Ran> => docsctl(splitWords(line), { home, env: env() });
const write = (path: string, text: string) => writeFileSync(join(home, path), text);

const main = (paths: string) => `openapi: 3.0.3\ninfo: { title: Shop, version: "1" }\npaths: { ${paths} }\n`;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-openapi-'));
  mkdirSync(join(home, 'spec/parts'), { recursive: true });
  write('spec/shop.yaml', main('/a: { $ref: "parts/a.yaml#/item" }, /b: { $ref: "parts/a.yaml#/item" }'));
  write(
    'spec/parts/a.yaml',
    'item: { get: { responses: { 200: { description: x, content: { a/b: { schema: { $ref: "#/Thing" } } } } } } }\nThing: { $ref: "../more.json" }\n',
  );
  write('spec/more.json', '{ "type": "string" }');
  expect((await run('init --org-title Acme --email ana@acme.test -o none')).exit).toBe(0);
});
afterAll(() => rmSync(home, { recursive: true }));

describe('docsctl openapi validate', { timeout: 60_000 }, () => {
  it('summarizes a specification of several files', async () => {
    const { exit, stdout } = await run('openapi validate spec/shop.yaml -o json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      file: 'spec/shop.yaml',
      format: '3.0.3',
      title: 'Shop',
      version: '1',
      operations: 2,
      webhooks: 0,
      schemas: 0,
    });
  });

  it('reports file, line and column of a mistake', async () => {
    write('bad.yaml', main('/a: { get: { responses: { oops: { description: x } } } }'));
    const { exit, stdout, stderr } = await run('openapi validate bad.yaml');
    expect([exit, stdout]).toEqual([8, '']);
    expect(stderr).toContain(
      'bad.yaml:3:36: SCHEMA_INVALID: "oops" is not a status code: use 100 to 599, 1XX to 5XX, or "default" (/paths/~1a/get/responses/oops)',
    );
  });

  it.each([
    [
      'outside its folder',
      '../bad.yaml',
      /refers to "\.\.\/bad\.yaml", which is outside the folder of the specification; move it into that folder\.\nhint: .*--root FOLDER/,
    ],
    [
      'at a URL',
      'http://10.0.0.1/x.yaml',
      /is an address; only files are bundled\.\nhint: Download it to a file beside the specification and refer to the file\./,
    ],
    ['with an invalid name', '%zz.yaml', /is not valid: it contains a percent sign/],
    ['that does not exist', 'parts/none.yaml', /refers to "parts\/none\.yaml", which/],
    ['that is a symbolic link', 'parts/link.yaml', /refers to "parts\/link\.yaml", which/],
  ])('refuses a reference to a file %s', async (_name, reference, message) => {
    if (reference.endsWith('link.yaml')) symlinkSync('/etc/hostname', join(home, 'spec/parts/link.yaml'));
    write('spec/leads.yaml', main(`/a: { $ref: "${reference}" }`));
    const { exit, stderr } = await run('openapi validate spec/leads.yaml');
    expect(exit).toBe(8);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('error: spec/leads.yaml:3:16 refers to');
  });

  it('accepts files of the folder that --root names', async () => {
    write('common.yaml', 'd: { description: x }\n');
    write('spec/deep.yaml', main(`/a: { get: { responses: { 200: { $ref: "../common.yaml#/d" } } } }`));
    expect((await run('openapi validate spec/deep.yaml --root . -o json')).stdout).toContain(
      '"operations": 1',
    );
    const { exit, stderr } = await run('openapi validate spec/deep.yaml --root spec/parts');
    expect([exit, stderr]).toEqual([
      8,
      expect.stringContaining('The folder spec/parts does not contain spec/deep.yaml.'),
    ]);
  });

  it.each([
    [
      'breaks the schema',
      'get: { responses: { oops: { description: x } } }',
      'spec/parts/wrong.yaml:1:21: SCHEMA_INVALID: "oops" is not a status code: use 100 to 599, 1XX to 5XX, or "default" (/get/responses/oops)',
    ],
    [
      'refers to nothing',
      'get:\n  responses: { 200: { $ref: "#/none" } }',
      'spec/parts/wrong.yaml:2:23: UNRESOLVED_REF: "spec/parts/wrong.yaml#/none" leads to nothing (/get/responses/200/$ref)',
    ],
  ])('reports the position in a part that %s', async (_name, part, message) => {
    write('spec/parts/wrong.yaml', part);
    write('spec/leads.yaml', main('/a: { $ref: "parts/wrong.yaml" }'));
    const { exit, stderr } = await run('openapi validate spec/leads.yaml');
    expect(exit).toBe(8);
    expect(stderr).toContain(message);
  });

  it('refuses a URL, with a hint', async () => {
    const { exit, stderr } = await run('openapi validate https://api.example/openapi.yaml');
    expect([exit, stderr]).toEqual([64, expect.stringContaining('is an address, not a file')]);
  });

  it.each([
    [
      'with an object as the OpenAPI version',
      '{"openapi":{"toString":1,"valueOf":1}}',
      'odd.json:1:2: UNSUPPORTED_VERSION: openapi {"toString":1',
    ],
    [
      'with a comma after the last entry',
      '{ "openapi": "3.0.3", "info": { "title": "A", "version": "1", }, "paths": {} }',
      /odd\.json:1:\d+: PARSE_ERROR: not valid JSON: /,
    ],
    [
      'that is YAML',
      'openapi: 3.0.3',
      'odd.json:1:1: PARSE_ERROR: this is YAML in a file named as JSON; rename it to .yaml',
    ],
    [
      'that is a web page',
      '<!doctype html>',
      'odd.json:1:1: PARSE_ERROR: this is a web page, not a specification',
    ],
  ])('refuses JSON %s', async (_name, text, message) => {
    write('odd.json', text);
    write(
      'spec/leads.json',
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'A', version: '1' },
        paths: { '/a': { $ref: '../odd.json' } },
      }),
    );
    for (const command of ['validate', 'publish']) {
      const { exit, stderr } = await run(`openapi ${command} odd.json`);
      expect(exit).toBe(8);
      if (typeof message === 'string') expect(stderr).toContain(message);
      else expect(stderr).toMatch(message);
    }
    const { exit, stderr } = await run('openapi validate spec/leads.json --root .');
    expect([exit, stderr.includes('is a bug')]).toEqual([8, false]);
  });

  it('reports the position in a part that cannot be parsed', async () => {
    write('spec/parts/broken.yaml', 'a: 1\n\tb: 2\n');
    write('spec/leads.yaml', main('/a: { $ref: "parts/broken.yaml" }'));
    const { exit, stderr } = await run('openapi validate spec/leads.yaml');
    expect(exit).toBe(8);
    expect(stderr).toContain('spec/parts/broken.yaml:2:1: this line is indented with a tab');
  });
});

describe('docsctl openapi publish', { timeout: 60_000 }, () => {
  it('sends one bundled text, waits until it is processed, and creates no version the second time', async () => {
    const { exit, stdout, stderr } = await run('openapi publish spec/shop.yaml -o json --visibility public');
    expect([exit, stderr]).toEqual([
      0,
      'Added the specification shop. To publish a new version of an existing specification, give its slug with --slug.\n',
    ]);
    const spec = JSON.parse(stdout) as { lastVersion: string };
    expect(spec).toMatchObject({ slug: 'shop', processingState: 'complete', visibility: 'public' });
    expect(JSON.parse((await run('openapi publish spec/shop.yaml -o json')).stdout)).toMatchObject({
      lastVersion: spec.lastVersion,
    });
    const onTerminal = await docsctl(splitWords('openapi publish spec/shop.yaml'), {
      home,
      env: env(),
      attended: true,
    });
    expect(onTerminal.stderr.replace(/\s+/g, ' ')).toContain('`docsctl openapi pages shop -d FOLDER`');
    const { stdout: text } = await run('openapi download shop');
    expect(JSON.parse(text)).toMatchObject({
      paths: { '/a': { $ref: '#/x-docsctl-files/a/item' } },
      'x-docsctl-files': { a: { Thing: { $ref: '#/x-docsctl-files/more' } }, more: { type: 'string' } },
    });
    write('again.json', text);
    expect((await run('openapi validate again.json')).exit).toBe(0);
  });

  it('publishes several specifications, and none if one file is wrong, has the slug of another, or has --slug', async () => {
    write('first.yaml', main(''));
    write('second.yaml', main(''));
    for (const [words, code] of [
      ['first.yaml none.yaml', 8],
      ['first.yaml ./first.yaml', 64],
      ['first.yaml second.yaml --slug one', 64],
    ] as const)
      expect((await run(`openapi publish ${words}`)).exit).toBe(code);
    expect((await run('openapi get first')).exit).toBe(5);
    const both = JSON.parse((await run('openapi publish first.yaml second.yaml -o json')).stdout);
    expect(both.items).toMatchObject([{ slug: 'first' }, { slug: 'second' }]);
    const { exit, stdout, stderr } = await run(
      'openapi publish second.yaml http://nowhere.invalid/a.json -o id',
    );
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: expect.stringMatching(/^\w+\n$/) });
    expect(stderr).toContain('error: http://nowhere.invalid/a.json: ');
    expect(stderr).toContain('1 done, 1 failed.');
  });

  it('publishes a specification with mistakes in single parts, with a warning for each', async () => {
    const { exit, stderr } = await run('openapi publish bad.yaml');
    expect([exit, stderr]).toEqual([
      0,
      expect.stringContaining('warning: bad.yaml:3:36: SCHEMA_INVALID: "oops" is not a status code'),
    ]);
    const { stdout } = await run('openapi get bad -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      processingState: 'complete',
      lastProcessedErrors: [{ code: 'SCHEMA_INVALID' }],
    });
    expect(stdout).not.toContain('lastProcessErrorCode');
  });

  it('warns of mistakes with the name of the part, and openapi diff accepts such specifications', async () => {
    const missing = '{ schema: { $ref: "#/components/schemas/Missing" } }';
    write('spec/several.yaml', main('/a: { $ref: "parts/several.yaml" }'));
    write(
      'spec/parts/several.yaml',
      `get:\n  responses: { 200: { description: x, content: { a/b: ${missing} } } }\n`,
    );
    const { exit, stderr } = await run('openapi publish spec/several.yaml --slug several');
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/warning: spec\/parts\/several\.yaml:2:\d+: UNRESOLVED_REF: /),
    ]);
    const compared = await run('openapi diff several --to spec/several.yaml -o json');
    expect([compared.exit, JSON.parse(compared.stdout)]).toEqual([
      0,
      expect.objectContaining({ changes: [] }),
    ]);
    expect((await run('openapi validate spec/several.yaml')).exit).toBe(8);
  });

  it('does not send invalid specifications, and reports the errors of an address', async () => {
    write('none.yaml', 'openapi: 3.1.0\ninfo: { title: None }\npaths: {}\n');
    expect((await run('openapi publish none.yaml')).exit).toBe(8);
    expect((await run('openapi get none')).exit).toBe(5);
    // No server answers at this address.
    const { exit, stderr } = await run('openapi publish http://nowhere.invalid/latest.json');
    expect(exit).toBe(69);
    expect(stderr).toContain('could not be processed: FETCH_ERROR');
    expect(stderr).toContain(
      'The specification latest was created, but has no version yet. Correct the source and publish it again: `docsctl openapi publish FILE --slug latest`, or delete it: `docsctl openapi delete latest`',
    );
    expect((await run('openapi list -o csv')).stdout).toMatch(
      /^latest,complete,private,http:\/\/nowhere\.invalid\/latest\.json,[^,]+,"?unreachable: /m,
    );
  });

  it('suggests an address for a text that is too large to be sent', async () => {
    const info = { title: 'Large', version: '1', description: 'x'.repeat(5_000_000) };
    write('large.json', JSON.stringify({ openapi: '3.0.3', info, paths: {} }));
    const { exit, stderr } = await run('openapi publish large.json');
    expect(exit).toBe(8);
    expect(stderr).toContain('error: large.json has more than 5 million characters');
    expect(stderr).toContain(
      'A specification at an address can be up to 10 MiB in size: `docsctl openapi publish https://HOST/PATH --slug large`.',
    );
  });

  it('accepts only http and https addresses', async () => {
    const { exit, stderr } = await run('openapi publish ftp://x/y');
    expect([exit, stderr]).toEqual([
      8,
      expect.stringContaining('The address ftp://x/y is not supported. Use http or https.'),
    ]);
  });

  it('refresh waits only with --wait, and reports the error of the specification', async () => {
    expect((await run('openapi create gone --url http://nowhere.invalid/x.json')).exit).toBe(0);
    const asked = await run('openapi refresh gone');
    expect([asked.exit, asked.stdout, asked.stderr]).toEqual([
      0,
      expect.stringMatching(/processingState\s+pending/),
      expect.stringContaining('Otherwise, run `docsctl jobs run`'),
    ]);
    const waited = await run('openapi refresh gone --wait --timeout 60');
    expect([waited.exit, waited.stderr]).toEqual([
      69,
      expect.stringContaining('The specification gone could not be processed: FETCH_ERROR.'),
    ]);
    expect((await run('openapi refresh gone --timeout 0')).exit).toBe(8);
    expect((await run('openapi refresh')).exit).toBe(64);
    const { stderr } = await run('openapi refresh gone --dry-run -o json');
    expect(stderr).toContain('Dry run: nothing was sent.');
  });

  it('refuses a private address before anything is stored', async () => {
    const { exit, stderr } = await run('openapi publish http://169.254.169.254/inside.json');
    expect(exit).toBe(11);
    expect(stderr).toContain('DOCSCTL_ALLOW_PRIVATE');
    expect((await run('openapi get inside')).exit).toBe(5);
    expect((await run('openapi create inside --url http://127.0.0.1/x.json')).exit).toBe(11);
    expect((await run('openapi get inside')).exit).toBe(5);
  });

  it('with --no-wait leaves the processing to jobs run', async () => {
    const pending = await run('openapi publish spec/shop.yaml --slug later --no-wait -o json');
    expect(JSON.parse(pending.stdout)).toMatchObject({ processingState: 'pending' });
    expect(pending.stderr).toContain('Otherwise, run `docsctl jobs run`');
    expect((await run('jobs list -o json')).stdout).toContain('"state": "waiting"');
    expect(await run('jobs run --kind openapi')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('1 done, 0 failed'),
    });
    expect(JSON.parse((await run('openapi get later -o json')).stdout)).toMatchObject({
      processingState: 'complete',
    });
  });

  it('leaves it to jobs run to report mistakes of a specification created with openapi create', async () => {
    expect((await run('openapi create wrong --text "openapi: 3.1"')).stderr).toContain(
      'Otherwise, run `docsctl jobs run`',
    );
    const { exit, stderr } = await run('jobs run --kind openapi');
    expect(exit).toBe(3);
    expect(stderr).toContain(
      'openapi wrong could not be processed: SCHEMA_INVALID: line 1, column 1: openapi 3.1 lacks its last number: write "3.1.0"',
    );
    expect(stderr).toContain('1 job ended with errors. 1 done, 0 failed');
    expect((await run('openapi refresh wrong')).exit).toBe(6);
    expect((await run('openapi get wrong')).stdout).toMatch(
      /lastProcessedErrors\s+SCHEMA_INVALID: line 1, column 1: openapi 3\.1 lacks/,
    );
    // The API has no state for this: the state is complete.
    const { stdout: state, stderr: note } = await run('openapi get wrong -o json --query processingState');
    expect(state).toBe('"complete"\n');
    expect(note).toContain('warning: The specification wrong could not be processed: 1 error.');
    const { stdout: table } = await docsctl(['openapi', 'list'], { home, env: env(), tty: true });
    expect(table).toMatch(/^wrong +failed .*SCHEMA_INVALID/m);
    expect((await run('openapi create late --text @bad.yaml')).stderr).toContain(
      'The specification late is not processed yet. To see the outcome later, run `docsctl openapi get late`.',
    );
    expect((await run('openapi delete late --yes')).exit).toBe(0);
    expect((await run('openapi version wrong latest')).stderr).toContain(
      'To see its state, run `docsctl openapi get wrong`',
    );
  });

  it('makes a public specification available by its slug', async () => {
    await run('openapi publish spec/shop.yaml --visibility public -o none');
    expect(JSON.parse((await run('openapi published shop')).stdout)).toMatchObject({
      info: { title: 'Shop' },
    });
  });

  it('provides pages for a space, and writes and imports them only once', async () => {
    write(
      'pets.yaml',
      readFileSync(new URL('../../../samples/openapi/petshop.yaml', import.meta.url), 'utf8'),
    );
    await run('openapi publish pets.yaml');
    expect((await run('openapi pages pets -d reference')).exit).toBe(0);
    await run('spaces create --title Reference');
    expect((await run('spaces import Reference reference')).stderr).toContain('Imported: 3 pages new');
    const again = await run('openapi pages pets -d reference');
    expect([again.exit, again.stderr]).toEqual([
      0,
      'Nothing to write: 4 files in reference are up to date.\n',
    ]);
    expect((await run('spaces import Reference reference')).stderr).toContain('Nothing to import');
    expect((await run('openapi pages pets -d spec')).exit).toBe(9);
  });
});

describe('docsctl openapi diff', { timeout: 60_000 }, () => {
  const list = '/pets: { get: { responses: { 200: { description: All } } } }';
  const add = '/pets: { post: { responses: { 201: { description: New } } } }';

  it('compares versions and files, marks breaking changes, and exits with 9 with --fail-on breaking', async () => {
    write('pet-list.yaml', main(list));
    write('pet-add.yaml', main(add).replace('"1"', '"2"'));
    await run('openapi publish pet-list.yaml --slug diffed');
    const alone = await run('openapi diff diffed');
    expect([alone.exit, alone.stderr]).toEqual([
      5,
      expect.stringContaining('`docsctl openapi diff diffed --to FILE`'),
    ]);
    const planned = await run('openapi diff diffed --to pet-add.yaml -o json');
    expect(JSON.parse(planned.stdout)).toEqual({
      from: { version: '1', id: expect.any(String) },
      to: { file: 'pet-add.yaml' },
      breaking: 1,
      changes: [
        expect.objectContaining({ change: 'removed', name: 'GET /pets', breaking: true }),
        expect.objectContaining({ change: 'added', name: 'POST /pets', breaking: false }),
      ],
    });
    await run('openapi publish pet-add.yaml --slug diffed');
    const { exit, stdout, stderr } = await run('openapi diff diffed --fail-on breaking -o csv --no-headers');
    expect([exit, stdout]).toEqual([
      9,
      'true,removed,operation,GET /pets,,removed\r\nfalse,added,operation,POST /pets,,added\r\n',
    ]);
    expect(stderr).toContain('error: 1 change in diffed is breaking.');
    const back = await run('openapi diff diffed --from latest --to 1 -o json');
    expect(JSON.parse(back.stdout)).toMatchObject({ from: { version: '2' }, to: { version: '1' } });
    const table = await run('openapi diff diffed --from 1 --to latest');
    expect([table.exit, table.stderr]).toEqual([
      0,
      expect.stringMatching(/^1 \(\w+\) → 2 \(\w+\): 2 changes, 1 breaking\.$/m),
    ]);
  });

  it('reports that nothing differs, and exits with 0', async () => {
    const words = 'openapi diff any --from pet-list.yaml --to pet-list.yaml --fail-on breaking';
    const { exit, stderr } = await docsctl(splitWords(words), { home, env: env(), tty: true });
    expect([exit, stderr]).toEqual([0, 'pet-list.yaml and pet-list.yaml do not differ.\n']);
  });

  it.each([
    ['an unknown version', 'diffed --from 9', 5, 'The specification diffed has no version "9".'],
    ['an unknown specification', 'nowhere', 5, 'There is no OpenAPI specification "nowhere".'],
    ['another condition', 'diffed --fail-on any', 8, '--fail-on takes "breaking", not "any".'],
    [
      'a file with errors',
      'diffed --to nothing.yaml',
      8,
      'nothing.yaml is not a valid OpenAPI specification: 1 error.',
    ],
    [
      'standard input twice',
      'diffed --from - --to -',
      64,
      'Only one of --from and --to can be standard input.',
    ],
  ])('refuses %s', async (_name, words, expected, message) => {
    write('nothing.yaml', 'openapi: 3.1.0\ninfo: { title: Nothing }\npaths: {}\n');
    const { exit, stderr } = await run(`openapi diff ${words}`);
    expect([exit, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });

  it('publish reports that nothing changed if the same content is published again', async () => {
    const again = await run('openapi publish pet-add.yaml --slug diffed');
    expect([again.exit, again.stderr]).toEqual([
      0,
      expect.stringContaining('Nothing changed: the latest version of diffed already has this content.'),
    ]);
    expect((await run('openapi publish pet-list.yaml --slug diffed')).stderr).not.toContain(
      'Nothing changed',
    );
  });
});
