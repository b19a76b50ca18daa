import { expect, it } from 'vitest';
import { docsctl } from '../support/cli.ts';

it.each([
  ['spce list', 'docsctl spaces'],
  ['stie list', 'docsctl sites'],
  ['tokn list', 'docsctl tokens'],
  ['crs list', 'docsctl change-requests list'],
  ['orgnizations list', 'docsctl orgs'],
  ['specfications list', 'docsctl openapi'],
  ['glosary list', 'docsctl translations glossary list'],
  ['hostnames list', 'docsctl custom-hostnames list'],
  ['spaces remvoe A', 'docsctl spaces delete'],
  ['collections veiw A', 'docsctl collections get'],
  ['sites site-spces list', 'docsctl sites site-spaces'],
  ['sapces list', 'docsctl spaces'],
  ['pages renam', 'docsctl pages rename'],
  ['spaces files upload', 'docsctl spaces files add'],
  ['files list', 'docsctl change-requests files list'],
  ['sections rm', 'docsctl sites sections rm'],
])('"docsctl %s" suggests `%s`', async (line, command) => {
  const { exit, stderr } = await docsctl(line.split(' '), { home: '/' });
  expect([exit, stderr]).toEqual([64, expect.stringContaining(`hint: Did you mean \`${command}\``)]);
});

it('suggests the help of each noun instead of commands that do not exist', async () => {
  const { exit, stderr } = await docsctl(['files', 'upload', 'Guide'], { home: '/' });
  expect([exit, stderr]).toEqual([
    64,
    expect.stringContaining(
      'hint: Did you mean `docsctl change-requests files --help`, `docsctl revisions files --help` or `docsctl spaces files --help`?',
    ),
  ]);
});

it.each([
  ['spaces list --organization Acme', '--org'],
  ['spaces list --organisation Acme', '--org'],
  ['apply --dry', '--dry-run'],
  ['export --directory docs', '-d <folder>'],
  ['apply --yse', '--yes'],
  ['openapi create pets -f pets.yaml', '--text <text>.*@FILE reads a file'],
  ['jobs list --status failed', '--state <waiting[|]running[|]failed>'],
  ['change-requests list --state open', '--status <draft'],
  ['serve --log-level info', '--log '],
  ['sites create --visiblity public', '--visibility'],
])('"docsctl %s" suggests %s', async (line, option) => {
  const { exit, stderr } = await docsctl(line.split(' '), { home: '/' });
  expect([exit, stderr]).toEqual([64, expect.stringMatching(new RegExp(`hint: .*${option}`))]);
});
