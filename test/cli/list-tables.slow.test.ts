import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { helpOf } from '../../src/cli/composite-command.ts';
import { paramFlag } from '../../src/cli/input/flags.ts';
import { wordsOf } from '../../src/cli/command-words.ts';
import { parseColumns } from '../../src/cli/output/columns.ts';
import { headingsOf, withHeadings } from '../../src/cli/output/headings.ts';
import { displayWidth } from '../../src/cli/output/width.ts';
import { columnsOf } from '../../src/cli/results/table-views.ts';
import { fieldPaths } from '../../src/contract/paths.ts';
import { createExampleWorld, type ExampleWorld } from '../support/example-world.ts';
import { allCommands } from '../support/whole-program.ts';

/** A value for each path parameter, in the organization of the examples. */
const values: Readonly<Record<string, string>> = {
  spaceId: 'Guide',
  changeRequestId: '7',
  commentId: 'com_1',
  fileId: 'logo.png',
  revisionId: 'rev_6',
  collectionId: 'Library',
  specSlug: 'billing',
  siteId: 'Docs',
  userId: 'ben@example.com',
  teamId: 'Writers',
  integrationName: 'slack',
  installationId: 'ins_1',
};
/** Lists that need other arguments. */
const exceptions: Readonly<Record<string, string>> = {
  'pages list': 'pages list Guide',
  search: 'search Quick',
  'orgs broken-links': 'orgs broken-links --without spc_1',
  'collections permissions users': 'collections permissions users --collection Product',
  'collections permissions teams': 'collections permissions teams --collection Product',
  'spaces permissions list': 'spaces permissions list Guide',
  'collections permissions list': 'collections permissions list Product',
  'sites permissions list': 'sites permissions list Docs',
  // The site Docs requires a share link, so it cannot be built as files.
  'sites paths list': 'sites paths list Help',
  'spaces search': 'spaces search Guide Quick',
  'spaces pages links': 'spaces pages links quickstart --space Guide',
  'spaces pages backlinks': 'spaces pages backlinks quickstart --space Guide',
  'change-requests pages links': 'change-requests pages links README --space Guide --change-request 7',
  'change-requests pages backlinks':
    'change-requests pages backlinks quickstart --space Guide --change-request 7',
  'change-requests comments replies list':
    'change-requests comments replies list com_2 --space Guide --change-request 7',
};

/** Lists that are empty in the organization of the examples. */
const emptyLists: ReadonlySet<string> = new Set([
  'docsctl jobs list',
  'docsctl runs list',
  'docsctl spaces git runs --space Guide',
  'docsctl orgs broken-links --without spc_1',
]);

const commands = await allCommands();
const lines = commands
  .filter(
    (command) => helpOf(command).operation?.returns.item !== undefined || wordsOf(command).endsWith(' list'),
  )
  .map((command) => {
    const words = wordsOf(command);
    const params = helpOf(command).operation?.paramNames ?? [];
    const flags = params
      .filter((param) => values[param] !== undefined)
      .map((param) => ` --${paramFlag(param)} ${values[param]}`);
    return `docsctl ${exceptions[words] ?? words + flags.join('')}`;
  });

const wholeId = /^[a-z]{2,8}_[0-9A-Z]{26}(?:_\d+)?$/;
/** Headings of columns that contain names. */
const nameHeadings =
  /^(?:title|name|email|subject|label|space|site|team|slug|path|parent|section|posted by|ref)$/;
/** Headings of columns whose values are useless if they are shortened. */
const wholeHeadings = /^(?:start URL|pulse)$/;
/** Whether a heading is a name of the API, such as `actor.label` or `createdAt`, but not `URLs`. */
const isApiName = (heading: string) => /[._]|[a-z][A-Z]/.test(heading.replaceAll(/\b[A-Z]{2,}s\b/g, ''));

/** Returns the headings and cells of a drawn table. A column ends at a gap of the rule below the headings. */
function readTable(text: string): { readonly headings: string[]; readonly rows: string[][] } {
  const [head = '', rule = '', ...rest] = text.trimEnd().split('\n');
  const columns = [...rule.matchAll(/─+/g)].map(({ index, 0: dashes }) => [index, index + dashes.length]);
  const cellsOf = (line: string) => columns.map(([start, end]) => line.slice(start, end).trim());
  return { headings: cellsOf(head), rows: rest.map(cellsOf) };
}

