import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shapeOf } from '../../../src/cli/input/field-schema.ts';
import { MergeRules } from '../../../src/contract/shapes.ts';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';
import { compositeCommands, compositeNouns } from '../../../src/cli/commands/index.ts';
import { singular } from '../../../src/cli/confirm/confirm.ts';
import { similarNames } from '../../../src/cli/suggestions.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const json = async (...words: string[]) => JSON.parse((await desk.done([...words, '-o', 'json'])).stdout);

describe('names instead of IDs', () => {
  it('of files can be their paths, which distinguish files with the same name', async () => {
    for (const folder of ['a', 'b']) {
      mkdirSync(desk.at('docs', folder), { recursive: true });
      writeFileSync(desk.at('docs', folder, 'logo.png'), folder);
    }
    writeFileSync(desk.at('docs/README.md'), '# Home\n\n![](a/logo.png) ![](b/logo.png)\n');
    await desk.done(['spaces', 'import', 'Guide', 'docs']);
    const words = ['spaces', 'files', 'get', '--space', 'Guide'];
    const { stderr } = await desk.run([...words, 'logo.png']);
    expect(stderr).toMatch(/"logo\.png" matches 2 files: .*\(logo\.png, a\/logo\.png\)/);
    expect(await json(...words, 'b/logo.png')).toMatchObject({ git: { path: 'b/logo.png' } });
    const { stdout } = await desk.done(['spaces', 'files', 'list', 'Guide'], { tty: true });
    expect(stdout).toMatch(/^logo\.png +b\/logo\.png /m);
  });

  it('of reusable contents are looked up in the given revision', async () => {
    mkdirSync(desk.at('docs/.gitbook/includes'), { recursive: true });
    const include = desk.at('docs/.gitbook/includes/support.md');
    writeFileSync(include, '---\ntitle: Support\n---\n\nCall us.\n');
    writeFileSync(desk.at('docs/README.md'), '# Home\n');
    await desk.done(['spaces', 'import', 'Guide', 'docs']);
    const [{ id: old }] = (await json('revisions', 'list', 'Guide', '--type', 'merge')).items;
    rmSync(include);
    await desk.done(['spaces', 'import', 'Guide', 'docs']);
    const get = ['revisions', 'reusable-contents', 'get', '--space', 'Guide', '--revision'];
    expect(await json(...get, old, 'Support')).toMatchObject({ title: 'Support' });
    expect((await desk.run([...get, old, 'Nope'])).stderr).toContain(
      `run \`docsctl revisions reusable-contents list --space Guide --revision ${old}\`.`,
    );
    expect((await desk.run([...get, 'rev_7', 'Support'])).stderr).toContain('There is no revision "rev_7"');
  });

  it('of members that look like emails find only members with this email', async () => {
    await desk.done(['members', 'invite', 'bob@acme.test', 'eve@acme.test', '--role', 'read']);
    const name = ['users', 'update', 'me', '--as', 'eve@acme.test', '--display-name'];
    await desk.done([...name, 'bob@acme.test']);
    expect(await json('members', 'get', 'BOB@acme.test')).toMatchObject({ user: { email: 'bob@acme.test' } });
    await desk.done([...name, 'boss@acme.test']);
    expect(await desk.run(['members', 'update', 'boss@acme.test', '--role', 'admin'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no member "boss@acme.test".'),
    });
  });

  it('of versions of a specification are looked up in the specification', async () => {
    writeFileSync(desk.at('pets.yaml'), 'openapi: 3.0.3\ninfo: { title: Pets, version: "1.0" }\npaths: {}\n');
    await desk.done(['openapi', 'publish', 'pets.yaml', '--slug', 'pets']);
    const newest = await json('openapi', 'version', 'pets', 'latest');
    expect(await json('openapi', 'version', 'pets', '1.0')).toEqual(newest);
    expect(await desk.run(['openapi', 'version', 'pets', '2.0'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no version "2.0".'),
    });
  });

  it('of the template space of a new change request can be titles', async () => {
    await desk.done(['spaces', 'create', 'Template']);
    await desk.done(['pages', 'create', 'Template', 'Checklist', '--text', 'One', '--merge']);
    await desk.done(['cr', 'create', 'Guide', '--template', '{"id": "Template"}']);
    const { stdout } = await desk.done(['pages', 'list', 'Guide', '--change-request', '1']);
    expect(stdout).toContain('Checklist');
  });

  it('of redirects are their sources, of the live redirect first and then of the draft', async () => {
    await desk.done(['sites', 'create', 'Docs']);
    const make = (...more: string[]) =>
      json('sites', 'redirects', 'create', '/old', '--site', 'Docs', '--url', 'https://example.com', ...more);
    const draft = await make('--draft');
    const update = ['sites', 'redirects', 'update', '/old', '--site', 'Docs'];
    expect(await json(...update, '--no-draft')).toMatchObject({ id: draft.id, draft: false });
    await make('--draft');
    expect(await json(...update, '--permanent')).toMatchObject({ id: draft.id });
    expect((await desk.run(['sites', 'redirects', 'delete', '/none', '--site', 'Docs'])).stderr).toContain(
      'There is no redirect "/none".',
    );
  });

  it('can be long and contain characters outside the basic plane', async () => {
    const title = `a${'𝒶'.repeat(60)}`;
    const { id } = await json('sites', 'create', '--title', title);
    expect(await json('sites', 'get', title)).toMatchObject({ id, title });
    await desk.publish(page(title, 'x\n'));
    const [shown] = (await json('spaces', 'pages', 'list', 'Guide')).pages;
    expect(await json('spaces', 'pages', 'get', shown.path, '--space', 'Guide')).toMatchObject({ title });
  });

  it('of pages are paths first, even if another page has this title', async () => {
    await desk.publish(page('Sites', 'x\n'));
    await desk.publish(page('sites', 'y\n', { slug: 'other' }));
    expect(await json('pages', 'show', 'Guide', 'sites')).toMatchObject({ title: 'Sites', path: 'sites' });
    expect(await json('pages', 'show', 'Guide', '/other')).toMatchObject({ title: 'sites' });
  });

  it('are accepted for the default site of an organization', async () => {
    const { id } = await json('sites', 'create', '--title', 'Manual');
    for (const given of [
      ['--default-site', 'Manual'],
      ['--default-content', '{"type":"site","site":"Manual"}'],
    ])
      expect((await json('orgs', 'update', 'Acme', ...given)).defaultContent).toEqual({
        type: 'site',
        site: id,
      });
    expect(await desk.run(['orgs', 'update', 'Acme', '--default-site', 'Nope'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no site "Nope".'),
    });
  });

  it('are accepted for reviewers, the page of a comment, and templates', async () => {
    await desk.publish(page('Start', 'x\n'));
    // The name of the second member is "me" until it is changed.
    await desk.done(['members', 'invite', 'bob@acme.test', 'me@acme.test', '--role', 'review']);
    const number = String(await desk.request(page('New', 'y\n')));
    const { users } = await json(
      'cr',
      'reviewers',
      'request',
      number,
      '--space',
      'Guide',
      '--users',
      'bob@acme.test',
    );
    expect(users).toMatchObject([{ user: { email: 'bob@acme.test' } }]);
    const numbersOf = async (creator: string) =>
      (await json('cr', 'list', 'Guide', '--creator', creator, '--status', 'open,draft')).items.map(
        (item: { number: number }) => String(item.number),
      );
    expect([await numbersOf('me'), await numbersOf('bob')]).toEqual([[number], []]);
    expect(
      await desk.run(['cr', 'reviewers', 'request', number, '--space', 'Guide', '--users', 'eva@acme.test']),
    ).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no member "eva@acme.test".'),
    });
    const { mergeRules } = await json('spaces', 'update', 'Guide', '--reviewer', 'bob@acme.test');
    expect(mergeRules.rules).toEqual([{ rule: 'require_specific_reviewers', users: [users[0].user.id] }]);
    expect(await desk.run(['spaces', 'update', 'Guide', '--reviewer', 'eva@acme.test'])).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('There is no member "eva@acme.test".'),
    });
    await desk.done(['spaces', 'update', 'Guide', '--merge-rules', '{"type":"none"}']);
    const comment = await json('spaces', 'comments', 'create', 'Guide', '--page', 'start', '--text', 'Hm.');
    expect(comment.target.page.id).toBe(await desk.pageId('Start'));
    // This page exists only in the change request.
    expect(
      (await json('cr', 'comments', 'create', number, '--space', 'Guide', '--page', '/new', '--text', 'Hm.'))
        .target.page.id,
    ).toMatch(/^pag_/);
    await desk.done(['spaces', 'create', '--title', 'Other']);
    await desk.done(['spaces', 'content', 'apply-template', 'Other', '--id', 'Guide']);
    expect((await json('spaces', 'pages', 'list', 'Other')).pages).toMatchObject([{ title: 'Start' }]);
    await desk.done([
      'spaces',
      'content',
      'apply-template',
      'Guide',
      '--id',
      'Other',
      '--change-request-id',
      number,
    ]);
    expect((await json('cr', 'pages', 'list', number, '--space', 'Guide')).pages).toHaveLength(3);
  });

  it('are accepted for sections, spaces and their neighbors in moves', async () => {
    await desk.done(['spaces', 'create', '--title', 'API']);
    await desk.done(['sites', 'create', '--title', 'Docs']);
    for (const [space, title] of [
      ['Guide', 'Guides'],
      ['API', 'Reference'],
    ] as const)
      await desk.done(['sites', 'sections', 'add', space, '--site', 'Docs', '--title', title]);
    const order = async () =>
      (await json('sites', 'sections', 'list', 'Docs')).items.map(({ title }: { title: string }) => title);
    await desk.done(['sites', 'sort', 'Docs', '--section', 'Reference', '--before-section', 'Guides']);
    expect(await order()).toEqual(['Reference', 'Guides']);
    await desk.done(['sites', 'sections', 'move', 'Reference', '--site', 'Docs', '--after', 'guides']);
    expect(await order()).toEqual(['Guides', 'Reference']);
    await desk.done(['spaces', 'move', 'API', '--before', 'Guide']);
    expect(
      await desk.run(['sites', 'sort', 'Docs', '--section', 'Guides', '--after-section', 'Nothing']),
    ).toMatchObject({ exit: 5, stderr: expect.stringContaining('There is no section "Nothing".') });
  });

  it('are accepted for nested pages at any depth', async () => {
    await desk.publish(page('Start', 'x\n'));
    await desk.publish(page('Below', 'y\n', { into: await desk.pageId('Start') }));
    await desk.publish(page('Deeper', 'z\n', { into: await desk.pageId('Below') }));
    expect((await desk.done(['pages', 'show', 'Guide', 'Below'])).stdout).toBe('y\n');
    expect((await desk.done(['pages', 'show', 'Guide', 'deeper'])).stdout).toBe('z\n');
  });

  it('of pages may begin with a slash', async () => {
    await desk.publish(page('Start', 'x\n'));
    expect((await desk.done(['pages', 'show', 'Guide', '/start'])).stdout).toBe('x\n');
  });

  it('that are misspelled are reported with the right title', async () => {
    const { exit, stderr } = await desk.run(['spaces', 'get', 'Giude']);
    expect([exit, stderr]).toEqual([5, expect.stringContaining('Did you mean "Guide"?')]);
  });

  it('that are misspelled are also found by a word or path segment', async () => {
    await desk.publish(page('Writing', 'w\n'), page('Reading', 'r\n'));
    await desk.publish(page('Style guide', 's\n', { into: await desk.pageId('Writing') }));
    for (const wrong of ['stlye', 'style-giude', 'Stlye guide'])
      expect(await desk.run(['pages', 'show', 'Guide', wrong])).toMatchObject({
        exit: 5,
        stderr: expect.stringContaining('Did you mean "writing/style-guide"?'),
      });
  });

  it('of an organization are not blamed if the membership is disabled', async () => {
    await desk.done(['members', 'invite', 'zed@acme.test', '--role', 'read']);
    await desk.done(['members', 'update', 'zed@acme.test', '--disabled']);
    for (const words of ['spaces list', 'spaces list --org Acme'])
      expect(await desk.run([...words.split(' '), '--as', 'zed@acme.test'])).toMatchObject({
        exit: 11,
        stderr: expect.stringContaining('error: You are not a member of any organization here, or your'),
      });
  });

  it('of an organization that does not exist are reported with the setting that contains them', async () => {
    const refusal = async (env: Record<string, string> = {}, ...words: string[]) => {
      const { exit, stderr } = await desk.run(['spaces', 'list', ...words], { env });
      expect([exit, stderr]).toEqual([
        5,
        expect.stringContaining('There is no organization "Zephyr" that you can see.'),
      ]);
      return stderr;
    };
    expect(await refusal({ DOCSCTL_ORG: 'Zephyr' })).toContain(
      'hint: The name comes from DOCSCTL_ORG. Change it there, or add --org. To see the organizations, run `docsctl orgs list`.',
    );
    expect(await refusal({}, '--org', 'Zephyr')).not.toContain('comes from');
    await desk.done(['config', 'set', 'org', 'Zephyr']);
    expect(await refusal()).toMatch(
      /hint: The name comes from profile \w+ in .*config\.json\. Change it there/,
    );
    writeFileSync(desk.at('.docsctl.yaml'), 'org: Zephyr\n');
    expect(await refusal()).toMatch(/hint: The name comes from .*\.docsctl\.yaml\. Change it there/);
  });

  it('are not blamed on a setting if the user of --as does not exist', async () => {
    const { stderr } = await desk.run(['spaces', 'list', '--as', 'zoe'], { env: { DOCSCTL_ORG: 'Acme' } });
    expect(stderr).toMatch(/^error: There is no user with the email zoe in this store\.\nhint: Check --as/);
  });

  it.each([
    ['DOCSCTL_SPACE', 'pages list', 'space'],
    ['DOCSCTL_SITE', 'sites sections list', 'site'],
  ])('from %s are reported with this variable', async (variable, words, kind) => {
    expect(await desk.run(words.split(' '), { env: { [variable]: 'Zephyr' } })).toMatchObject({
      exit: 5,
      stderr: `error: There is no ${kind} "Zephyr".\nhint: The name comes from ${variable}. Change it there, or add --${kind}. To see the ${kind}s, run \`docsctl ${kind}s list\`.\n`,
    });
  });

  it('of an output format and of a blob storage are reported with the variable that contains them', async () => {
    const hintOf = async (env: Record<string, string>) =>
      (await desk.run(['spaces', 'list'], { env })).stderr;
    expect(await hintOf({ DOCSCTL_OUTPUT: 'xml' })).toContain(
      'hint: The name comes from DOCSCTL_OUTPUT. Choose',
    );
    expect(await hintOf({ DOCSCTL_BLOBS: 'disk' })).toContain('hint: The location comes from DOCSCTL_BLOBS.');
  });

  it.each([
    ['cr merge 99 --space Guide', 'docsctl change-requests list Guide --status all'],
    ['revisions restore null --space Guide', 'docsctl revisions list --space Guide'],
  ])('that do not exist are reported with the list command: %s', async (words, command) => {
    const { exit, stderr } = await desk.run(words.split(' '));
    expect([exit, stderr]).toEqual([5, expect.stringMatching(new RegExp(`hint: .*\`${command}\``))]);
  });

  it('that match nothing are reported with a list command that can be run unchanged', async () => {
    await desk.publish(page('Start', 'x\n'));
    // Letters that happen to be in an ID must not match the ID.
    const [, inId] = /_(...)/.exec(await desk.pageId('Start'))!;
    const { stderr } = await desk.run(['pages', 'show', 'Guide', inId!]);
    const [, command] = /`docsctl (spaces pages list --space Guide)`/.exec(stderr)!;
    expect((await desk.done(command!.split(' '))).stdout).toContain('Start');
  });
});

