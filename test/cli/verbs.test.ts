import { expect, it } from 'vitest';
import { wordsOf } from '../../src/cli/command-words.ts';
import { wordsOfOthers } from '../../src/cli/suggestions.ts';
import { nounFor, verbFor } from '../../src/cli/verbs.ts';
import { docsctl } from '../support/cli.ts';
import { allCommands } from '../support/whole-program.ts';

const sites = ['list', 'unpublish', 'publish', 'create', 'delete', 'update'];
const integrations = ['list', 'get', 'unpublish', 'publish'];

it.each([
  ['rm', sites, 'delete'],
  ['new', sites, 'create'],
  ['rm', integrations, 'unpublish'],
  ['create', integrations, 'publish'],
  ['import', ['list', 'ingest'], 'ingest'],
  ['create', ['list', 'add'], 'add'],
  ['get', ['list', 'show'], 'show'],
  ['describe', ['list', 'get'], 'get'],
  ['unpublish', sites, undefined],
  ['sing', sites, undefined],
])('verbFor reads %j among %j as %j', (word, verbs, verb) => {
  expect(verbFor(word, verbs)).toBe(verb);
});

it('nounFor accepts the singular and synonyms of a noun', () => {
  const nouns = ['spaces', 'openapi', 'section-groups'];
  expect(['space', 'specs', 'groups', 'openapi', 'thing'].map((word) => nounFor(word, nouns))).toEqual([
    'spaces',
    'openapi',
    'section-groups',
    undefined,
    undefined,
  ]);
  const ofSites = ['site-spaces', 'sections'];
  expect(['space', 'spaces', 'site-space', 'section'].map((word) => nounFor(word, ofSites))).toEqual([
    'site-spaces',
    'site-spaces',
    'site-spaces',
    'sections',
  ]);
});

it.each([
  [['lint', 'docs'], '`docsctl validate`'],
  [['undo'], '`docsctl revisions restore` or `docsctl runs undo`?'],
  [['restore'], '`docsctl revisions restore`, `docsctl spaces restore` or `docsctl store restore`?'],
  [['import', 'spaces'], '`docsctl spaces import`'],
  [['describe', 'spaces'], '`docsctl spaces describe`'],
  [['state', 'rm', 'space.guide'], '`docsctl forget`'],
  [['logs'], '`docsctl history` or `docsctl audit list`?'],
  [['status'], '`docsctl doctor`'],
  [['custom-hostnames', 'check'], '`docsctl custom-hostnames verify`'],
  [['custom-hostnames', 'status'], '`docsctl custom-hostnames get`'],
  [['integrations', 'install', 'slack'], '`docsctl integrations installations create`'],
  [['integrations', 'uninstall', 'slack'], '`docsctl integrations installations delete`'],
  [['sites', 'help'], '`docsctl help sites`'],
  [['sites', 'help', 'sections'], '`docsctl help sites sections`'],
])('%j suggests %s', async (words, command) => {
  const { exit, stderr } = await docsctl(words, { home: '/' });
  expect([exit, stderr]).toEqual([64, expect.stringContaining(command)]);
});

it('wordsOfOthers contains only existing commands and options', async () => {
  const commands = new Map((await allCommands()).map((command) => [wordsOf(command), command]));
  for (const line of Object.values(wordsOfOthers)
    .flat()
    .filter((one) => one !== '--version')) {
    const [, words = '', option, value] = /^(.*?)(?: (--\S+)(?: (\S+))?)?$/.exec(line) ?? [];
    const command = commands.get(words);
    expect(command, words).toBeDefined();
    if (option === undefined) continue;
    const found = command?.options.find(({ long }) => long === option);
    expect(found, line).toBeDefined();
    if (value !== undefined) expect(found?.argChoices).toContain(value);
  }
  expect(Object.keys(wordsOfOthers).filter((words) => commands.has(words))).toEqual([]);
});

it.each([
  [['merge', '2'], '`docsctl change-requests merge`'],
  [['deploy'], '`docsctl sites publish`'],
  [['publish'], '`docsctl sites publish`'],
  [['version'], '`docsctl --version`'],
  [['backup', 'acme.backup'], '`docsctl store backup`'],
  [['revert'], '`docsctl revisions restore`'],
  [['help', 'backlinks'], '`docsctl spaces pages backlinks`'],
  [['pages', 'update', 'Guide'], '`docsctl pages edit`'],
  [['spaces', 'history', 'Guide'], '`docsctl revisions list`'],
  [['suggestions'], 'To see the commands, run `docsctl --help`.'],
  [['cr', 'close', '2'], '`docsctl change-requests update --status archived`'],
  [['change-requests', 'archive', '2'], '`docsctl change-requests update --status archived`'],
  [['spaces', 'list', '--json'], '`-o json`'],
  [['spaces', 'list', '--format', 'yaml'], '`-o yaml`'],
  [['spaces', 'list', '--format=csv'], '`-o csv`'],
  [['spaces', 'list', '--output-format', 'xml'], '`-o FORMAT`'],
  [['spaces', 'list', '--sort-by', '-title', '--jq', '.items'], '`--query <jmespath>`'],
  [['spaces', 'list', '--per-page=5'], '`--limit <number>`'],
  [['login', '--token-stdin'], 'hint: Use `--token-file <file>`: file that holds the API token; - reads'],
  [['spaces', 'list', '--context', 'work'], '`--profile <name>`'],
  [['spaces', 'list', '--no-prompt'], '`--no-input`'],
  [['apply', '-auto-approve'], '`-y`'],
  [['plan', '--target', 'space.guide'], '`--only <pattern>`'],
  [['login', '--api-key', 'x'], '`--token-file <file>`'],
  [['-v'], '`-V`'],
  [['plan', 'acme'], '`docsctl plan -f acme`'],
  [['tokens', 'create', 'My', 'Foo'], "`docsctl tokens create --name 'My Foo' --role ROLE`"],
  [['sites', 'sections', 'add', 'Docs', 'Guide', '--path', 'foo'], '`docsctl sites sections update --path`'],
])('%j prints the hint %s', async (words, command) => {
  const { exit, stderr } = await docsctl(words, { home: '/' });
  expect([exit, stderr]).toEqual([64, expect.stringContaining(command)]);
});

it.each(['move', 'rename'])('verbFor reads mv as %s', (verb) => {
  expect(verbFor('mv', ['list', verb])).toBe(verb);
});

it.each([
  ['jsonl', 'Did you mean ndjson?'],
  ['wide', 'Use --wide.'],
])('-o %s prints the hint %s', async (format, hint) => {
  const { exit, stderr } = await docsctl(['spaces', 'list', '-o', format], { home: '/' });
  expect([exit, stderr]).toEqual([8, expect.stringContaining(hint)]);
});
