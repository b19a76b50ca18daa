import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { createSite } from '../../src/resources/sites/contract.ts';
import { createCollection } from '../../src/resources/collections/contract.ts';
import { createToken } from '../../src/resources/tokens/contract.ts';
import { serve, type Serving } from '../server/serving.ts';
import { docsctl, type Ran } from '../support/cli.ts';

let home: string;
let serving: Serving;
let url: string;
/** A token of the administrator that may only read. */
let reader: string;
/** A token of the administrator that may edit, but not merge. */
let editor: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-errors-'));
  writeFileSync(join(home, 'README.md'), '# Start\n');
  serving = await serve();
  ({ url } = await serving.server.listen({ host: '127.0.0.1', port: 0 }));
  const { world } = serving;
  const admin = world.as('admin');
  const params = { organizationId: world.org };
  const space = await admin.call(createSpace, { params, body: { title: 'Guide' } });
  expect(space.title).toBe('Guide');
  await admin.call(createSite, { params, body: { title: 'Docs' } });
  await admin.call(createCollection, { params, body: { title: 'Product' } });
  const limited = async (role: 'read' | 'edit') =>
    (await admin.call(createToken, { params, body: { role, name: `for ${role}` } })).token;
  [reader, editor] = [await limited('read'), await limited('edit')];
});
afterAll(async () => {
  await serving.server.close(0);
  rmSync(home, { recursive: true });
});

const run = (token: string, ...words: string[]): Promise<Ran> =>
  docsctl(words, { home, cwd: home, env: { DOCSCTL_SERVER: url, DOCSCTL_TOKEN: token } });
const member = (who: Parameters<Serving['world']['token']>[0], ...words: string[]) =>
  run(serving.world.token(who), ...words);

describe('a missing role', () => {
  it('for an import is that of the token if the member has the role', async () => {
    expect(await run(reader, 'spaces', 'import', 'Guide', '.')).toMatchObject({
      exit: 11,
      stderr: expect.stringContaining(
        'error: To import into a space, you need the edit role on the space "Guide", but this token allows only the read role.\n',
      ),
    });
    const { stderr } = await run(editor, 'spaces', 'import', 'Guide', '.');
    expect(stderr).toContain(
      'you need the review role on the space "Guide", but this token allows only the edit role.',
    );
    expect(stderr).toContain('Add --change-request to leave the changes for someone who may merge them.');
    expect(stderr).toContain(
      'If you have the review role yourself, use a token with a higher role. Otherwise,',
    );
  });

  it('for an import is that of the member if the token has the role', async () => {
    const { stderr } = await member('read', 'spaces', 'import', 'Guide', '.');
    expect(stderr).toContain('you need the edit role on the space "Guide". You do not have this role.');
  });

  it('for a list that resolves a name is reported as that of the command', async () => {
    const { stderr } = await run(reader, 'tokens', 'delete', 'none', '--yes');
    expect(stderr).toContain(
      'error: To delete a token, so that it no longer works, you need the admin role in the organization. You have the admin role, but this token allows only the read role.\n',
    );
    expect(stderr).not.toContain('tokens.list');
  });

  it('for a list that resolves a name is reported with the name if the command itself needs a lower role', async () => {
    const { stderr } = await member('guest', 'members', 'get', 'ana');
    expect(stderr).toContain(
      'error: The member "ana" cannot be looked up by its name. To list the members of an organization, you need the read role in the organization; you are a guest, without a role.\nhint: Give the ID of the member instead.',
    );
  });

  it('for a part of a response is that of the token', async () => {
    const { stderr } = await run(reader, 'members', 'list', '--activity');
    expect(stderr).toContain(
      'To see when members were last active, you need the admin role in the organization. You have the admin role, but this token allows only the read role.',
    );
    expect((await member('read', 'members', 'list', '--activity')).stderr).toContain(
      'you need the admin role in the organization; you have the read role.',
    );
  });
});

describe('a hint', () => {
  it('names the setting that contains the address of the server', async () => {
    const { stderr } = await docsctl(['spaces', 'list'], {
      home,
      cwd: home,
      env: { DOCSCTL_SERVER: 'http://127.0.0.1:1', DOCSCTL_TOKEN: 't' },
    });
    expect(stderr).toContain(
      'hint: The address of the server comes from DOCSCTL_SERVER. Check the address, and make sure that the server is running.',
    );
  });

  it('for an invite does not suggest a list that a guest may not read', async () => {
    const { exit, stderr } = await member('guest', 'invites', 'accept', 'inv_1');
    expect([exit, stderr]).toEqual([
      5,
      expect.stringContaining(
        'hint: Check the ID and --org. If both are right, ask the person who invited you to add you',
      ),
    ]);
  });

  it('for an email domain that is not listed suggests the command that lists it', async () => {
    const { stderr } = await member('admin', 'email-domains', 'get', 'example.com');
    expect(stderr).toContain('error: The organization does not list the email domain "example.com".');
    expect(stderr).toContain('docsctl orgs update --email-domains');
  });

  it('notes which role a suggested list requires if the command requires a lower one', async () => {
    const { stderr } = await member('read', 'teams', 'members', 'list', 'team_00000000000000000000000001');
    expect(stderr).toContain('`docsctl teams list`, which requires the read role.');
  });
});