it('similarNames finds similar names by common words', () => {
  const labels = ['Lost my credit card', 'Order 2 pizza', 'Declined card payments', 'Pin'];
  expect(similarNames('Order 3 pizza', labels)).toEqual(['Order 2 pizza']);
  expect(similarNames('Payment with a card is declined again', labels)).toEqual([
    'Declined card payments',
    'Lost my credit card',
  ]);
  expect(similarNames('zzz', labels)).toEqual([]);
  // Words are similar if their first five letters are the same; shorter words are ignored.
  expect(similarNames('The parcel tracking is broken', ['Tracked shipments', 'Train', 'The'])).toEqual([
    'Tracked shipments',
  ]);
  expect(
    similarNames('tracked parcels and other things', [
      'One tracking',
      'Two trackings',
      'All of the tracked parcels',
      'All of the tracked parcels',
      'Four trackers',
    ]),
  ).toEqual(['All of the tracked parcels', 'One tracking', 'Two trackings']);
});

it('singular returns the singular of a noun', () => {
  expect(
    ['collections', 'sites share-links', 'change-requests comments replies', 'openapi', 'invites'].map(
      singular,
    ),
  ).toEqual(['collection', 'share link', 'reply', 'specification', 'invite']);
});

describe('Markdown options', () => {
  it('of a review accept Markdown, JSON and files', async () => {
    const number = String(await desk.request(page('New', 'y\n')));
    const submit = (comment: string) =>
      json(
        'cr',
        'reviews',
        'submit',
        number,
        '--space',
        'Guide',
        '--status',
        'approved',
        '--comment',
        comment,
      );
    expect((await submit('Looks *good*.')).comment.body).toEqual({ markdown: 'Looks *good*.' });
    expect((await submit('{"markdown": "As JSON"}')).comment.body).toEqual({ markdown: 'As JSON' });
    expect((await submit('{% hint %}')).comment.body).toEqual({ markdown: '{% hint %}' });
    writeFileSync(desk.at('why.md'), 'From a file.\n');
    expect((await submit(`@${desk.at('why.md')}`)).comment.body).toEqual({ markdown: 'From a file.' });
  });

  it('that are missing or empty are reported with the name of the option', async () => {
    expect(await desk.run(['spaces', 'comments', 'create', 'Guide'])).toMatchObject({
      exit: 64,
      stderr:
        'error: --text is required.\nhint: Add --text MARKDOWN. You can also give the whole body with --body FILE. For example: `docsctl spaces comments create Guide --text "Who owns this?"`\n',
    });
    const empty = { exit: 64, stderr: expect.stringContaining('error: --text is empty.') };
    for (const text of ['', ' \n'])
      for (const words of [
        'create Guide',
        'update com_1',
        'replies create com_1',
        'replies update rpl_1 --comment com_1',
      ])
        expect(
          await desk.run(['spaces', 'comments', ...words.split(' '), '--space', 'Guide', '--text', text]),
        ).toMatchObject(empty);
    expect((await desk.run(['translations', 'glossary', 'update'])).stderr).toMatch(
      'error: No operations are given.\nhint: Add --operations OPERATIONS or --delete ENTRY. You can also give the whole body with --body FILE.',
    );
    const number = String(await desk.request());
    expect((await desk.run(['cr', 'content', 'update', number, '--space', 'Guide'])).stderr).toContain(
      'Add --changes CHANGES, --insert-page TITLE or --delete-page PAGE. You can also give the whole body with --body FILE.',
    );
  });
});

