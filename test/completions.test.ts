import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { scripts } from '../src/cli/completion/scripts.ts';
import { docsctl, type CliOptions } from './support/cli.ts';

const folder = fileURLToPath(new URL('../completions', import.meta.url));
const files = {
  bash: 'docsctl.bash',
  zsh: '_docsctl',
  fish: 'docsctl.fish',
  powershell: 'docsctl.ps1',
} as const;

describe('completions', () => {
  it.each(Object.entries(files))(
    'of %s in completions/ are what `docsctl completion` prints',
    (shell, file) => {
      const path = join(folder, file);
      if (process.env['RECORD'] !== undefined) writeFileSync(path, scripts[shell as keyof typeof files]);
      expect(readFileSync(path, 'utf8')).toBe(scripts[shell as keyof typeof files]);
    },
  );

  it.each([
    [['--output', '=', 'js'], 'json', 'json'],
    [['--output', '='], 'json', 'json'],
    [['API'], 'API: v=1', String.raw`API\:\ v\=1`],
  ])('of bash complete %j, which Bash splits at ":" and "="', (words, found, inserted) => {
    const script = `${scripts.bash}
docsctl() { printf '%s\\n' "$@" > words; printf '%s\\t\\n' "$FOUND"; }
COMP_WORDS=(docsctl "$@")
COMP_CWORD=$#
_docsctl
cat words
printf %s "\${COMPREPLY[0]}"`;
    const cwd = mkdtempSync(join(tmpdir(), 'docsctl-complete-'));
    const env = { ...process.env, FOUND: found };
    const sent = words.length === 1 ? words : [words[0], words[2] ?? ''];
    expect(execFileSync('bash', ['-c', script, 'bash', ...words], { cwd, env }).toString()).toBe(
      ['__complete', ...sent, inserted].join('\n'),
    );
  });

  it.skipIf(spawnSync('fish', ['--version']).status !== 0)(
    'of fish are files only where docsctl says so',
    () => {
      const cwd = mkdtempSync(join(tmpdir(), 'docsctl-complete-'));
      mkdirSync(join(cwd, 'my docs'));
      const complete = (typed: string, found: string) => {
        const script = `${scripts.fish}
function docsctl; printf '%s' $FOUND; end
complete -C $TYPED`;
        const env = { ...process.env, TYPED: `docsctl ${typed}`, FOUND: found };
        return execFileSync('fish', ['--no-config', '-c', script], { cwd, env }).toString();
      };
      expect(complete('spaces import Guide my', '\n')).toBe('my docs/\n');
      expect(complete('spaces pdf Guide -O my', '\n')).toBe('my docs/\n');
      expect(complete('spaces get my', '')).toBe('');
      expect(complete('spaces get my', 'My Space\tspc_1\n')).toBe('My Space\tspc_1\n');
      expect(complete('spaces get -m', '')).toBe('');
    },
  );

  it.skipIf(spawnSync('zsh', ['--version']).status !== 0)(
    'of zsh are files only where docsctl says so',
    () => {
      const shown = (found: string) => {
        const script = `${scripts.zsh.split('\nif [')[0]}
docsctl() { printf '%b' "$FOUND" }
_describe() { print words "\${found[@]}" }
_files() { print files }
words=(docsctl spaces get my) CURRENT=4 PREFIX=my
_docsctl`;
        const env = { ...process.env, FOUND: found };
        return spawnSync('zsh', ['-f', '-c', script], { env }).stdout.toString();
      };
      expect(shown('My Space\\tspc_1\\n')).toBe('words My Space:spc_1\n');
      expect(shown('\\n')).toBe('files\n');
      expect(shown('')).toBe('');
    },
  );

  it.each(['', '"', "'"])('of bash run no part of a title, also behind %s', (quote) => {
    const folder = mkdtempSync(join(tmpdir(), 'docsctl-complete-'));
    for (const title of ['Zed $(touch ran)', 'Zed `touch ran`"x', "Zed'; touch ran; '", 'Zed \\$HOME & \\']) {
      // What Bash does at the Tab key, and then with the line.
      const script = `${scripts.bash}
docsctl() { printf '%s\\tspc_1\\n' "$TITLE"; }
COMP_WORDS=(docsctl spaces get "$QUOTE"Ze)
COMP_CWORD=3
_docsctl
eval "printf %s $QUOTE\${COMPREPLY[0]}$QUOTE"`;
      const env = { ...process.env, TITLE: title, QUOTE: quote };
      expect(execFileSync('bash', ['-c', script], { cwd: folder, env }).toString()).toBe(title);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['Zed!echo', `Zed"'!'"echo`],
    // Readline takes away the first of two quotes.
    ['!echo', `""'!'"echo`],
  ])(
    'of bash put the "!" of %s behind single quotes, where Bash inserts no earlier command',
    (title, word) => {
      const script = `${scripts.bash}
docsctl() { printf '%s\\tspc_1\\n' "$TITLE"; }
COMP_WORDS=(docsctl spaces get '"')
COMP_CWORD=3
_docsctl
printf %s "\${COMPREPLY[0]}"`;
      const env = { ...process.env, TITLE: title };
      expect(execFileSync('bash', ['-c', script], { env }).toString()).toBe(word);
    },
  );

  let options: CliOptions;
  const complete = async (...words: string[]) =>
    (await docsctl(['__complete', ...words], options)).stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]!);

  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), 'docsctl-complete-'));
    options = {
      home,
      env: { DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`, DOCSCTL_CONFIG_DIR: join(home, 'config') },
    };
    await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test'], options);
    await docsctl(['collections', 'create', '--title', 'Product'], options);
    await docsctl(['sites', 'create', '--title', 'Docs'], options);
    await docsctl(['spaces', 'create', '--title', 'Guide'], options);
    await docsctl(['sites', 'sections', 'add', 'Guide', '--site', 'Docs', '--title', 'Guides'], options);
    await docsctl(['cr', 'create', '--space', 'Guide', '--subject', 'Edit'], options);
    const page = JSON.stringify({
      changes: [{ operation: 'insert_page', title: 'Start', document: { markdown: 'Text' } }],
    });
    await docsctl(['cr', 'content', 'update', '1', '--space', 'Guide', '--body', '-'], {
      ...options,
      input: page,
    });
    await docsctl(['cr', 'merge', '1', '--space', 'Guide'], options);
    await docsctl(['cr', 'create', '--space', 'Guide', '--subject', 'Draft'], options);
    await docsctl(['conversations', 'ingest', '-f', '-'], {
      ...options,
      input: '{"id":"ticket-7","parts":[]}',
    });
    writeFileSync(join(home, 'notes.txt'), 'x');
    await docsctl(['spaces', 'files', 'add', 'Guide', 'notes.txt', '--merge'], options);
    writeFileSync(join(home, 'bot.js'), '// Answers nothing.');
    await docsctl(
      [
        'integrations',
        'publish',
        'my-bot',
        '--title',
        'My bot',
        '--description',
        'x',
        '--scopes',
        'space:content:read',
        '--script',
        'bot.js',
      ],
      options,
    );
    writeFileSync(
      join(home, 'shop.yaml'),
      'openapi: 3.0.3\ninfo: { title: Shop, version: "1" }\npaths: {}\n',
    );
    await docsctl(['openapi', 'publish', 'shop.yaml', '--slug', 'shop'], options);
    writeFileSync(join(home, 'docs.yaml'), 'version: 1\nspaces:\n  applied: { title: Applied }\n');
    await docsctl(['apply', '-f', 'docs.yaml', '-y'], options);
    writeFileSync(
      join(home, 'more.yaml'),
      'version: 1\nspaces:\n  applied: { title: Applied }\n  later: { title: Later }\n',
    );
    await docsctl(['login', '--store', 'sqlite:other.db', '--name', 'laptop'], options);
  });

  it.each([
    ['nouns', ['col'], ['collections']],
    ['verbs', ['collections', 'mo'], ['move']],
    ['inner nouns', ['sites', 'sec'], ['section-groups', 'sections']],
    ['verbs of inner nouns', ['sites', 'sections', 'up'], ['update']],
    ['flags', ['collections', 'list', '--ne'], ['--nested']],
    ['formats', ['collections', 'list', '-o', 'js'], ['json']],
    ['enum values', ['collections', 'update', 'x', '--default-level', 're'], ['read', 'review']],
    ['titles of positional arguments', ['collections', 'get', 'Pro'], ['Product']],
    ['titles for an option', ['sites', 'sections', 'list', '--site', 'Do'], ['Docs']],
    ['names inside the given parent', ['sites', 'sections', 'update', '--site', 'Docs', 'gui'], ['guides']],
    ['pages of the space that comes first', ['pages', 'show', 'Guide', 'sta'], ['start']],
    ['values after =', ['collections', 'list', '--output=js'], ['--output=json']],
    ['pages where the space is a flag with =', ['pages', 'show', '--space=Guide', 'sta'], ['start']],
    ['pages if the space is an option', ['pages', 'show', '--space', 'Guide', 'sta'], ['start']],
    ['change requests, including drafts', ['cr', 'get', '--space', 'Guide', ''], ['2']],
    ['other names of a noun and a verb', ['space', 'rm', 'Gui'], ['Guide']],
    ['nothing if the parent is not given', ['cr', 'get', ''], ['']],
    ['conversations', ['conversations', 'get', 'tick'], ['ticket-7']],
    ['jobs', ['jobs', 'retry', 'conv'], [expect.stringMatching(/^conversations\.org_/)]],
    ['specifications', ['openapi', 'download', 'sh'], ['shop']],
    ['integrations for a composite command', ['integrations', 'dev', 'my'], ['my-bot']],
    ['integrations', ['integrations', 'get', 'my'], ['my-bot']],
    ['integrations for an option that takes several', ['integrations', 'events', 'list', 'my'], ['my-bot']],
    ['integrations for an option', ['integrations', 'events', 'get', '--integration', 'my'], ['my-bot']],
    ['events of an integration', ['integrations', 'events', 'tail', 'my'], ['my-bot']],
    ['runs', ['runs', 'undo', '20'], [expect.stringMatching(/^\d{8}T/)]],
    ['profiles', ['profiles', 'use', 'la'], ['laptop']],
    ['settings', ['config', 'set', 'sit'], ['site', 'sites-url']],
    ['resources to explain', ['explain', 'sites.sect'], ['sites.section-groups', 'sites.sections']],
    ['resources of the state file', ['forget', 'sp'], ['space.applied']],
    ['no resources that the manifest owns, for a block to adopt', ['adopt', '-f', 'docs.yaml', 'sp'], ['']],
    ['blocks to adopt', ['adopt', '-f', 'more.yaml', 'sp'], ['space.later']],
    ['resources that a block can adopt', ['adopt', '-f', 'more.yaml', 'space.later', 'Gui'], ['Guide']],
    ['shells', ['completion', ''], ['bash', 'fish', 'powershell', 'zsh']],
    ['commands and topics to explain', ['help', 'ex'], ['exit-codes', 'explain', 'export']],
    ['columns', ['spaces', 'list', '--columns', 'title,titl'], ['']],
    ['columns after other columns', ['spaces', 'list', '--columns', 'id,titl'], ['id,title']],
    ['columns that a table shows under another name', ['openapi', 'list', '--columns', 'slu'], ['slug']],
    ['columns of a table', ['integrations', 'events', 'list', '--columns', 'tri'], ['tries']],
    ['columns to sort by', ['state', 'list', '--sort-by', '-pro'], ['-protect']],
    ['columns of a composite command', ['runs', 'list', '--columns', 'undo'], ['undo', 'undoes', 'undoneBy']],
    ...[
      ['access report', 'lastS', 'lastSeenAt'],
      ['commands', 'summ', 'summary'],
      ['config explain', 'val', 'value'],
      ['doctor', 'fou', 'found'],
      ['drift', 'stat', 'status'],
      ['pages list', 'ti', 'title'],
      ['plan', 'act', 'action'],
      ['profiles list', 'curr', 'current'],
      ['sites check', 'seve', 'severity'],
      ['sites redirects check', 'prob', 'problem'],
      ['spaces links', 'hr', 'href'],
      ['spaces permissions list', 'perm', 'permission'],
      ['store check', 'tab', 'table'],
    ].map(([command = '', typed = '', column = '']): [string, string[], string[]] => [
      `columns of ${command}`,
      [...command.split(' '), '--columns', typed],
      [column],
    ]),
    ['versions', ['openapi', 'diff', 'shop', '--to', ''], [expect.stringMatching(/^\w+_/)]],
    [
      'revisions to compare',
      ['revisions', 'diff', '--space', 'Guide', '', ''],
      Array(5).fill(expect.stringMatching(/^rev_/)),
    ],
    ['files to replace', ['spaces', 'files', 'add', 'Guide', 'x.png', '--replace', 'no'], ['notes.txt']],
    ['pages to move', ['pages', 'move', 'Guide', 'sta'], ['start']],
    ['pages to put a page under', ['pages', 'move', 'Guide', 'x', '--under', 'sta'], ['start']],
    ['spaces to copy to', ['pages', 'copy', 'Guide', 'start', '--to-space', 'Gui'], ['Guide']],
    ['resources to plan', ['plan', '--only', 'sp'], ['space.applied']],
    ['actions of audit events', ['audit', 'list', '--action', 'spaces.res'], ['spaces.restore']],
  ])('%s', async (_, words, expected) => {
    expect((await complete(...words)).sort()).toEqual(expected);
  });

  it('allow names of files only for arguments and values that are files', async () => {
    for (const line of [
      'spaces import Guide',
      'audit verify',
      'openapi publish',
      'spaces list --record',
      'validate',
    ])
      expect((await docsctl(['__complete', ...line.split(' '), 'nofile'], options)).stdout, line).toBe('\n');
    for (const line of [
      'spaces get',
      'spaces files get --space Guide',
      'nothing',
      'spaces create',
      'sites redirects create',
    ])
      expect((await docsctl(['__complete', ...line.split(' '), 'nofile'], options)).stdout, line).toBe('');
  });

  it('offers titles, and IDs only of those that share one or look like an option', async () => {
    // The last one would be read as an option.
    for (const title of ['My guide', 'Twin', 'Twin', '--yes', 'Two\nlines'])
      await docsctl(['spaces', 'create', `--title=${title}`], options);
    const lines = (await docsctl(['__complete', 'spaces', 'get', ''], options)).stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !/Guide|Applied/.test(line)).sort()).toEqual([
      expect.stringMatching(/^My guide\tspc_\w{26}$/),
      expect.stringMatching(/^spc_\w{26}\tTwin, created [-\d]+ [:\d]+Z$/),
      expect.stringMatching(/^spc_\w{26}\tTwin, created [-\d]+ [:\d]+Z$/),
      expect.stringMatching(/^spc_\w{26}\t--yes, created [-\d]+ [:\d]+Z$/),
      expect.stringMatching(/^spc_\w{26}\tTwo\\nlines, created [-\d]+ [:\d]+Z$/),
    ]);
    const ids = await complete('spaces', 'get', 'spc_');
    expect(new Set(ids.map((id) => id.slice(0, 4)))).toEqual(new Set(['spc_']));
  });

  it('offers titles that are not on the first page of the list', async () => {
    const titles = Array.from({ length: 201 }, (_, index) => `Many ${index}`);
    await docsctl(['spaces', 'create', '-'], { ...options, input: titles.join('\n') });
    await docsctl(['spaces', 'create', '--title', 'Zebra'], options);
    expect(await complete('spaces', 'get', 'Zeb')).toEqual(['Zebra']);
  });

  it('says nothing where the store cannot be read', async () => {
    expect(
      await docsctl(['__complete', 'collections', 'get', ''], {
        ...options,
        env: { DOCSCTL_STORE: 'nonsense' },
      }),
    ).toMatchObject({ stdout: '', stderr: '' });
  });
});