it('collections move --before something in another collection names the collection and the option', async () => {
  const { exit, stderr } = await member('admin', 'collections', 'create', '--title', 'Archive').then(() =>
    member('admin', 'collections', 'move', 'Archive', '--parent', 'Product', '--before', 'Guide'),
  );
  expect([exit, stderr]).toEqual([
    8,
    expect.stringContaining('The space "Guide" is not in the collection "Product".'),
  ]);
  expect(stderr).toContain('--before');
  expect(stderr).not.toContain('/body/position');
});

it.each([
  ['spaces update Guide', '--merge-rules'],
  ['spaces permissions update-user USER --space Guide', '--role'],
  ['spaces permissions update-team TEAM --space Guide', '--role'],
  ['integrations installations update-space Guide --integration x --installation ins_1', '--external-ids'],
])('%s without a field reports that nothing changes', async (line, option) => {
  const words = line.replace('USER', serving.world.user('read')).split(' ');
  const { exit, stderr } = await member('admin', ...words);
  expect([exit, stderr]).toEqual([
    64,
    expect.stringMatching(new RegExp(`Nothing to change: give .*${option}`)),
  ]);
});

it('spaces import into a merged change request reports only this', async () => {
  expect((await member('admin', 'spaces', 'import', 'Guide', '.', '--change-request')).exit).toBe(0);
  expect((await member('admin', 'cr', 'merge', '1', '--space', 'Guide')).exit).toBe(0);
  writeFileSync(join(home, 'README.md'), '# Start again\n');
  const merged = await member('admin', 'spaces', 'import', 'Guide', '.', '--change-request', '1');
  expect(merged).toMatchObject({
    exit: 6,
    stderr:
      'error: Change request 1 is already merged. Nothing was imported.\nhint: Import into a new change request: give --change-request without a number.\n',
  });
});

it.each([
  ['members', 'remove', 'admin@acme.test'],
  ['members', 'update', 'admin@acme.test', '--role', 'read'],
])('%s %s of the last administrator is refused without a confirmation', async (...words) => {
  const { exit, stderr } = await member('admin', ...words);
  expect([exit, stderr]).toEqual([
    6,
    expect.stringContaining('is the last administrator of the organization'),
  ]);
});

describe('a command that will fail is refused without a confirmation', () => {
  it.each([
    ['if the resource does not exist', 'openapi delete none', 5, 'There is no OpenAPI specification "none".'],
    ['if the integration does not exist', 'integrations unpublish none', 5, 'There is no integration "none"'],
    ['if a required field is missing', 'spaces transfer Guide', 64, '--organization is required.'],
  ])('%s', async (_, line, exit, message) => {
    const ran = await member('admin', ...line.split(' '));
    expect([ran.exit, ran.stderr]).toEqual([exit, expect.stringContaining(message)]);
  });

  it.each([
    ['spaces delete Guide', 'delete a space', 'on the space'],
    ['collections delete Product', 'delete a collection and keep its spaces', 'on the collection'],
    ['members remove read@acme.test', 'remove a member from the organization', 'in the organization'],
    [
      'members update read@acme.test --role guest',
      'change the role of a member, or disable the member',
      'in the organization',
    ],
  ])('if the caller lacks the role: %s', async (line, action, place) => {
    expect(await member('read', ...line.split(' '))).toMatchObject({
      exit: 11,
      stderr: expect.stringContaining(
        `error: To ${action}, you need the admin role ${place}. You do not have this role, or this token does not allow it.`,
      ),
    });
  });

  it.each([
    'spaces comments delete com_1 --space Guide',
    'change-requests reviewers remove x --space Guide --change-request 1',
  ])('if the caller lacks a lower role: %s', async (line) => {
    expect(
      await member('read', ...line.replace(' x ', ` ${serving.world.user('edit')} `).split(' ')),
    ).toMatchObject({
      exit: 11,
      stderr: expect.stringMatching(
        /^error: To .*, you need the (?:comment|edit) role on the space\. You do not have/,
      ),
    });
  });

  it.each([
    ['sites unpublish Docs', 'take a site offline'],
    ['sites delete Docs', 'delete a site with its sections, share links and redirects'],
    ['sites publishing-auth regenerate Docs', 'replace the key that signs the visitor tokens of a site'],
  ])('if the caller lacks the role on the site: %s', async (line, action) => {
    expect(await member('read', ...line.split(' '))).toMatchObject({
      exit: 11,
      stderr: `error: To ${action}, you need the admin role on the site; you have the read role.\nhint: Ask an administrator of the organization for the role, or use a token that has it.\n`,
    });
  });
});