describe('every list in a table on a terminal', () => {
  let world: ExampleWorld;
  beforeAll(async () => {
    world = await createExampleWorld();
  }, 60_000);
  afterAll(() => world.discard());

  it.each(lines)('fits the width and shows no API names or shortened names: %s', async (line) => {
    const firsts = new Set<string>();
    for (const columns of [60, 80, 120, 200]) {
      const { exit, stdout, stderr } = await world.read(line, { tty: true, columns });
      expect(`${exit} ${stderr}`).toMatch(/^0 /);
      for (const row of stdout.split('\n')) expect(displayWidth(row)).toBeLessThanOrEqual(columns);
      const { headings, rows } = readTable(stdout);
      expect(headings.filter(isApiName)).toEqual([]);
      firsts.add(headings[0] ?? '');
      // A list without rows would not test anything.
      if (!emptyLists.has(line)) expect(rows).not.toEqual([]);
      const cutIn = (kind: RegExp) =>
        rows.flatMap((cells) =>
          cells.filter((cell, index) => cell.endsWith('…') && kind.test(headings[index] ?? '')),
        );
      const [cutNames, cutWhole] = [cutIn(nameHeadings), cutIn(wholeHeadings)];
      const wholeIds = rows.flat().filter((cell) => wholeId.test(cell));
      expect({ columns, wholeIds }).toEqual({ columns, wholeIds: [] });
      // All names of the samples fit into a terminal of 80 columns.
      if (columns >= 80)
        expect({ columns, cutNames, cutWhole }).toEqual({ columns, cutNames: [], cutWhole: [] });
    }
    // The first column says what a row is, so it is never hidden.
    expect(firsts.size).toBe(1);
  });

  it('shows names whole and addresses cut if both do not fit', async () => {
    const line = 'docsctl sites share-links list --site Docs';
    const { stdout } = await world.read(line, { tty: true, columns: 80 });
    expect(stdout).toMatch(/^Partners .*http:\S+… +…\w{6}$/m);
    expect((await world.read(line, { tty: true, columns: 120 })).stdout).toMatch(/^Partners .*http:\S+\/ /m);
  });

  it('shows the titles of referenced resources instead of their IDs', async () => {
    const { stdout } = await world.read('docsctl spaces list', { tty: true });
    expect(stdout).toMatch(/^Changelog +private .*Library +…\w{6}$/m);
    expect((await world.read('docsctl spaces list')).stdout).toMatch(
      /^Changelog\t.*\tcol_\w{26}\tspc_\w{26}$/m,
    );
    const wide = await world.read('docsctl spaces list --wide', { tty: true, columns: 60 });
    expect(wide.stdout).toMatch(/^Changelog +private .*Z +col_\w{26} +spc_\w{26}$/m);
  });

  it('shows short IDs that commands accept', async () => {
    const { stdout } = await world.read('docsctl spaces comments list Guide', { tty: true });
    const [, short = ''] = /(…\w{6})$/m.exec(stdout) ?? [];
    // A short ID of digits only would be read as a number without its ellipsis.
    for (const typed of /[A-Z]/.test(short) ? [short, short.slice(1)] : [short])
      expect(await world.read(`docsctl spaces comments get ${typed} --space Guide`)).toMatchObject({
        exit: 0,
        stdout: expect.stringContaining('Who owns this space?'),
      });
    const spaces = (await world.read('docsctl spaces list', { tty: true })).stdout;
    const [, space = ''] = /^API .*(…\w{6})$/m.exec(spaces) ?? [];
    expect((await world.read(`docsctl spaces get ${space}`)).stdout).toContain('title\tAPI\n');
  });

  it('is sorted completely before --limit is applied', async () => {
    const { stdout, stderr } = await world.read(
      'docsctl spaces list --sort-by title --limit 2 --columns title --no-headers',
    );
    expect(stdout).toBe('API\nChangelog\n');
    expect(stderr).toBe('Showing 2 of 6. Add --all to show the rest.\n');
    expect(
      JSON.parse((await world.read('docsctl spaces list --sort-by title --limit 2 -o json')).stdout),
    ).toMatchObject({
      count: 6,
      items: [{ title: 'API' }, { title: 'Changelog' }],
    });
  });
});

it('no table of an operation has API names as its headings', () => {
  const operations = commands.flatMap((command) => helpOf(command).operation ?? []);
  expect(operations.length).toBeGreaterThan(300);
  const wrong = operations.flatMap(({ id, cli, returns }) => {
    const fields = fieldPaths(returns.item ?? returns.schema ?? {}).filter((path) => !path.endsWith('*'));
    const lists = [cli.columns ?? [], columnsOf(id)].filter((columns) => columns.length > 0);
    const ofRecord = withHeadings(fields.map((field) => [field, 1])).map(([heading]) => heading);
    return [...lists.flatMap((columns) => headingsOf(parseColumns(columns))), ...ofRecord]
      .filter(isApiName)
      .map((heading) => `${id}: ${heading}`);
  });
  expect([...new Set(wrong)]).toEqual([]);
});

describe('a single resource on a terminal', () => {
  let world: ExampleWorld;
  beforeAll(async () => {
    world = await createExampleWorld();
  }, 60_000);
  afterAll(() => world.discard());

  it.each([
    'spaces get Guide',
    'collections get Product',
    'sites get Docs',
    'sites customization get --site Docs',
    'members get ben@example.com',
    'teams get Writers',
    'openapi get billing',
    'change-requests get 7 --space Guide',
    'change-requests comments get com_2 --space Guide --change-request 7',
    'orgs get Acme',
    'audit retention',
    'whoami',
    'store info',
  ])('has no API names as its headings: docsctl %s', async (line) => {
    const { exit, stdout } = await world.read(`docsctl ${line}`, { tty: true, columns: 120 });
    expect(exit).toBe(0);
    const names = stdout
      .split('\n\n', 1)[0]!
      .split('\n')
      .flatMap((row) => /^(\S+(?: \S+)*)/.exec(row)?.[1] ?? []);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter(isApiName)).toEqual([]);
  });
});
