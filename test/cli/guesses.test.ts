import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideServer, openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

it('teams add does not create teams from emails, and suggests teams members add', async () => {
  await desk.done(['teams', 'create', 'Writers']);
  const { exit, stderr } = await desk.run(['teams', 'add', 'Writers', 'ben@acme.test']);
  expect([exit, stderr]).toEqual([
    64,
    expect.stringContaining('`docsctl teams members add ben@acme.test --team Writers`'),
  ]);
  await desk.done(['members', 'invite', 'ben@acme.test', '--role', 'edit']);
  await desk.done(['teams', 'members', 'add', 'ben@acme.test', '--team', 'Writers']);
  expect((await desk.done(['teams', 'list', '-o', 'id'])).stdout.trim().split('\n')).toHaveLength(1);
});

it('members invite prints email and role of invited people, and suggests how they can sign in', async () => {
  const { stdout, stderr } = await desk.done(['members', 'invite', 'ben@acme.test', 'eva@acme.test']);
  expect(stdout).toMatch(/ben@acme\.test\tguest\tusr_\w+\neva@acme\.test\tguest/);
  expect(stderr).toContain('No email is sent.');
  const [, create = ''] = /`docsctl (tokens create [^`]+)`/.exec(stderr) ?? [];
  const [, update = ''] = /`docsctl (members update [^`]+)`/.exec(stderr) ?? [];
  await desk.done(create.split(' '));
  await desk.done(update.split(' '));
  expect((await desk.done(['members', 'invite', 'ben@acme.test'])).stderr).toContain('Nobody was added');
});

it.each([
  ['spaces list -o', 'hint: To see the arguments and options, run `docsctl help options`.'],
  ['tokens create --role', 'hint: To see the arguments and options, run `docsctl tokens create --help`.'],
  [
    'spaces permissions remove-user Guide ben@acme.test',
    'hint: Give it with --space, for example `docsctl spaces permissions remove-user cara@example.com --space',
  ],
])('%s explains where the missing value goes', async (line, hint) => {
  const { exit, stderr } = await desk.run(line.split(' '));
  expect([exit, stderr]).toEqual([64, expect.stringContaining(hint)]);
});

it('spaces create notes that a space without a title is called "Untitled"', async () => {
  const { stderr } = await desk.done(['spaces', 'create']);
  const [, update = ''] = /The title is "Untitled".*`docsctl (.+) TITLE`/.exec(stderr) ?? [];
  await desk.done([...update.split(' '), 'Foo']);
  expect((await desk.done(['spaces', 'create', '--title', 'Bar'])).stderr).not.toContain('Untitled');
});

it('an error about a missing store suggests login --server', async () => {
  const { stderr } = await desk.run(['spaces', 'list'], { env: { DOCSCTL_STORE: 'sqlite:none.db' } });
  expect(stderr).toContain('`docsctl login --server URL`');
});

it('login lists several organizations, and suggests how to choose one', async () => {
  const server = await openGuideServer();
  try {
    const login = ['login', '--server', server.options.env?.['DOCSCTL_SERVER'] ?? ''];
    expect((await server.done(login)).stderr).not.toContain('organizations');
    const { email } = JSON.parse((await server.done(['whoami', '-o', 'json'])).stdout).user;
    await server.done(['orgs', 'create', '--title', 'Beta', '--email', email]);
    const { stderr } = await server.done(login);
    expect(stderr).toMatch(
      /^You are a member of 2 organizations: .*Beta.*`docsctl config set org NAME`, or add --org/m,
    );
    expect((await server.done([...login, '--org', 'Beta'])).stderr).not.toContain('2 organizations');
    await server.done(['config', 'set', 'org', 'Beta']);
    expect((await server.done(login)).stderr).not.toContain('2 organizations');
  } finally {
    await server.discard();
  }
});

