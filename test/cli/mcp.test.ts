import { beforeAll, describe, expect, it } from 'vitest';
import { compositeCommands } from '../../src/cli/commands/index.ts';
import { listCommands, type CommandEntry } from '../../src/cli/commands/commands.ts';
import { argvOf, isCallable, isReading, textForTools, toolOf, toolsOf } from '../../src/cli/mcp/tools.ts';
import { runtimeOf } from '../support/cli.ts';

describe('tools of the MCP server', () => {
  let offered: readonly CommandEntry[];
  beforeAll(async () => {
    const { commands } = await listCommands(runtimeOf([], { home: '/nowhere' }).runtime);
    offered = commands.filter(isCallable);
  });

  it('have names and fields that clients accept', () => {
    expect(offered.length).toBeGreaterThan(190);
    for (const command of offered) {
      const { name, inputSchema } = toolOf(command);
      expect(name).toMatch(/^[\w-]{1,64}$/);
      for (const key of Object.keys(inputSchema.properties)) expect(key).toMatch(/^[\w-]{1,64}$/);
      for (const key of inputSchema.required ?? []) expect(inputSchema.properties).toHaveProperty(key);
    }
  });

  it('never use files or settings of this machine', () => {
    const composites = new Set(compositeCommands.map(({ words }) => words));
    expect(offered.filter(({ id }) => composites.has(id)).map(({ id }) => id)).toEqual([
      'access explain',
      'access report',
      'audit list',
      'change-requests diff',
      'change-requests list',
      'change-requests merge',
      'change-requests sync',
      'collections permissions list',
      'collections permissions remove',
      'commands',
      'conversations clusters draft',
      'conversations clusters show',
      'openapi diff',
      'openapi refresh',
      'pages copy',
      'pages create',
      'pages delete',
      'pages edit',
      'pages list',
      'pages move',
      'pages rename',
      'pages show',
      'revisions diff',
      'revisions restore',
      'saml create',
      'saml get',
      'saml update',
      'sites check',
      'sites permissions list',
      'sites permissions remove',
      'sites redirects check',
      'sites structure',
      'spaces links',
      'spaces permissions list',
      'spaces permissions remove',
      'teams members get',
      'tokens get',
      'translations create',
      'translations run',
      'translations update',
      'whoami',
    ]);
    const offersOf = ({ options, ...command }: CommandEntry) =>
      Object.keys(toolOf({ ...command, arguments: [], options }).inputSchema.properties);
    const files = ['body', 'file', 'force', 'out', 'root'];
    expect(offered.flatMap(offersOf).filter((name) => files.includes(name))).toEqual([]);
  });

  it('never use git repositories of this machine', () => {
    const git = offered.map(({ id }) => id).filter((id) => id.startsWith('spaces git'));
    expect(git).toEqual(['spaces git disconnect', 'spaces git info', 'spaces git runs']);
  });

  it.each(['sites publishing-auth get', 'sites share-links list', 'invites list'])(
    'for `%s` return secrets, so they are not offered as read-only',
    (id) => {
      const command = offered.find((one) => one.id === id);
      expect(command && isReading(command)).toBe(false);
    },
  );

  it('are marked as read-only if they only read', () => {
    expect(offered.filter(isReading).length).toBeGreaterThan(90);
    for (const command of offered)
      if (/ (?:create|update|delete|merge|add|move|invite)$/.test(command.id))
        expect(isReading(command)).toBe(false);
  });

  it('accept lists for repeated arguments, with at least one item if the argument is required', () => {
    const command = offered.find(({ id }) => id === 'sites sections add')!;
    const argument = { ...command.arguments[0]!, name: 'space', variadic: true };
    const fieldOf = (required: boolean) => {
      const { properties, required: needed } = toolOf({
        ...command,
        arguments: [{ ...argument, required }],
      }).inputSchema;
      return [properties['space'], needed?.includes('space') === true];
    };
    expect(fieldOf(true)).toMatchObject([{ type: 'array', items: { type: 'string' }, minItems: 1 }, true]);
    expect(fieldOf(false)).toMatchObject([{ type: 'array' }, false]);
  });

  it('accept the words of a search as one text', () => {
    const { properties } = toolOf(offered.find(({ id }) => id === 'search')!).inputSchema;
    expect(properties['query']).toEqual({ type: 'string', description: 'words to search for' });
  });

  it('describe common fields only once, and leave out descriptions that repeat the name', () => {
    const { tools, fields } = toolsOf(offered.filter(isReading));
    const propertiesOf = (name: string) =>
      tools.find(({ tool }) => tool.name === name)!.tool.inputSchema.properties;
    expect(fields).toContain(
      '`computed`: show the pages that are generated from OpenAPI specifications and by integrations',
    );
    expect(propertiesOf('spaces_pages_list')).toMatchObject({ computed: { type: 'boolean' } });
    expect(propertiesOf('spaces_pages_list')['space']).not.toHaveProperty('description');
    expect(propertiesOf('spaces_list')['title']).toHaveProperty('description');
    expect(JSON.stringify(tools.map(({ tool }) => tool))).not.toMatch(/--no-|\(repeatable\)|standard input/);
    expect(JSON.stringify(toolsOf(offered).tools.map(({ tool }) => tool))).not.toContain('@FILE');
  });

  it('describe a field that has a common name but another meaning', () => {
    const { tools } = toolsOf(offered);
    const fieldOf = (name: string, key: string) =>
      tools.find(({ tool }) => tool.name === name)!.tool.inputSchema.properties[key];
    expect(fieldOf('spaces_list', 'page')).toEqual({ type: 'string' });
    expect(fieldOf('spaces_list', 'limit')).toEqual({ type: 'number' });
    expect(fieldOf('spaces_links', 'page')).toEqual({
      type: 'string',
      description: 'only links on this page of one space, by path, title or ID',
    });
    expect(fieldOf('spaces_comments_create', 'page')).toHaveProperty('description');
    expect(fieldOf('integrations_enable-dev', 'all')).toHaveProperty('description');
  });

  it('accept the ID of a change request as well as its number', () => {
    for (const id of ['pages show', 'spaces links']) {
      const { properties } = toolOf(offered.find((one) => one.id === id)!).inputSchema;
      expect(properties['change-request']).toMatchObject({ type: 'string' });
    }
  });

  it('do not mention files or an editor', () => {
    const toolNamed = (id: string) => toolOf(offered.find((one) => one.id === id)!);
    expect(toolNamed('change-requests merge').inputSchema.properties['edited']).toMatchObject({
      description:
        'replace a page that has conflicts, by the path in the error, with this text, as PAGE=TEXT',
    });
    expect(toolNamed('openapi diff').inputSchema.properties['to']).toMatchObject({
      description: 'later version (default: latest)',
    });
    expect(toolNamed('pages edit').description).toBe('Edit a page, through a change request');
    expect(toolNamed('pages edit').inputSchema.required).toContain('text');
  });

  it.each([
    [
      'saml create',
      'To see the fields of the body, run `docsctl saml create --skeleton`.',
      'To see the fields of the body, call the tool `help`.',
    ],
    ['spaces list', 'Add --all to show the rest:\n  --page abc', 'Add `all` to show the rest:\n  `page` abc'],
    [
      'openapi create',
      'Add --url URL or --text @FILE. You can also give the whole body with --body FILE.',
      'Add `url` URL or `text` TEXT.',
    ],
    [
      'change-requests merge',
      'Merge again with --edit and keep the lines of one side, or add `--ours /a` or `--theirs /a`.',
      'Merge again and add `ours` /a or `theirs` /a.',
    ],
    [
      'sites get',
      'Run `docsctl sites delete Docs --yes` or `docsctl sites list --all`.',
      'Run `docsctl sites delete Docs` or `docsctl sites list --all`.',
    ],
  ])('say what clients can do: %s', (id, text, said) => {
    expect(textForTools(text, toolOf(offered.find((one) => one.id === id)!).inputSchema)).toBe(said);
  });

  it('accept several values if the command does', () => {
    const { properties } = toolOf(offered.find(({ id }) => id === 'change-requests list')!).inputSchema;
    expect(properties['status']).toEqual({
      type: 'string',
      description:
        'only change requests with this status; all: any status (draft, open, archived, merged; separate several by commas)',
    });
  });

  it('pass the value of a switch on, so that a wrong one is refused', () => {
    const command = offered.find(({ id }) => id === 'spaces list')!;
    expect(argvOf(command, { all: true })).toEqual(['--all']);
    expect(argvOf(command, { all: false })).toEqual([]);
    expect(argvOf(command, { all: 'yes' })).toEqual(['--all=yes']);
  });

  it('are small enough for the context of a model', () => {
    const sizeOf = (commands: readonly CommandEntry[]) =>
      JSON.stringify(toolsOf(commands).tools.map(({ tool }) => tool)).length;
    expect(sizeOf(offered.filter(isReading))).toBeLessThan(90_000);
    expect(sizeOf(offered)).toBeLessThan(210_000);
  });

  it('pass arguments after "--", so that no value is read as an option', () => {
    const command = offered.find(({ id }) => id === 'sites sections add')!;
    expect(argvOf(command, { space: '--body=x', site: 'Docs', title: 'A b' })).toEqual([
      '--site=Docs',
      '--title=A b',
      '--',
      '--body=x',
    ]);
  });
});
