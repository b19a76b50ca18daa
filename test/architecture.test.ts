import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

/** The floors of the house: a file imports from its own floor or from one below, never from above. */
const floors: Record<string, number> = {
  errors: 0,
  contract: 1,
  core: 2,
  richtext: 2,
  pdf: 2,
  analysis: 2,
  conditions: 2,
  saml: 2,
  specification: 2,
  translation: 2,
  'markdown-folder': 4,
  resources: 3,
  stores: 4,
  server: 4,
  client: 4,
  manifest: 4,
  description: 4,
  cli: 5,
  'wiring.ts': 7,
  'main.ts': 7,
};

/** Where going up is meant: the session opens the Api that wiring.ts picks, and commands open stores through it. */
const allowedUp = [
  /^cli\/session\.ts → wiring\.ts$/,
  /^cli\/commands\/(init|serve|login)\.ts → wiring\.ts$/,
  /^cli\/manifest\/rehearse\.ts → wiring\.ts$/,
  /^wiring\.ts/,
];

/** Each package has one home. */
const homes: Record<string, RegExp> = {
  commander: /^cli\//,
  '@inquirer/prompts': /^cli\/prompts\.ts$/,
  conf: /^cli\/settings-file\.ts$/,
  chalk: /^cli\/output\//,
  'cli-table3': /^cli\/output\//,
  jmespath: /^cli\/output\//,
  undici: /^client\/(transport|outgoing)\.ts$/,
  fastify: /^server\//,
  '@photostructure/sqlite': /^stores\//,
  '@sinclair/typebox': /^contract\//,
  execa: /^cli\/(editor|git-checkout)\.ts$/,
  ulid: /^core\/ids\.ts$/,
  minisearch: /^stores\//,
  diff: /^richtext\//,
  pdfkit: /^pdf\//,
  acorn: /^conditions\//,
  ajv: /^core\/json-schema\.ts$/,
  'ajv-formats': /^core\/json-schema\.ts$/,
  jose: /^core\/jwt\.ts$/,
  '@node-saml/node-saml': /^saml\//,
  'fast-xml-parser': /^saml\//,
  '@readme/openapi-parser': /^specification\//,
  graphology: /^analysis\//,
  'graphology-communities-louvain': /^analysis\//,
  stemmer: /^analysis\//,
  'csv-parse': /^cli\//,
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly dynamic: boolean;
  readonly typeOnly: boolean;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const found: Import[] = [];
  for (const [, typeOnly, target] of text.matchAll(
    /^(?:import|export) (type )?(?:[^'";]*? from )?'([^']+)'/gm,
  ))
    found.push({ from: file, to: resolve(file, target!), dynamic: false, typeOnly: typeOnly !== undefined });
  for (const [, target] of text.matchAll(/\bimport\('([^']+)'\)/g))
    found.push({ from: file, to: resolve(file, target!), dynamic: true, typeOnly: false });
  return found;
}

function resolve(file: string, target: string): string {
  return target.startsWith('.') ? normalize(join(dirname(file), target)) : target;
}

function floorOf(file: string): number | undefined {
  return floors[file.split('/')[0]!];
}

const files = sources(src);
const imports = files.flatMap(importsOf);

describe('the house', () => {
  it('gives every file a floor', () => {
    expect(files.filter((file) => floorOf(file) === undefined)).toEqual([]);
  });

  it('imports downwards only', () => {
    const up = imports
      .filter(({ from, to }) => existsSync(join(src, to)) && floorOf(to)! > floorOf(from)!)
      .map(({ from, to }) => `${from} → ${to}`);
    expect(up.filter((line) => !allowedUp.some((allowed) => allowed.test(line)))).toEqual([]);
  });

  it('keeps stores, server, client and description apart', () => {
    const sideways = imports
      .filter(
        ({ from, to }) => floorOf(from) === 4 && floorOf(to) === 4 && from.split('/')[0] !== to.split('/')[0],
      )
      .map(({ from, to }) => `${from} → ${to}`);
    expect(
      sideways.filter((line) => !line.startsWith('server/') || !line.includes('→ description/')),
    ).toEqual([]);
  });

  it('gives each package one home', () => {
    const astray = imports.filter(({ from, to }) => {
      const name = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : to.split('/')[0]!;
      return homes[name] !== undefined && !homes[name].test(from);
    });
    expect(astray.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('keeps declarations free of logic', () => {
    const isData = /^resources\/.*\/(contract|declarations|schemas|base)\.ts$/;
    const contracts = files.filter((file) => isData.test(file));
    const other = contracts
      .flatMap(importsOf)
      .filter(({ to, typeOnly }) => !typeOnly && !to.startsWith('contract/') && !isData.test(to));
    expect(other.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('lets manifests know of resources what is declared, and nothing of how it is done', () => {
    const isData = /^resources\/.*\/(contract|declarations|schemas|base)\.ts$/;
    const other = imports.filter(
      ({ from, to }) => from.startsWith('manifest/') && to.startsWith('resources/') && !isData.test(to),
    );
    expect(other.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('loads handlers only through the table of contents', () => {
    const direct = imports.filter(
      ({ from, to, typeOnly }) =>
        to.endsWith('/handlers.ts') && !/^resources\/(content\/)?index\.ts$/.test(from) && !typeOnly,
    );
    expect(direct.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it('reads the process in main.ts only', () => {
    const readers = files.filter(
      (file) =>
        file !== 'main.ts' &&
        /(?<![\w.'"/-])process\.(env|argv|stdout|stderr|stdin|exit|cwd|on|exitCode)\b/.test(
          readFileSync(join(src, file), 'utf8'),
        ),
    );
    expect(readers).toEqual([]);
  });

  it('keeps files small', () => {
    const lengths = files.map((file) => ({
      file,
      lines: readFileSync(join(src, file), 'utf8').split('\n').length,
    }));
    expect(lengths.filter(({ lines }) => lines > 300)).toEqual([]);
  });
});

describe('start-up', () => {
  const meta = fileURLToPath(new URL('../dist/meta.json', import.meta.url));

  it.skipIf(!existsSync(meta))(
    'loads commander and our own small files before a command is known, and nothing else',
    () => {
      const { outputs } = JSON.parse(readFileSync(meta, 'utf8')) as {
        outputs: Record<
          string,
          {
            entryPoint?: string;
            pack: string;
            imports: { path: string; kind: string }[];
            inputs: Record<string, { bytesInOutput: number }>;
          }
        >;
      };
      const entry = Object.entries(outputs).find(([, output]) => output.entryPoint === 'src/main.ts')![0];
      const program = Object.entries(outputs).find(
        ([, output]) => output.entryPoint === 'src/cli/program.ts',
      )![0];
      const closure = new Set<string>();
      const visit = (path: string): void => {
        if (closure.has(path) || outputs[path] === undefined) return;
        closure.add(path);
        for (const { path: next, kind } of outputs[path].imports)
          if (kind === 'import-statement') visit(next);
      };
      visit(entry);
      visit(program);
      // What shares a file with them is read and compiled with them.
      const packs = new Set([...closure].map((path) => outputs[path]!.pack));
      for (const [path, { pack }] of Object.entries(outputs)) if (packs.has(pack)) closure.add(path);
      const packages = new Set(
        [...closure]
          .flatMap((path) => Object.entries(outputs[path]!.inputs))
          .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
          .map(([input]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1])
          .filter((name) => name !== undefined),
      );
      expect([...packages]).toEqual(['commander']);
      const bytes = [...closure]
        .flatMap((path) => Object.values(outputs[path]!.inputs))
        .reduce((sum, { bytesInOutput }) => sum + bytesInOutput, 0);
      expect(bytes).toBeLessThan(160_000);
    },
  );
});