it('plan -f repeats the manifest in the commands that it suggests', async () => {
  mkdirSync(desk.at('acme', 'docs'), { recursive: true });
  const write = (key: string, more = ''): void =>
    writeFileSync(
      desk.at('acme', 'docsctl.yaml'),
      `version: 1\ncollections:\n  ${key}:\n    title: ${key}\n${more}`,
    );
  write('old');
  await desk.done(['apply', '-f', 'acme', '--yes']);
  write('fresh');
  const { stdout } = await desk.done(['plan', '-f', 'acme']);
  const commands = [...stdout.matchAll(/`docsctl ([^`]+)`/g)].map(([, words = '']) => words);
  expect(commands).toEqual([
    'forget collection.old -f acme',
    expect.stringMatching(/^adopt collection\.fresh \w+ -f acme$/),
  ]);
  for (const words of commands) await desk.done([...words.split(' '), '--yes']);
});

it('apply, drift, rehearse and runs repeat the manifest, variables and store in suggested commands', async () => {
  mkdirSync(desk.at('acme'), { recursive: true });
  const store = desk.options.env?.['DOCSCTL_STORE'] ?? '';
  const write = (key: string): void =>
    writeFileSync(
      desk.at('acme', 'docsctl.yaml'),
      `version: 1\nvars:\n  end: {}\ncollections:\n  ${key}: { title: "${key} \${var.end}" }\nspaces:\n  guide: { title: Guide, content: { dir: docs } }\n`,
    );
  mkdirSync(desk.at('acme', 'docs'));
  writeFileSync(desk.at('acme', 'docs', 'README.md'), '# Start\n');
  const source = ['-f', 'acme', '--var', 'end=of it'];
  const tail = "-f acme --var 'end=of it'";
  const suggested = (text: string) => [...text.matchAll(/`docsctl ([^`]+)`/g)].map(([, words = '']) => words);
  write('old');
  await desk.done(['apply', ...source, '--yes']);
  const drift = await desk.done(['drift', ...source, '--store', store]);
  expect(suggested(drift.stdout)).toEqual([`plan ${tail} --store ${store}`]);
  write('fresh');
  for (const words of [['apply', '--prune', '--max-deletes', '0', '--yes'], ['rehearse']]) {
    const { stdout, stderr } = await desk.run([...words, ...source, '--org', 'Acme']);
    const [forget, adopt, look] = suggested(stdout + stderr);
    expect(forget).toBe('forget collection.old -f acme --org Acme');
    expect(adopt).toMatch(new RegExp(`^adopt collection\\.fresh \\w+ ${tail} --org Acme$`));
    if (words[0] === 'apply') expect(look).toBe(`plan --prune --max-deletes 1 ${tail} --org Acme`);
  }
  const { stderr } = await desk.run(['runs', 'show', 'run_none', '-f', 'acme']);
  expect(suggested(stderr)).toEqual(['runs list -f acme']);
  await desk.done(['runs', 'list', '-f', 'acme']);
});

it('plan suggests validate with the paths of content folders', async () => {
  mkdirSync(desk.at('acme', 'docs'), { recursive: true });
  writeFileSync(desk.at('acme', 'docs', 'README.md'), '# Start\n\n[gone](gone.md) ![x](gone.png)\n');
  writeFileSync(
    desk.at('acme', 'docsctl.yaml'),
    'version: 1\nspaces:\n  docs:\n    title: Docs\n    content: { dir: docs }\n',
  );
  writeFileSync(
    desk.at('acme', 'docs', 'SUMMARY.md'),
    '# Table\n\n* [Start](README.md)\n* [Gone](gone.md)\n',
  );
  await desk.done(['apply', '-f', 'acme', '--yes']);
  writeFileSync(
    desk.at('acme', 'docs', 'SUMMARY.md'),
    '# Table\n\n* [Start](README.md)\n* [Gone](gone.md)\n* [Lost](lost.md)\n',
  );
  const { stderr } = await desk.done(['plan', '-f', 'acme']);
  expect(stderr).toContain('`docsctl validate acme/docs`');
  expect((await desk.run(['validate', 'acme/docs'])).stderr).not.toContain('There is no');
});