describe('the words of a command line', () => {
  it('are not read as nouns if they are values of options', async () => {
    expect(await json('--org', 'Acme', 'spaces', 'create', '--title', 'comments')).toMatchObject({
      title: 'comments',
    });
    expect(await json('spaces', '--query', 'count', 'comments', 'list', 'comments')).toBe(0);
  });

  it('set a field to false with --no- in front', async () => {
    await desk.done(['sites', 'create', '--title', 'Docs']);
    const { id } = await json('sites', 'share-links', 'create', 'Partners', '--site', 'Docs');
    expect(await json('sites', 'share-links', 'update', id, '--site', 'Docs', '--no-active')).toMatchObject({
      active: false,
    });
    expect(await json('sites', 'share-links', 'update', id, '--site', 'Docs', '--active')).toMatchObject({
      active: true,
    });
    expect(
      await json('sites', 'share-links', 'update', id, '--site', 'Docs', '--name', 'Friends'),
    ).toMatchObject({ active: true, name: 'Friends' });
  });
});

describe('docsctl help', () => {
  it.each([
    ['conversations analyse --help', 'Did you mean `docsctl conversations analysis`?'],
    ['help conversations analyse', 'Did you mean `docsctl conversations analysis`?'],
    ['sites sections ad -h', 'Did you mean `docsctl sites sections add`?'],
    ['spacs --help', 'Did you mean `docsctl spaces`?'],
    ['hlep', 'Did you mean `docsctl help`?'],
    ['help zzzzzzzzzzzz', 'To see the commands, run `docsctl --help`.'],
    ['list spaces', 'The noun comes first: `docsctl spaces list`.'],
    ['section list --site Docs', 'Did you mean `docsctl sites sections list`?'],
    ['spaces zzzzzzzzzzzz --help', 'Commands of `docsctl spaces`: '],
  ])('refuses words that are not a command: %s', async (words, hint) => {
    expect(await desk.run(words.split(' '))).toMatchObject({
      exit: 64,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^error: Unknown command "\\w+"\\.\nhint: ${hint.replaceAll('?', '\\?')}`),
      ),
    });
  });

  it.each([
    'conversations --help',
    'help sites sections',
    'sites sections add --help',
    'cr comments --help',
    '--org x spaces list --help',
    'spaces list --title zzz --help',
  ])('is printed for a command: %s', async (words) => {
    expect((await desk.done(words.split(' '))).stdout).toContain('Usage: docsctl');
  });

  it('shows a summary for nouns without operations', async () => {
    const { stdout } = await desk.done(['--help']);
    for (const [word, { summary }] of Object.entries(compositeNouns))
      expect(stdout).toMatch(new RegExp(`^ +${word} +${summary}$`, 'm'));
    expect(compositeCommands.filter(({ words }) => Object.hasOwn(compositeNouns, words))).toEqual([]);
  });

  it('lists the options of a command, and refers to the options of every command', async () => {
    for (const words of [['pages', 'show'], ['spaces', 'links'], ['serve']]) {
      const { stdout } = await desk.done([...words, '--help']);
      expect(stdout).toMatch(/^ +--(?:revision|fail-on|port) /m);
      expect(stdout).not.toMatch(/^ +--(?:store|columns|yes)/m);
      expect(stdout).toContain('docsctl help options');
    }
    expect((await desk.done(['help', 'options'])).stdout).toMatch(
      /--store <url>[^]*--columns <list>[^]*--yes/,
    );
  });

  it('shows the structure of options that take JSON', async () => {
    const text = async (...words: string[]) =>
      (await desk.done([...words, '--help'])).stdout.replace(/\s+/g, ' ');
    expect(await text('cr', 'comments', 'create')).toContain('as JSON: {"record": "…", "definition": "…"}');
    expect(await text('cr', 'reviews', 'submit')).toContain('--comment <markdown>');
    expect(shapeOf(MergeRules as never)).toBe(
      '{"type": "inherit"|"none"} or {"type": "rules", "rules": [{…}…]}',
    );
  });
});

it('an error about arguments ends with exactly one period', async () => {
  const { exit, stderr } = await desk.run(['spaces', 'list', 'one', 'two']);
  expect(exit).toBe(64);
  expect(stderr.split('\n')[0]).toMatch(/[^.]\.$/);
});
