import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** The floors of the house. A file imports from its own room and from rooms on lower floors, never from a higher one. */
const floors: Record<string, number> = {
  'main.ts': 7,
  'thread.ts': 7,
  'wiring.ts': 7,
  cli: 6,
  server: 5,
  client: 5,
  description: 5,
  'static-site': 5,
  manifest: 4,
  'content-sync': 4,
  ingest: 4,
  publishing: 4,
  'app-pages': 4,
  stores: 4,
  resources: 3,
  content: 2,
  richtext: 2,
  pdf: 2,
  analysis: 2,
  conditions: 2,
  render: 2,
  contentkit: 2,
  saml: 2,
  'script-runtime': 2,
  specification: 2,
  translation: 2,
  core: 2,
  contract: 1,
  files: 1,
  redaction: 1,
  errors: 0,
};

/** Imports between two rooms of one floor. Every other pair is refused. */
const sideways = new Set([
  'analysis → core',
  'analysis → richtext',
  'app-pages → content-sync',
  'app-pages → publishing',
  'content → conditions',
  'content → core',
  'content → richtext',
  'content → specification',
  'content-sync → manifest',
  'contentkit → richtext',
  'main.ts → thread.ts',
  'main.ts → wiring.ts',
  'pdf → richtext',
  'render → richtext',
  'render → specification',
  'script-runtime → core',
  'server → description',
  'specification → richtext',
  'translation → core',
  'thread.ts → wiring.ts',
  'translation → richtext',
]);

/** The one home of each npm package. A package that is missing here may be imported nowhere. */
const homes: Record<string, RegExp> = {
  '@inquirer/prompts': /^cli\/prompts\.ts$/,
  '@jitl/quickjs-wasmfile-release-sync': /^script-runtime\//,
  '@modelcontextprotocol/server': /^(cli\/mcp\/|publishing\/mcp-answer\.ts)/,
  '@node-saml/node-saml': /^saml\//,
  '@photostructure/sqlite': /^stores\//,
  '@readme/openapi-parser': /^specification\//,
  '@sinclair/typebox': /^contract\/(schema|check|compile-check)\.ts$/,
  '@xmldom/xmldom': /^saml\//,
  acorn: /^(conditions\/|content-sync\/read-literal\.ts|script-runtime\/check-syntax\.ts)/,
  aws4fetch: /^stores\/blobs\//,
  ajv: /^core\/json-schema\.ts$/,
  'ajv-formats': /^core\/json-schema\.ts$/,
  chalk: /^cli\/output\//,
  'cli-table3': /^cli\/output\//,
  commander: /^cli\//,
  conf: /^cli\/settings\/settings-file\.ts$/,
  'csv-parse': /^ingest\//,
  diff: /^richtext\//,
  execa: /^(cli\/commands\/pages\/editor|content-sync\/run-git)\.ts$/,
  fastify: /^server\//,
  'fractional-indexing': /^(core|content|resources)\//,
  gemoji: /^render\//,
  'highlight.js': /^render\/highlighter\.js$/,
  'image-size': /^content\//,
  jmespath: /^cli\/output\//,
  jose: /^core\/jwt\.ts$/,
  katex: /^render\/math\.ts$/,
  'lz-string': /^resources\/integrations\//,
  'mdast-util-from-markdown': /^richtext\//,
  'mdast-util-gfm': /^richtext\//,
  'mdast-util-to-markdown': /^richtext\//,
  'micromark-core-commonmark': /^richtext\//,
  'micromark-extension-gfm': /^richtext\//,
  'micromark-factory-space': /^richtext\//,
  'micromark-util-character': /^richtext\//,
  'micromark-util-types': /^richtext\//,
  mdast: /^richtext\//,
  pdfkit: /^pdf\//,
  pg: /^stores\/postgres\/connections\.ts$/,
  pino: /^server\/log\.ts$/,
  'quickjs-emscripten-core': /^script-runtime\//,
  ulid: /^core\/ids\.ts$/,
  undici: /^client\/(dispatcher|outgoing)\.ts$/,
  // Reading is in richtext; the other one writes.
  yaml: /^(richtext\/|cli\/output\/yaml\.ts)/,
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isDynamic: boolean;
  readonly isTypeOnly: boolean;
}

const files = readdirSync(src, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
  .map((entry) => relative(src, join(entry.parentPath, entry.name)));

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const to = (specifier: string) =>
    specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier;
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      from: file,
      to: to(moduleRequest.value),
      isDynamic: false,
      isTypeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null
          ? []
          : [{ from: file, to: to(moduleRequest.value), isDynamic: false, isTypeOnly: isType }],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      from: file,
      to: to(text.slice(start + 1, end - 1)),
      isDynamic: true,
      isTypeOnly: false,
    })),
  ];
}