it('whoami and export report that the token has a lower role than its user', async () => {
  const server = await openGuideServer();
  try {
    const created = await server.done([
      'tokens',
      'create',
      '--role',
      'edit',
      '-o',
      'tsv',
      '--columns',
      'token',
      '--no-headers',
    ]);
    const env = { DOCSCTL_TOKEN: created.stdout.trim() };
    const { stdout, stderr: note } = await server.done(['whoami'], { env });
    expect(note).toContain('this token has the role edit');
    expect(stdout).toMatch(
      /^server\thttp:.*\ntoken role\tedit\ntoken expires\tnever\ntoken from\tDOCSCTL_TOKEN$/m,
    );
    const { exit, stderr } = await server.run(['export', '-d', 'out'], { env });
    expect([exit, stderr]).toEqual([11, expect.stringMatching(/cannot be read[^]*--kinds/)]);
  } finally {
    await server.discard();
  }
});

it('pages get works like pages show, and asks for a page if only one argument is given', async () => {
  const { exit, stderr } = await desk.run(['pages', 'get', 'Install']);
  expect([exit, stderr]).toEqual([
    64,
    expect.stringMatching(/^error: No page is given\.\nhint: Give the space and/),
  ]);
  await desk.publish({ operation: 'insert_page', title: 'Install', document: { markdown: 'Run it.' } });
  const env = { DOCSCTL_SPACE: 'Guide' };
  for (const words of [
    ['Guide', 'install'],
    ['install', '--space', 'Guide'],
  ])
    expect((await desk.done(['pages', 'get', ...words])).stdout).toContain('Run it.');
  expect((await desk.done(['pages', 'get', 'install'], { env })).stdout).toContain('Run it.');
});

it('an unknown option that is an argument is explained, or a command that has the option is suggested', async () => {
  const hintFor = async (words: string): Promise<unknown> => {
    const { exit, stderr } = await desk.run(words.split(' '));
    return [exit, /^hint: (.*)$/m.exec(stderr)?.[1]];
  };
  expect(await hintFor('spaces import --space Guide docs')).toEqual([
    64,
    'Give it without the option: `docsctl spaces import <space> <source>`',
  ]);
  expect(await hintFor('members invite --email ben@acme.test')).toEqual([
    64,
    'Give it without the option: `docsctl members invite <emails>`',
  ]);
  expect(await hintFor('cr merge --number 999 --space Guide')).toEqual([
    64,
    'Give it without the option: `docsctl change-requests merge <change-request>`',
  ]);
  expect(await hintFor('spaces get --id spc_1')).toEqual([
    64,
    'Give it without the option: `docsctl spaces get <space>`',
  ]);
  for (const option of ['-d', '--dir', '--out'])
    expect(await hintFor(`spaces export Guide ${option} docs`)).toEqual([
      64,
      'Give it without the option: `docsctl spaces export <space> <folder>`',
    ]);
  expect(await hintFor('spaces list --space=Guide')).toEqual([
    64,
    'To see the arguments and options, run `docsctl spaces list --help`.',
  ]);
  expect(await hintFor('integrations installations add-space Guide --configuration {}')).toEqual([
    64,
    '`docsctl integrations installations add-space` has no --configuration, but `docsctl integrations installations update-space --configuration` exists.',
  ]);
  expect(await hintFor('sites create --title Docs --space Guide')).toEqual([64, 'Did you mean --spaces?']);
  expect(await hintFor('members invite --shape square')).toEqual([64, 'To see the arguments and options, run `docsctl members invite --help`.']); // prettier-ignore
});

it('a time can be a date or a period, and periods of expiry times are in the future', async () => {
  const expiry = async (text: string): Promise<number> => {
    const { stdout } = await desk.done([
      'tokens',
      'create',
      '--role',
      'read',
      '--expires-at',
      text,
      '-o',
      'json',
    ]);
    return Date.parse(JSON.parse(stdout).expiresAt);
  };
  expect((await expiry('8d')) - (await expiry('1d'))).toBeGreaterThan(6 * 24 * 3_600_000);
  expect(await expiry('2040-12-31')).toBe(Date.parse('2040-12-31T00:00:00Z'));
  const list = async (from: string) =>
    (await desk.done(['audit', 'list', '--from', from, '-o', 'id'])).stdout;
  expect([await list('1h'), await list('2040-01-01')]).toEqual([expect.stringMatching(/./), '']);
});

