import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

it.each([
  [['members', 'invite', 'ana@acme.test', 'ben@'], '"ben@" is not a valid email address.', '--help'],
  [
    ['members', 'invite', '--emails', 'ben@'],
    '--emails "ben@" (value 1) is not a valid email address.',
    'docsctl members invite --help',
  ],
  [
    ['tokens', 'create', '--role', 'edit', '--expires-at', 'soon'],
    '--expires-at "soon" is not',
    'a date like 2040-01-31, a date and time like 2040-01-31T12:00:00Z, or a period like 7d.',
  ],
  [['orgs', 'update', '--ai', 'off'], '--ai must be true or false, not "off".', 'docsctl orgs update --help'],
  [['orgs', 'update', '--sso=no'], '--sso must be true or false, not "no".', 'docsctl orgs update --help'],
  [
    ['orgs', 'update', '--ai', 'Acme'],
    '--ai must be true or false, not "Acme".',
    'docsctl orgs update --help',
  ],
  [
    ['orgs', 'update', '--default-content', 'Docs'],
    '--default-content "Docs" must be an object with "type" and "site".',
    'docsctl orgs update --help',
  ],
  [
    ['openapi', 'create', 'pets', '--source', '{}'],
    '--source must have at least 1 field of: url, text.',
    'docsctl openapi create --help',
  ],
  [['spaces', 'list', '--limit', '5000'], '--limit 5000 must be at most 1000.', '--help'],
  [
    ['spaces', 'update', 'Guide', '--default-level', 'null'],
    '--default-level "null" is not one of: admin,',
    'inherit.\nhint: To see the arguments',
  ],
  [
    ['sites', 'create', '--title', 'Docs', '--visibility', 'publik'],
    '--visibility "publik" is not one of: public,',
    'Did you mean public? To see the arguments and options,',
  ],
])('%j is refused with the name of the option', async (words, message, hint) => {
  const { exit, stderr } = await desk.run(words);
  expect([exit, stderr]).toEqual([8, expect.stringContaining(message)]);
  expect(stderr).toContain(hint);
});

it('an error about an ID names the option that contained the name', async () => {
  for (const title of ['Install', 'Upgrade'])
    await desk.publish({ operation: 'insert_page', title, document: { markdown: 'x' } });
  await desk.done(['pages', 'move', 'Guide', 'upgrade', '--under', 'install', '--merge']);
  const { stderr } = await desk.run(['pages', 'move', 'Guide', 'install', '--under', 'upgrade']);
  expect(stderr).toContain('error: A page cannot be moved below itself.\n  option: --under\n');
});

it('an error about a URL shows an example of a whole URL', async () => {
  await desk.done(['sites', 'create', '--title', 'Docs']);
  const { stderr } = await desk.run(['sites', 'redirects', 'create', '/a', '--site', 'Docs', '--url', '/b']);
  expect(stderr).toContain(
    '--url "/b" is not a valid URL.\nhint: Write a whole URL like https://example.com/start. To see',
  );
});

it.each([
  [
    ['members', 'invite', 'ana@acme.test', 'ben@', '--dry-run'],
    '"ben@" is not a valid email address.',
    'docsctl members invite --help',
  ],
  [['tokens', 'create', '--role', 'edit', '--expires-at', 'soon', '--dry-run'], '--expires-at "soon" is', ''],
  [
    ['orgs', 'create', '--title', 'X', '--email', 'a@b.test'],
    '--title "X" must have at least 2',
    'orgs create --help',
  ],
  [['orgs', 'create', '--title', 'X', '--dry-run'], '--title "X" must have at least 2', 'orgs create --help'],
  [
    ['pages', 'create', 'Guide', 'Home', '--slug', 'a b'],
    '--slug "a b" must not contain blanks or any of / ? # % \\, and must not be "." or "..".',
    'pages create --help',
  ],
  [
    ['pages', 'create', 'Guide', '--dry-run', 'A', 'x'.repeat(300)],
    'TITLES must have at most',
    'pages create --help',
  ],
  [
    ['translations', 'create', '--space', 'Guide', '--from', 'xx', '--language', 'fr'],
    '--from "xx" is not one of',
    '',
  ],
  [
    ['translations', 'create', '--space', 'Guide', '--set', 'source.language=xx', '--language', 'fr'],
    '--set source.language "xx" is not one of',
    '',
  ],
  [
    ['saml', 'create', '--label', 'A', '--certificate', 'none'],
    '--certificate: The text is not an X.509',
    '',
  ],
  [['integrations', 'dev', 'slack', '--tunnel', 'here', '--dry-run'], '--tunnel "here" is not', 'dev --help'],
])(
  '%j names the option in dry runs, in commands with several requests, and on a server',
  async (words, ...texts) => {
    const remote = await openGuideServer();
    try {
      for (const { run } of [desk, remote]) {
        const { exit, stderr } = await run(words);
        expect([exit, stderr]).toEqual([8, expect.stringContaining(texts[0])]);
        expect(stderr).toContain(texts[1]);
      }
    } finally {
      await remote.discard();
    }
  },
);

