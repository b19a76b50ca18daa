import { expect, it } from 'vitest';
import { docsctl } from '../../support/cli.ts';

/** Returns the titles of the sections of a help page, and its first and last lines. */
async function outlineOf(...words: string[]) {
  const { exit, stdout, stderr } = await docsctl([...words, '--help'], { home: '/nowhere' });
  expect([exit, stderr]).toEqual([0, '']);
  const lines = stdout.trimEnd().split('\n');
  return {
    first: lines[0],
    usage: lines.find((line) => line.startsWith('Usage: ')),
    sections: lines.filter((line) => /^\S.*:$/.test(line)),
    last: lines.at(-1),
    text: stdout,
  };
}

it('the help of a command has usage, arguments, options, examples and the request that it sends', async () => {
  const { usage, sections, last, text } = await outlineOf('spaces', 'update');
  expect(usage).toMatch(/^Usage: docsctl spaces update /);
  expect(sections).toEqual(['Arguments:', 'Options:', 'Examples:']);
  expect(text).toMatch(/^Sends PATCH \/\S+ and requires the \S+ role\.$/m);
  expect(last).toBe('Options of every command, such as --org, --output and --yes: docsctl help options');
});

it('the help of a noun lists its commands, the most common ones first', async () => {
  const { usage, sections, last, text } = await outlineOf('collections');
  expect(usage).toBe('Usage: docsctl collections <command> [options]');
  expect(sections.at(-1)).toBe('Examples:');
  expect(last).toBe('docsctl collections <command> --help describes a command.');
  const commands = [...text.matchAll(/^  (\w+) +[A-Z]/gm)].map(([, name]) => name);
  expect(commands.slice(0, 5)).toEqual(['list', 'get', 'create', 'update', 'delete']);
});

it('the help of the program lists all nouns, and help topics', async () => {
  const { usage, text } = await outlineOf();
  expect(usage).toBe('Usage: docsctl <command> [options]');
  expect(text).toMatch(/^docsctl help topics /m);
  for (const noun of ['spaces', 'sites', 'members']) expect(text).toMatch(new RegExp(`^  ${noun} `, 'm'));
});

it('the help keeps lists, with indented continuation lines', async () => {
  const { stdout } = await docsctl(['sites', 'preview', '--help'], {
    home: '/nowhere',
    columns: 80,
    tty: true,
  });
  expect(stdout).toContain(
    [
      '- With --folder, a space is shown as it will be once the folder is imported.',
      '- With --change-request, a space is shown as it will be once the change request',
      '  is merged.',
    ].join('\n'),
  );
});

it('the help wraps the second column of a list between words', async () => {
  const { stdout } = await docsctl(['sites', 'redirects', 'import', '--help'], {
    home: '/nowhere',
    columns: 80,
    tty: true,
  });
  expect(stdout).toContain(
    [
      '  space, path                     lead to this space of the site, by title or',
      '                                  ID, or to its page with this path',
      '  permanent                       true answers with status 308 instead of 307',
    ].join('\n'),
  );
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

it('the help wraps lines on a narrow terminal between words', async () => {
  const { stdout } = await docsctl(['spaces', 'create', '--help'], {
    home: '/nowhere',
    columns: 44,
    tty: true,
  });
  const body = stdout.slice(0, stdout.indexOf('Examples:')).split('\n');
  const options = body.slice(body.indexOf('Options:') + 1);
  expect(options.length).toBeGreaterThan(20);
  expect(options.filter((line) => line.length > 44)).toEqual([]);
});

it('the help does not break a long path of a request', async () => {
  const { stdout } = await docsctl(['change-requests', 'comments', 'replies', 'delete', '--help'], {
    home: '/nowhere',
  });
  expect(stdout).toMatch(
    /^Sends DELETE\n\/v1\/\S+\/replies\/\{commentReplyId\}\nand requires the comment role\.$/m,
  );
});

it('the help of a noun lists nouns with one command as commands, not as groups', async () => {
  const { stdout } = await docsctl(['orgs', '--help'], { home: '/nowhere' });
  const [, commands = '', groups = ''] = stdout.split(/^(?:Commands|Groups of commands):$/m);
  expect(commands).toMatch(/^ {2}change-requests .*\n {2}installations /m);
  expect(groups).toMatch(/^ {2}integrations /m);
  expect(groups).not.toMatch(/change-requests|installations/);
});

it('the help marks options that --body can replace as required only without --body', async () => {
  const helpOf = async (line: string) =>
    (await docsctl([...line.split(' '), '--help'], { home: '/nowhere' })).stdout.replace(/\s+/g, ' ');
  const tokens = await helpOf('tokens create');
  expect(tokens).toContain('options override them. Without --body, required: --role');
  expect(tokens).not.toContain('(required)');
  expect(await helpOf('sites redirects create')).toMatch(
    /--site <site> title, basename or ID of the site \(required\).*Without --body, required: the argument <source>; and one of --url, --section, --site-space, or --space and --path/,
  );
  expect(await helpOf('sites sort')).toMatch(
    /required: one of --site-space, .* or --external-link; and one of --position, --before-site-space, .*--after-section-group, --before-external-link or --after-external-link --skel/,
  );
  // Objects in a list accept only IDs.
  expect(await helpOf('orgs broken-links')).toMatch(
    /have moved since then: .* required: --spaces or --without --skel/,
  );
});

it('the help shows --unset only for fields that have no word for null', async () => {
  const helpOf = async (...words: string[]) =>
    (await docsctl([...words, '--help'], { home: '/nowhere' })).stdout;
  expect(await helpOf('spaces', 'permissions', 'update-team')).not.toContain('--unset');
  expect(await helpOf('spaces', 'update')).toContain('--unset');
});

it('the help shows the kinds of names before the default of an option', async () => {
  const { stdout } = await docsctl(['integrations', 'installations', 'create', '--help'], {
    home: '/nowhere',
  });
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'install it in, by title, hostname or ID (default: the organi',
  );
});

it('the help of a noun lists a command with a hyphen as a command, not as a group', async () => {
  const { text } = await outlineOf('spaces');
  const groups = text.indexOf('Groups of commands:');
  expect(text.indexOf('  git-sync ')).toBeLessThan(groups);
  expect(text.indexOf('  git  ')).toBeGreaterThan(groups);
});