it.each([
  ['undo -f spaces', 'Did you mean `docsctl revisions restore` or `docsctl runs undo`?'],
  ['list --all spaces', 'To see the commands, run `docsctl --help`.'],
  [
    'comments list',
    'Did you mean `docsctl change-requests comments list` or `docsctl spaces comments list`?',
  ],
  ['list spaces', 'The noun comes first: `docsctl spaces list`.'],
  ['--org Acme list spaces', 'The noun comes first: `docsctl spaces list --org Acme`.'],
  ['openapi diff pets next.yaml', 'Did you mean `docsctl openapi diff pets --to next.yaml`?'],
  ['openapi diff pets 1 2', 'Did you mean `docsctl openapi diff pets --from 1 --to 2`?'],
  ['openapi diff pets 1 2 3', 'To see the arguments and options, run `docsctl openapi diff --help`.'],
  ['audit export x', 'Did you mean `docsctl audit export --out x`?'],
  ['audit list x', 'To see the arguments and options, run `docsctl audit list --help`.'],
  ['audit list 30d', 'To see the arguments and options, run `docsctl audit list --help`.'],
  ['audit list 30d 7d', 'Did you mean `docsctl audit list --from 30d --to 7d`?'],
  ['store migrate sqlite:new.db', 'Did you mean `docsctl store migrate --to sqlite:new.db --from STORE`?'],
  ['store restore b.gz --force', 'Use `--replace`: delete what the store contains now.'],
  ['spaces transfer Guide --to-org Nope', 'Use `--organization <organization>`:'],
  [
    'custom-hostnames verify docs.acme.test --wait',
    'To see the arguments and options, run `docsctl custom-hostnames verify --help`.',
  ],
  ['tokens create ci', 'Did you mean `docsctl tokens create --name ci --role ROLE`?'],
  [
    'tokens create ci --expires-at 2040-01-31T12:00:00Z --role read',
    'Did you mean `docsctl tokens create --name ci --expires-at 2040-01-31T12:00:00Z --role read`?',
  ],
  ['tokens create --title CI', 'Use `--name <text>`: name of the token'],
  ['spaces create --name CI', 'Use `--title <text>`: title of the space'],
  [
    'login --token x',
    'A token on the command line is visible to other users of the machine. Use `--token-file <file>`:',
  ],
  ['pages move Guide x --to y', 'Use `--under <page>`: put the pages below this page'],
  [
    'sites section-groups update A --site Docs --parent B',
    'Use `--parent-section-group <section-group>`: other group that will hold this group',
  ],
  ['pages move Guide x --parent y', 'Use `--under <page>`: put the pages below this page'],
  [
    'collections update Product --parent x',
    '`docsctl collections update` has no --parent, but `docsctl collections move --parent` exists.',
  ],
  ['spaces move Guide --collection x', 'Use `--parent <collection>`: collection to move into'],
  ['open Guide --print', 'Use `--no-browser`: print a link'],
  ['export -f DIR', 'Use `-d <folder>`: folder to write'],
  ['sites sections add Guide --site Docs --section-group More', 'Did you mean --group?'],
  ['cr list --reviewer ana', 'Did you mean --requested-reviewer?'],
  ['cr reviews submit 2 --space Guide --status approved --text Fine', 'Use `--comment <markdown>`:'],
  ['spaces permissions set Guide --members ana --role read', 'Use `--users <member...>`:'],
  ['cr list --author ana', 'Use `--creator <member>`:'],
  [
    'spaces list --collection Product',
    'To list the spaces of a collection, use `docsctl collections spaces COLLECTION`.',
  ],
  ['search install --space Guide', 'To search one space, use `docsctl spaces search SPACE QUERY`.'],
  ['openapi download billing --to x.yaml', 'Use `-O <file>`:'],
  ['sites publishing-auth update Docs --login-url https://x.test', 'Use `--fallback-url <url>`:'],
  ['login http://127.0.0.1:8080', 'Did you mean `docsctl login --server http://127.0.0.1:8080`?'],
  ['login docs.acme.test', 'Did you mean `docsctl login --server https://docs.acme.test`?'],
  ['auth login', 'Did you mean `docsctl login` or `docsctl whoami`?'],
  ['spaces delete Guide --force', 'Use `-y`: do not ask for confirmation.'],
  ['spaces list -q', 'Use `--quiet`: print no notes, warnings or progress; errors are still printed.'],
  ['spaces list --verbose', 'Use `--trace`: print each request with its status,'],
  ['cr list --mine', 'To see the arguments and options, run `docsctl change-requests list --help`.'],
  ['spaces list --sort title', 'Use `--sort-by <column>`: sort the whole list'],
  ['custom-hostnames create docs.acme.test', 'Did you mean `docsctl custom-hostnames set`?'],
  ['custom-hostnames add docs.acme.test', 'Did you mean `docsctl custom-hostnames set`?'],
])('%s gets a hint that works', async (line, hint) => {
  const { exit, stderr } = await desk.run(line.split(' '));
  expect([exit, stderr]).toEqual([64, expect.stringContaining(`\nhint: ${hint}`)]);
});