it('access report names the call inside the command that requires a role', async () => {
  const { stderr } = await member('guest', 'access', 'report');
  expect(stderr).toContain(
    'error: `docsctl access report` has to list the members of an organization. This requires the read role in the organization; you are a guest, without a role.',
  );
});

it('conversations ingest reports the missing role as that of the command, not of its other calls', async () => {
  const { exit, stderr } = await docsctl(['conversations', 'ingest', '-', '--format', 'ndjson'], {
    home,
    cwd: home,
    env: { DOCSCTL_SERVER: url, DOCSCTL_TOKEN: reader },
    input: '{"id":"1","parts":[{"type":"message","role":"user","body":"Where is it?"}]}\n',
  });
  expect([exit, stderr]).toEqual([
    11,
    expect.stringContaining(
      'error: To ingest support conversations, you need the create role in the organization.',
    ),
  ]);
});

it.each(['--dry-run=maybe', '--all=1'])(
  'an option without a value is refused if it has a value: %s',
  async (option) => {
    const [name] = option.split('=');
    const { exit, stderr } = await member('admin', 'spaces', 'list', option);
    expect([exit, stderr]).toEqual([
      64,
      `error: ${name} takes no value.\nhint: Leave out what follows the "=".\n`,
    ]);
  },
);

it('the token that members invite suggests for a guest uses the permissions of the guest', async () => {
  const invited = await member('admin', 'members', 'invite', 'gus@acme.test', '--role', 'guest');
  const [, command = ''] = /create a token with `docsctl (.*?)`/.exec(invited.stderr) ?? [];
  const { stdout } = await member('admin', ...command.split(' '), '-o', 'json');
  const opened = (): Promise<Ran> =>
    run((JSON.parse(stdout) as { token: string }).token, 'spaces', 'list', '-o', 'id');
  expect((await opened()).stdout).toBe('');
  const users = ['--users', 'gus@acme.test', '--role', 'read'];
  expect((await member('admin', 'spaces', 'permissions', 'set', 'Guide', ...users)).exit).toBe(0);
  expect((await opened()).stdout).toMatch(/^spc_\w+\n$/);
});

it('a command that requires a token for all organizations explains that the token is for one only', async () => {
  const { stderr } = await run(reader, 'orgs', 'create', '--title', 'New');
  expect(stderr).toContain(
    'Your token is valid for one organization only, but this requires a token for all of your organizations.',
  );
});

it('open reports that single sign-on is required, not that the space does not exist', async () => {
  expect((await member('admin', 'orgs', 'update', '--sso')).exit).toBe(0);
  try {
    expect(await member('read', 'open', 'Guide')).toMatchObject({
      exit: 11,
      stderr: expect.stringContaining('requires single sign-on'),
    });
  } finally {
    await member('admin', 'orgs', 'update', '--no-sso');
  }
});

it.each([
  ['create', 'collections', 'Product', 'read', 'spaces create --title New --parent Product'],
  ['edit', 'sites', 'Docs', 'admin', 'sites spaces add Guide --site Docs'],
] as const)(
  'an error names the missing role if the caller only has %s',
  async (who, noun, title, role, line) => {
    const set = ['permissions', 'set', title, '--users', `${who}@acme.test`, '--role', role];
    expect(await member('admin', noun, ...set)).toMatchObject({ exit: 0 });
    expect(await member(who, ...line.split(' '))).toMatchObject({
      exit: 11,
      stderr: expect.stringMatching(
        noun === 'sites'
          ? /^error: To add a space to a site, you need the admin role on the space "Guide"; you have the edit role\.\n/
          : /^error: To put content into a collection, you need the create role on the collection "Product"; you have the read role\.\n/,
      ),
    });
  },
);

it('the hint for an incomplete URL of PostgreSQL is not redacted as a password', async () => {
  const { stderr } = await docsctl(['spaces', 'list'], { home, env: { DOCSCTL_STORE: 'postgres://' } });
  expect(stderr).toContain('Write it like postgres://USER@HOST:5432/DATABASE.');
});