const imports = files.flatMap(importsOf);
const isOurs = new Set(files);
const inside = imports.filter(({ to }) => isOurs.has(to));
const roomOf = (file: string): string => file.split('/')[0]!;
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
const arrow = ({ from, to }: Import): string => `${from} → ${to}`;

/** Groups of files that import each other, directly or around several corners. */
function findCycles(edges: readonly Import[]): string[][] {
  const next = new Map<string, Import[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const { to } of next.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) cycles.push(group);
  };
  for (const file of next.keys()) if (!index.has(file)) visit(file);
  return cycles;
}

const isDeclaration = (file: string): boolean =>
  /^resources\/.*\/(contract|declarations|schemas|base|columns)\.ts$/.test(file) ||
  /^content\/(changes|setting-fields|computed-source)\.ts$/.test(file);

describe('the house', () => {
  it('gives every file a floor', () => {
    expect(files.filter((file) => floors[roomOf(file)] === undefined)).toEqual([]);
    expect(imports.length).toBeGreaterThan(1000);
  });

  it('imports only files that exist', () => {
    expect(inside.filter(({ to }) => !existsSync(join(src, to))).map(arrow)).toEqual([]);
  });

  it('has no file that nothing imports', () => {
    const imported = new Set(inside.map(({ to }) => to));
    // The others run in processes of their own, and some in QuickJS and workerd.
    const entries = [
      'main.ts',
      'render/client/draw-diagrams.ts',
      'render/client/early.ts',
      'render/client/site.ts',
      // The build runs it.
      'render/styles/widths.ts',
      'script-runtime/guest/index.ts',
      'script-runtime/guest/workerd-module.ts',
      'script-runtime/guest/workerd-script.ts',
      'script-runtime/runner-process.ts',
      'static-site/client/finder.ts',
    ];
    expect(files.filter((file) => !file.endsWith('.d.ts') && !imported.has(file))).toEqual(
      files.filter((file) => entries.includes(file)),
    );
  });

  it('imports downwards only', () => {
    const up = inside.filter(({ from, to }) => floors[roomOf(to)]! > floors[roomOf(from)]!);
    expect(up.map(arrow)).toEqual([]);
  });

  it('imports from a neighbor on the same floor only where the table says so', () => {
    const pairs = inside
      .filter(({ from, to }) => roomOf(from) !== roomOf(to) && floors[roomOf(from)] === floors[roomOf(to)])
      .map((one) => ({ pair: `${roomOf(one.from)} → ${roomOf(one.to)}`, line: arrow(one) }));
    expect(pairs.filter(({ pair }) => !sideways.has(pair)).map(({ line }) => line)).toEqual([]);
    expect([...sideways].filter((pair) => !pairs.some((one) => one.pair === pair))).toEqual([]);
  });

  it('has no import cycle, type imports included', () => {
    expect(findCycles(inside.filter(({ isDynamic }) => !isDynamic))).toEqual([]);
  });

  it('gives each package one home', () => {
    const packages = imports.filter(
      ({ to }) => !isOurs.has(to) && !to.startsWith('node:') && !builtinModules.includes(to),
    );
    const astray = packages.filter(({ from, to }) => homes[packageOf(to)]?.test(from) !== true);
    expect(astray.map(arrow)).toEqual([]);
    const unused = Object.keys(homes).filter((name) => !packages.some(({ to }) => packageOf(to) === name));
    expect(unused).toEqual([]);
  });

  it('keeps declarations free of logic', () => {
    const other = imports.filter(
      ({ from, to, isTypeOnly }) =>
        isDeclaration(from) && !isTypeOnly && !to.startsWith('contract/') && !isDeclaration(to),
    );
    expect(other.map(arrow)).toEqual([]);
  });

  it('lets manifests import declarations of resources, and no logic', () => {
    const other = inside.filter(
      ({ from, to }) => from.startsWith('manifest/') && to.startsWith('resources/') && !isDeclaration(to),
    );
    expect(other.map(arrow)).toEqual([]);
  });

  it('loads handlers only through the table of contents', () => {
    const direct = inside.filter(
      ({ from, to, isTypeOnly }) =>
        to.endsWith('/handlers.ts') && !/^resources\/(content\/)?index\.ts$/.test(from) && !isTypeOnly,
    );
    expect(direct.map(arrow)).toEqual([]);
  });

  it('reads the process in main.ts only', () => {
    const reads = /(?<![\w.'"/-])process\.(env|argv|stdout|stderr|stdin|exit|cwd|on|exitCode)\b/;
    const readers = files.filter(
      (file) => file !== 'main.ts' && reads.test(readFileSync(join(src, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  it('parses addresses with parseUrl, because URL.canParse is wrong in Node 20', () => {
    const callers = files.filter((file) => readFileSync(join(src, file), 'utf8').includes('URL.canParse('));
    expect(callers).toEqual([]);
  });

  it('creates folders with makeFolders, because the recursive mkdir of Node 20 may never return', () => {
    const callers = files.filter((file) =>
      /mkdir(?:Sync)?\([^;]*recursive: true/.test(readFileSync(join(src, file), 'utf8')),
    );
    expect(callers).toEqual([]);
  });

  it('keeps files small and lines short', () => {
    const texts = files.map((file) => ({ file, lines: readFileSync(join(src, file), 'utf8').split('\n') }));
    expect(texts.filter(({ lines }) => lines.length > 400).map(({ file }) => file)).toEqual([]);
  });

  it('keeps no stray files beside the folders, such as a log that a pager wrote', () => {
    const names = readdirSync(fileURLToPath(new URL('..', import.meta.url)));
    expect(names).toContain('package.json');
    expect(names.filter((name) => !/^\.?\w[\w-]*(?:\.\w+)*$/.test(name))).toEqual([]);
  });
});

describe('the fast tests', () => {
  it('start neither PostgreSQL nor the built program', () => {
    const test = fileURLToPath(new URL('.', import.meta.url));
    const fast = readdirSync(test, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /(?<!\.slow)\.test\.ts$/.test(path) && !path.startsWith('browser'),
    );
    expect(fast).toContain('architecture.test.ts');
    const starts = /from '[^']*\/(?:support\/postgres(?:-faults|-server)?|process\/[^']*)\.ts'/;
    const wrong = fast.filter(
      (path) => path.startsWith('process') || starts.test(readFileSync(join(test, path), 'utf8')),
    );
    expect(wrong, 'To be named *.slow.test.ts').toEqual([]);
  });
});

describe('start-up', () => {
  type Outputs = Record<
    string,
    {
      entryPoint?: string;
      pack: string;
      imports: { path: string; kind: string }[];
      inputs: Record<string, { bytesInOutput: number }>;
    }
  >;
  const meta = fileURLToPath(new URL('../dist/meta.json', import.meta.url));
  const readOutputs = () => (JSON.parse(readFileSync(meta, 'utf8')) as { outputs: Outputs }).outputs;
  /** The outputs that are loaded with sources. */
  const closureOf = (outputs: Outputs, ...sources: string[]): Set<string> => {
    const closure = new Set<string>();
    const visit = (path: string): void => {
      if (closure.has(path) || outputs[path] === undefined) return;
      closure.add(path);
      for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') visit(next);
    };
    for (const source of sources) {
      const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)!;
      visit(path);
    }
    return closure;
  };
  const inputsOf = (outputs: Outputs, closure: Iterable<string>): string[] =>
    [...closure].flatMap((path) =>
      Object.entries(outputs[path]!.inputs).flatMap(([input, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [input] : [],
      ),
    );

  it('serves the API without what pages are made with', () => {
    const outputs = readOutputs();
    const inputs = inputsOf(outputs, closureOf(outputs, 'src/server/index.ts'));
    const rooms = new Set(inputs.map((path) => /^src\/([^/]+)/.exec(path)?.[1]));
    expect([...rooms]).toContain('server');
    for (const room of ['app-pages', 'publishing', 'render', 'richtext'])
      expect([...rooms]).not.toContain(room);
  });

  it('prints a list without the declarations of resources', () => {
    const outputs = readOutputs();
    const inputs = inputsOf(outputs, closureOf(outputs, 'src/cli/results/print-list.ts'));
    expect(inputs).toContain('src/cli/results/table-views.ts');
    expect(inputs.filter((path) => /^src\/resources\/.*\/(?:contract|schemas)\.ts$/.test(path))).toEqual([]);
  });

  it('shows the help of spaces without what runs their commands', () => {
    const outputs = readOutputs();
    const closure = closureOf(outputs, 'src/resources/spaces/contract.ts');
    expect(new Set([...closure].map((path) => outputs[path]!.pack))).toEqual(
      new Set(['spaces', 'command', 'start']),
    );
  });

  it('loads commander and our own small files before a command is known, and nothing else', () => {
    const outputs = readOutputs();
    const closure = closureOf(outputs, 'src/main.ts', 'src/cli/program.ts');
    // What shares a file with them is read and compiled with them.
    const packs = new Set([...closure].map((path) => outputs[path]!.pack));
    for (const [path, { pack }] of Object.entries(outputs)) if (packs.has(pack)) closure.add(path);
    const packages = inputsOf(outputs, closure).flatMap(
      (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
    );
    expect([...new Set(packages)]).toEqual(['commander']);
    const bytes = [...closure]
      .flatMap((path) => Object.values(outputs[path]!.inputs))
      .reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0);
    expect(bytes).toBeLessThan(160_000);
  });
});