it('members invite accepts several addresses separated by commas', async () => {
  const { stdout } = await desk.done(['members', 'invite', 'ben@acme.test,eva@acme.test', 'eve@acme.test']);
  expect(stdout.match(/\w+@acme\.test/g)).toEqual(['ben@acme.test', 'eva@acme.test', 'eve@acme.test']);
});

it('the suggestion for an unknown member compares the part before the @', async () => {
  await desk.done(['members', 'invite', 'dan@acme.test']);
  const hintOf = async (email: string) =>
    (await desk.run(['members', 'delete', email, '--yes'])).stderr.split('\n')[1];
  expect(await hintOf('nobody@acme.test')).toBe('hint: To see the members, run `docsctl members list`.');
  expect(await hintOf('dann@acme.tset')).toBe('hint: Did you mean "dan@acme.test"?');
});

it.each([
  ['spaces update Guide', 'Nothing to change: give at least one of --title, --emoji,'],
  ['spaces update Guide --dry-run', 'Nothing to change: give at least one of --title, --emoji,'],
  ['orgs update', 'Nothing to change: give at least one of --title,'],
  [
    'spaces move Guide',
    'Nothing to move: give at least one of --parent, --before, --before-collection, --after, --after-collection.',
  ],
])('%s is refused because it changes nothing', async (line, message) => {
  const events = async () =>
    JSON.parse((await desk.done(['audit', 'list', '-o', 'json'])).stdout).items.length;
  const before = await events();
  const { exit, stderr } = await desk.run(line.split(' '));
  expect([exit, stderr]).toEqual([64, expect.stringContaining(`error: ${message}`)]);
  expect(stderr).toContain('\nhint: For example: `docsctl ');
  expect(await events()).toBe(before);
});

it('spaces update and move accept an empty body and a removed field', async () => {
  await desk.done(['spaces', 'update', 'Guide', '--body', '-'], { input: '{}' });
  await desk.done(['spaces', 'move', 'Guide', '--unset', 'parent']);
  await desk.done(['spaces', 'update', 'Guide', '--set', 'title=Guide']);
});

it('a change whose result has no ID is refused with -o id before it is sent', async () => {
  const { stdout: site } = await desk.done(['sites', 'create', '--title', 'Docs', '-o', 'id']);
  const change = ['sites', 'customization', 'update', site.trim(), '--title', 'Other'];
  expect(await desk.run([...change, '-o', 'id'])).toMatchObject({
    exit: 64,
    stdout: '',
    stderr: expect.stringContaining('The result has no id to print.'),
  });
  const title = ['sites', 'customization', 'get', site.trim(), '--query', 'title', '-o', 'json'];
  expect((await desk.done(title)).stdout).not.toContain('Other');
  for (const words of [
    ['jobs', 'run'],
    ['conversations', 'ingest', 'none.ndjson'],
  ])
    expect((await desk.run([...words, '-o', 'id'])).stderr).toContain('The result has no id to print.');
});