it.each([
  'tokens create --role none',
  'members invite ben@acme.test --role none',
  'spaces update Guide --edit-mode open',
  'change-requests list --space Guide --status closed',
  'orgs update --default-role none',
  'invites create',
  'members invite ben@ ana@acme.test',
])('%s prints one error in the terms of the command line', async (line) => {
  const { stderr } = await desk.run(line.split(' '));
  expect(stderr).toMatch(/^error: [^\n]*\nhint: [^\n]*\n$/);
  const { error } = JSON.parse((await desk.run([...line.split(' '), '-o', 'json'])).stderr);
  const [violation] = error.violations;
  expect(violation).toEqual({
    path: expect.stringMatching(/^\/(?:body|query)\//),
    message: expect.not.stringContaining('null'),
    option: expect.stringMatching(/^(?:--|EMAILS$)/),
  });
  expect(error.message).toContain(violation.message);
});

it('each of several errors names its option', async () => {
  const words = ['sites', 'create', '--title', 'X', '--visibility', 'publik'];
  expect((await desk.run(words)).stderr.split('\n').slice(0, 3)).toEqual([
    'error: --title "X" must have at least 2 characters. There is 1 more error.',
    '  --visibility: "publik" is not one of: public, unlisted, share-link, visitor-auth',
    'hint: To see the arguments and options, run `docsctl sites create --help`.',
  ]);
});

describe('an error inside a value', () => {
  const claims = { plan: { type: 'strin', description: 5 }, 'a/b': { type: 'boolean' } };
  const schema = { type: 'object', properties: claims, additionalProperties: false };
  const places = ['plan.description', 'plan.type', 'a/b.description'];
  const update = ['sites', 'adaptive-schema', 'update', 'Docs'];
  beforeEach(async () => {
    await desk.done(['sites', 'create', '--title', 'Docs']);
    writeFileSync(desk.at('schema.json'), JSON.stringify(schema));
    writeFileSync(desk.at('body.json'), JSON.stringify({ jsonSchema: schema }));
  });

  it.each([
    [['--json-schema', '@schema.json'], 'schema.json: properties.'],
    [['--json-schema', JSON.stringify(schema)], '--json-schema: properties.'],
    [['--body', 'body.json'], 'body.json: jsonSchema.properties.'],
    [['--body', '-'], '--body: jsonSchema.properties.'],
    [['--set', `jsonSchema=${JSON.stringify(schema)}`], '--set jsonSchema: properties.'],
    [['--set', `jsonSchema.properties=${JSON.stringify(claims)}`, '--body', 'body.json'], '--set jsonSchema.properties: '], // prettier-ignore
  ])('%j reports the position in the input, and each error once', async (words, start) => {
    const input = { input: JSON.stringify({ jsonSchema: schema }) };
    const { exit, stderr } = await desk.run([...update, ...words], input);
    expect([exit, stderr.split('\n').slice(0, 3)]).toEqual([
      8,
      [
        'error: The adaptive schema is not valid: properties.plan.description must be a string of at most 1024 characters. There are 2 more errors.',
        `  ${start}plan.type must be one of: boolean, string, number, array, object`,
        `  ${start}a/b.description is required and must be a string of at most 1024 characters`,
      ],
    ]);
    const { error } = JSON.parse((await desk.run([...update, ...words, '-o', 'json'], input)).stderr);
    expect(error.violations.map(({ option }: { option: string }) => option)).toEqual(
      places.map((place) => start + place),
    );
    expect(error.violations[2].path).toBe('/body/jsonSchema/properties/a~1b/description');
  });

  it('is in the first line if the file has a different structure', async () => {
    writeFileSync(desk.at('schema.json'), '{"jsonSchema":{}}');
    expect((await desk.run([...update, '--json-schema', '@schema.json'])).stderr).toMatch(
      /^error: schema.json: type is required\. There are 3 more errors\.\n {2}schema.json: properties is required\n/,
    );
  });
});

it('an error of a handler names the option as well as the field', async () => {
  const words = ['saml', 'create', '--label', 'A', '--entity-id', 'https://idp.test'];
  await desk.done(words);
  const again = await desk.run([...words, '-o', 'json']);
  expect(JSON.parse(again.stderr).error.violations).toEqual([
    expect.objectContaining({ path: '/body/entityID', option: '--entity-id' }),
  ]);
  expect((await desk.run(words)).stderr).toContain('--entity-id');
});

it.each([
  [
    ['translations', 'create', '--space', 'Guide', '--language', 'de', '--from', 'xx'],
    '--from "xx" is not one of: en, ',
  ],
  [
    ['translations', 'create', '--space', 'Guide', '--language', 'de', '--from', 'xx', '--dry-run'],
    '--from "xx" is not one of: en, ',
  ],
])('%j names the option of a nested field', async (words, message) => {
  const { exit, stderr } = await desk.run(words);
  expect([exit, stderr]).toEqual([8, expect.stringContaining(`error: ${message}`)]);
});

it('a missing file of --body is reported with the option that accepts a text', async () => {
  const create = ['spaces', 'comments', 'create', 'Guide', '--body', 'Hi there'];
  const { exit, stderr } = await desk.run(create);
  expect([exit, stderr]).toEqual([
    8,
    'error: --body reads a file, but "Hi there" does not exist.\nhint: Give a file that holds the body as JSON or YAML, or - for standard input. To give the text itself, use --text TEXT.\n',
  ]);
});

it('an error in the input of --body names the field', async () => {
  const { stderr } = await desk.run(['members', 'invite', '--body', '-'], { input: '{"emails": ["x"]}' });
  expect(stderr).toContain('emails.0');
});

it.each([
  [['--org-title', 'X', '--email', 'a@b.test'], '--org-title "X" must have at least 2 characters.'],
  [['--org-title', 'Acme', '--email', 'ana'], '--email "ana" is not an email address.'],
])('init %j names the wrong option', async (words, message) => {
  const { exit, stderr } = await desk.run(['init', '--store', 'json:new.json', ...words]);
  expect([exit, stderr]).toEqual([8, expect.stringContaining(message)]);
});

it.each([
  [['spaces', 'import', 'Guide', ''], 'SOURCE is empty.'],
  [['validate', ''], 'FOLDER is empty.'],
  [['plan', '-f', ''], '--file is empty.'],
  [['plan', '--out', ''], '--out is empty.'],
  [['apply', '', '--yes'], 'PLAN is empty.'],
  [['export', '-d', ''], '--dir is empty.'],
  [['spaces', 'create', '--body', ''], '--body is empty.'],
])('%j refuses an empty path, which would mean the working folder', async (words, message) => {
  expect(await desk.run(words)).toMatchObject({ exit: 64, stderr: expect.stringContaining(message) });
});

it('a missing option is reported once for several resources, before anything is sent', async () => {
  const words = ['cr', 'reviewers', 'request', '1', '2', '--space', 'Guide'];
  for (let number = 1; number <= 2; number++) await desk.request();
  const { exit, stdout, stderr } = await desk.run(words);
  expect([exit, stdout]).toEqual([64, '']);
  expect(stderr).toMatch(/^error: --users is required\.\nhint: /);
});

describe('an option for a part of a field', () => {
  it('is not suggested instead of itself', async () => {
    const { stderr } = await desk.run(['integrations', 'tasks', 'greeting', '--task', 'refresh']);
    expect(stderr).toContain('--task must be an object, not "refresh".');
    expect(stderr).not.toContain('you can give --task');
  });

  it.each([
    ['translations create', 'Add --space SPACE. You can also give the whole body with --body FILE.'],
    [
      'sites sort Docs --section One',
      'Add --position POSITION, --before-site-space SITE-SPACE, --after-site-space SITE-SPACE, --before-section SECTION, --after-section SECTION,',
    ],
    [
      'sites redirects create /a --site Docs',
      'Add --url URL, --section SECTION, --site-space SITE-SPACE, or --space SPACE and --path PATH.',
    ],
    ['sites events aggregate Docs', 'Add --range RANGE, or --from TIME and --to TIME.'],
    ['openapi create payments', 'Add --url URL or --text TEXT.'],
  ])('is listed with the options that it needs: %s', async (line, hint) => {
    const { exit, stderr } = await desk.run(line.split(' '));
    expect([exit, stderr]).toEqual([64, expect.stringContaining(`hint: ${hint}`)]);
  });

  it('is suggested instead of JSON', async () => {
    await desk.done(['sites', 'create', '--title', 'Portal']);
    const { exit, stderr } = await desk.run(
      'sites redirects create /a --site Portal --destination /b'.split(' '),
    );
    expect([exit, stderr]).toEqual([
      8,
      expect.stringContaining('--destination "/b" must be a JSON object with "kind" set to one of: '),
    ]);
    expect(stderr).toContain(
      'hint: Instead, you can give --url URL, --section SECTION, --site-space SITE-SPACE, or --space',
    );
  });

  it.each([
    ['openapi create payments --url https://example.com --text x', '--url and --text'],
    ['openapi create payments --source {"text":"x"} --text y', '--source and --text'],
    ['spaces move Guide --before API --before-collection Product', '--before and --before-collection'],
    ['spaces move Guide --position first --before API', '--position and --before'],
    [
      'sites redirects create /a --site Docs --space Guide --path b --url https://example.com',
      '--url and --space',
    ],
  ])('is refused with another option for the same field: %s', async (line, options) => {
    const { exit, stderr } = await desk.run(line.split(' '));
    expect([exit, stderr]).toEqual([
      64,
      `error: ${options} cannot be used together.\nhint: Use only one of them.\n`,
    ]);
  });
});

describe('a file of --body', () => {
  const see = (words: string) =>
    `hint: To see the fields of the body, run \`docsctl ${words} --skeleton\`.\n`;
  it.each([
    ['spaces create', '[1]', 'Standard input holds a list, but the body must be an object.'],
    ['spaces create', '{"nope": 1}', '--body: nope is not a known field.'],
    ['spaces create', '{"editMode": "off"}', '--body: editMode "off" is not one of: live, locked.'],
    ['spaces comments create Guide', '{}', '--body: body is required.'],
    ['change-requests content update 1 --space Guide', '{}', '--changes is required.'],
  ])('%s with %s suggests --skeleton', async (words, input, message) => {
    const command = words.replace(/ (?:Guide|1 --space Guide)$/, '');
    const { exit, stderr } = await desk.run([...words.split(' '), '--body', '-'], { input });
    expect([exit, stderr]).toEqual([8, expect.stringContaining(message)]);
    expect(stderr).toContain(see(command));
  });

  it('is not suggested for a missing option: the hint shows an example', async () => {
    const { stderr } = await desk.run(['change-requests', 'reviewers', 'request', '1', '--space', 'Guide']);
    expect(stderr).toContain(
      'hint: For example: `docsctl change-requests reviewers request 7 --space Guide --users ben@example.com`. To see',
    );
  });

  it('is checked against the fields of the API in docsctl api', async () => {
    const run = (words: string, input: string) =>
      desk.run(['api', ...words.split(' '), '--body', '-'], { input });
    const id = JSON.parse((await desk.run(['spaces', 'get', 'Guide', '-o', 'json'])).stdout).id as string;
    expect((await run(`PATCH /spaces/${id}`, '{"nope": 1}')).stderr).toContain(
      'hint: To see the fields, run `docsctl explain spaces update`.',
    );
    expect((await desk.run(['api', 'GET', '/orgs?limit=x'])).stderr).toContain(
      'hint: To see the fields, run `docsctl orgs list --help`.',
    );
    expect((await run(`GET /spaces/${id}`, '{"nope": 1}')).stderr).toContain(
      'error: A GET request has no body, so it takes neither --body nor --set.',
    );
    expect((await run(`DELETE /spaces/${id} --yes`, '{"nope": 1}')).stderr).toContain(
      'hint: Send the request without a body.',
    );
  });
});

it.each([
  [['spaces', 'move', 'Guide', '--parent', ''], '--parent'],
  [['spaces', 'get', ''], 'SPACE'],
  [['spaces', 'export', 'Guide', 'x', '--revision', ''], '--revision'],
  [['openapi', 'publish', 'x.yaml', '--slug', ''], '--slug'],
])('%j reports an empty value', async (words, name) => {
  const { exit, stderr } = await desk.run(words);
  expect([exit, stderr]).toEqual([
    64,
    `error: ${name} is empty.\nhint: Give a value. If it comes from a variable, check that the variable is set.\n`,
  ]);
});

it('a file after @ that does not exist is reported with the option', async () => {
  const { exit, stderr } = await desk.run(['spaces', 'create', '--title', '@absent']);
  expect([exit, stderr]).toEqual([
    8,
    'error: --title reads a file: absent does not exist.\nhint: Check the path after the @.\n',
  ]);
});

it('an empty value in a command with several requests is reported with its option', async () => {
  const { stderr } = await desk.run(['pages', 'create', 'Guide', 'Home', '--type', 'link', '--href', '']);
  expect(stderr).toContain('error: --href must not be empty.');
});
