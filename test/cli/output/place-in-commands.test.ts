import { expect, it } from 'vitest';
import { withPlace, withPlaceInHint } from '../../../src/cli/output/place-in-commands.ts';
import { Problem } from '../../../src/errors/problem.ts';

const place = (argv: readonly string[], command: string): string =>
  withPlace({ argv }, `Run \`docsctl ${command}\`.`).slice('Run `docsctl '.length, -2);

it.each([
  [['--store', 'sqlite:a.db'], 'spaces list', 'spaces list --store sqlite:a.db'],
  [['--store=sqlite:my docs.db'], 'jobs run', "jobs run --store 'sqlite:my docs.db'"],
  [['--store', 'a.db', '--store', 'b.db'], 'spaces list', 'spaces list --store b.db'],
  [['--store', 'a.db'], 'init --org-title TITLE', 'init --org-title TITLE --store a.db'],
  [['--server', 'https://a.test', '--org', 'Acme', '--as', 'b@c.de'], 'members list', null],
  [['--profile', 'ci', '--org', 'Acme'], 'members list --org Other', 'members list --org Other --profile ci'],
  [['--org', 'Acme'], 'orgs list', 'orgs list'],
  [['--server', 'https://a.test'], 'serve --port 8080', 'serve --port 8080'],
  [['--server', 'https://a.test'], 'login --server URL', 'login --server URL'],
  [['--profile', 'ci'], 'profiles list', 'profiles list'],
  [['--store', 'a.db'], 'spaces list --store b.db', 'spaces list --store b.db'],
  [['--store', 'a.db'], 'spaces import --help', 'spaces import --help'],
  [['--server', 'https://a.test'], 'invites accept inv_1', 'invites accept inv_1'],
  [['--store', 'a.db'], '--version', '--version'],
  [['--token-file', '-'], 'spaces list', 'spaces list'],
  [['--token-file', 'ci.token'], 'spaces list', 'spaces list --token-file ci.token'],
  [['--store', 'postgres://ana:secret@db/docs'], 'spaces list', 'spaces list'],
  [['search', '--', '--store', 'a.db'], 'spaces list', 'spaces list'],
  [['--allow-http'], 'spaces list', 'spaces list --allow-http'],
  [['--allow-http'], 'login --server http://docs.lan', 'login --server http://docs.lan --allow-http'],
  [['--ca-file=ca.pem'], 'login --server URL', 'login --server URL --ca-file ca.pem'],
  [['--store', 'a.db'], 'store migrate --from a.db --undo', 'store migrate --from a.db --undo'],
])('withPlace after %j suggests `%s` for the same store or server', (argv, command, expected) => {
  expect(place(argv, command)).toBe(expected ?? 'members list --server https://a.test --org Acme');
});

it.each([
  'Commands of `docsctl sites`: list.',
  '`docsctl sites list` has no --x, but `docsctl sites get --x` exists.',
])('withPlace adds nothing to a command that is only described: %s', (text) =>
  expect(withPlace({ argv: ['--store', 'a.db'] }, text)).toBe(text),
);

it('withPlace does not change suggestions for MCP clients', () => {
  const text = 'Run `docsctl spaces list`.';
  expect(withPlace({ argv: ['--store', 'a.db'], literalValues: true }, text)).toBe(text);
});

it('withPlaceInHint adds no profile and no token if another person has to run the command', () => {
  const argv = ['--profile', 'ci', '--org', 'Acme', '--token-file', 'ci.token'];
  const hintOf = (reason: 'forbidden' | 'not-found') =>
    withPlaceInHint({ argv }, new Problem(reason, 'No.', { hint: 'Run `docsctl teams list`.' })).hint;
  expect(hintOf('forbidden')).toBe('Run `docsctl teams list --org Acme`.');
  expect(hintOf('not-found')).toBe('Run `docsctl teams list --profile ci --token-file ci.token --org Acme`.');
});