it('members invite prints the IDs of invited people with -o id', async () => {
  const invited = await desk.done(['members', 'invite', 'ben@acme.test', 'eva@acme.test', '-o', 'id']);
  expect(invited.stdout).toMatch(/^usr_\w+\nusr_\w+\n$/);
});

it('pages rename suggests quotes for a title of several words', async () => {
  const { exit, stderr } = await desk.run('pages rename Guide start First steps --merge'.split(' '));
  expect([exit, stderr]).toEqual([
    64,
    expect.stringContaining("hint: Did you mean `docsctl pages rename Guide start 'First steps' --merge`?\n"),
  ]);
});

it.each([
  ['spaces create Acme', 'the role, or use --as with a member who has it.'],
  ['apply -f shelf.yaml --yes', 'the role, or use --as with a member who has it.'],
  ['export -d out', 'Use --as with a member who has a higher role, or export less:'],
])('an error about a missing role suggests --as on an embedded store: %s', async (line, hint) => {
  await desk.done(['members', 'invite', 'ben@acme.test', '--role', 'read']);
  writeFileSync(desk.at('shelf.yaml'), 'version: 1\nspaces:\n  shelf: { title: Shelf }\n');
  const { exit, stderr } = await desk.run([...line.split(' '), '--as', 'ben@acme.test']);
  expect([exit, stderr]).toEqual([line.startsWith('apply') ? 3 : 11, expect.stringContaining(hint)]);
});

it.each([
  ['tokens create --role read --user zoe@acme.test', 'members list'],
  ['integrations events get evt_1 --integration slak', 'integrations list'],
  ['translations glossary update --delete gls_1', 'translations glossary list'],
])(
  'an error suggests the list of the resource that does not exist, even in an option: %s',
  async (line, list) => {
    const { exit, stderr } = await desk.run(line.split(' '));
    expect([exit, stderr]).toEqual([5, expect.stringContaining(`run \`docsctl ${list}\`.`)]);
  },
);

it.each([
  ['whoami x', '`docsctl whoami` takes no arguments, but "x" was given.'],
  [
    'translations glossary set x',
    '`docsctl translations glossary update` takes no arguments, but "x" was given.',
  ],
  ['pages edit Guide a b c', '`docsctl pages edit` takes only <space> and <page>, but "b" was given too.'],
  [
    'openapi diff pets next.yaml',
    '`docsctl openapi diff` takes only <spec-slug>, but "next.yaml" was given too.',
  ],
])('an error lists the arguments that %j accepts', async (line, message) => {
  const { exit, stderr } = await desk.run(line.split(' '));
  expect([exit, stderr]).toEqual([64, expect.stringContaining(`error: ${message}\n`)]);
});

it.each([
  ['runs undo extra words', 'To see the arguments and options, run `docsctl runs undo --help`.'],
  [
    'apply -f docsctl.yaml plan.json more.yaml',
    'To see the arguments and options, run `docsctl apply --help`.',
  ],
  ['runs undo run_1 acme/docsctl.yaml', 'Did you mean `docsctl runs undo run_1 -f acme/docsctl.yaml`?'],
  ['export backup', 'Did you mean `docsctl export --dir backup`?'],
  ['sites build Help public', 'Did you mean `docsctl sites build Help --folder public`?'],
  ['sites build Help public more', 'To see the arguments and options, run `docsctl sites build --help`.'],
])(
  'an extra argument is suggested as a file if it looks like one, or as a folder that is required: %s',
  async (line, hint) => {
    expect((await desk.run(line.split(' '))).stderr).toContain(`hint: ${hint}`);
  },
);

it('a missing argument with alternatives is named as in the help', async () => {
  expect((await desk.run(['openapi', 'publish'])).stderr).toMatch(
    /^error: The argument "file\|url" is required\./,
  );
});

it('invites get suggests the list for an invite link that does not exist', async () => {
  const { exit, stderr } = await desk.run(['invites', 'get', 'inv_1']);
  expect([exit, stderr]).toEqual([
    5,
    'error: There is no invite link "inv_1" that you can see.\nhint: To see the invite links, run `docsctl invites list`.\n',
  ]);
});

it('several changes that all fail exit with the code of their error', async () => {
  const { exit, stderr } = await desk.run(['integrations', 'disable-dev', 'one', 'two']);
  expect([exit, stderr]).toEqual([5, expect.stringContaining('error: 0 done, 2 failed.')]);
});

it('change-requests merge prints a hint for each failed change request, and the conflicts', async () => {
  const create = ['change-requests', 'create', '--space', 'Guide', '--subject', 'Edit'];
  await desk.done(['pages', 'create', 'Guide', 'Start', '--text', 'One', '--merge']);
  await desk.done(create);
  await desk.done(['pages', 'edit', 'Guide', 'start', '--text', 'Two', '--change-request', '2']);
  await desk.done(['pages', 'edit', 'Guide', 'start', '--text', 'Three', '--merge']);
  const merge = ['change-requests', 'merge', '--space', 'Guide'];
  const same = await desk.run([...merge, '2', '1']);
  expect([same.exit, same.stderr]).toEqual([
    6,
    expect.stringMatching(
      /error: 2: .* conflicts .*\n  \/start:\d+: ours: "Two"; theirs: "Three"\nerror: 1: .*\n.*\nhint: 2: Ours .*\n  1: Create a new change request\.\n$/,
    ),
  ]);
  expect((await desk.run([...merge, '2', '99'])).exit).toBe(3);
});

it.each(['csv', 'tsv', 'json', 'table'])('several reads that all fail print no empty %s', async (format) => {
  const ids = ['1', '2'].map((end) => `spc_${end.padStart(26, '0')}`);
  const { exit, stdout, stderr } = await desk.run(['spaces', 'get', ...ids, '-o', format]);
  expect([exit, stdout, stderr]).toEqual([5, '', expect.stringContaining('0 done, 2 failed.')]);
});

it.each([
  ['--retries 0 spaces list', 'Unknown option "--retries".', ''],
  ['logout --name ci', 'Unknown option "--name".', 'Use `--profile <profile>`.'],
  ['spaces git-sync Guide --direction up', '--direction "up" is not one of: import, export, both.', ''],
  ['translations create --language fr', '--space is required.', 'Add --space SPACE'],
  ['spaces git disconnect Guide --yes', 'The space "Guide" is not synchronized with a git repository.', ''],
])('%s prints a clear error and hint', async (line, message, hint) => {
  const { stderr } = await desk.run(line.split(' '));
  expect(stderr).toContain(`error: ${message}\n`);
  if (hint !== '') expect(stderr).toContain(`hint: ${hint}`);
  expect(stderr).not.toContain('git-sync Guide');
});

it.each([
  [
    'spaces permissions update-user ben Guide comment',
    'hint: Did you mean `docsctl spaces permissions update-user ben --space Guide --role comment`?',
  ],
  ['spaces permissions update-user ben Guide', 'hint: For example: '],
])('an error names the options for the extra arguments: %s', async (line, hint) => {
  const { exit, stderr } = await desk.run(line.split(' '));
  expect([exit, stderr]).toEqual([64, expect.stringContaining(hint)]);
});

it('pages create leaves no change request in a locked space', async () => {
  const { stdout: id } = await desk.done(['spaces', 'create', '--title', 'Locked', '-o', 'id']);
  await desk.done(['spaces', 'update', id.trim(), '--edit-mode', 'locked']);
  const { exit, stderr } = await desk.run(['pages', 'create', id.trim(), 'Two', '--merge']);
  expect([exit, stderr]).toEqual([
    6,
    expect.stringContaining('The space "Locked" is locked and cannot be edited.'),
  ]);
  const requests = await desk.done([
    'change-requests',
    'list',
    id.trim(),
    '--status',
    'archived',
    '-o',
    'json',
  ]);
  expect(JSON.parse(requests.stdout).items).toEqual([]);
});
