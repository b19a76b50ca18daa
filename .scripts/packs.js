import { basename } from 'node:path';

/**
 * Sources that are loaded together, by the file into which they are packed. A file also gets everything that its sources
 * import, unless an earlier file has it.
 *
 * @type {readonly (readonly [pack: string, sources: readonly string[]])[]}
 */
const together = [
  ['start', ['src/main.ts', 'src/cli/program.ts', 'src/cli/output/process-output.ts']],
  ['help', ['src/cli/help/help-page.ts']],
  [
    'command',
    [
      'src/cli/operation-command.ts',
      'src/contract/operation.ts',
      'src/contract/shapes.ts',
      'src/cli/suggestions.ts',
    ],
  ],
  // The noun that most commands are about.
  ['spaces', ['src/resources/spaces/contract.ts']],
  [
    'session',
    [
      'src/wiring.ts',
      'src/core/ids.ts',
      'src/contract/entity-tag.ts',
      'src/cli/results/print-list.ts',
      'src/cli/output/printer.ts',
      'src/cli/output/json.ts',
      'src/cli/output/columns.ts',
      'src/cli/output/table.ts',
      'src/cli/results/table-views.ts',
      // Commands look up their organization.
      'src/resources/organizations/contract.ts',
    ],
  ],
  ['remote', ['src/client/remote-api.ts', 'src/client/connection.ts', 'src/client/first-requests.ts']],
  [
    'embedded',
    [
      'src/stores/index.ts',
      'src/stores/sqlite/sqlite.ts',
      'src/stores/blobs/location.ts',
      'src/resources/tables.ts',
      'src/resources/index.ts',
      'src/resources/engines.ts',
      'src/core/secrets.ts',
      'src/core/server-urls.ts',
      'src/core/embedded.ts',
      'src/resources/organizations/handlers.ts',
      'src/resources/spaces/handlers.ts',
    ],
  ],
  ['write', ['src/core/audit/record-call.ts', 'src/core/workers.ts', 'src/cli/session/history.ts']],
];

/** The packs that the most frequent commands load. */
export const frequentPacks = together.map(([pack]) => pack);

/** Small packages that nearly every command needs. A chunk with any other package stays a separate file. */
const light = new Set(['commander', '@sinclair/typebox', 'ulid', 'fractional-indexing']);

/**
 * Returns a function that chooses the file for an output of esbuild. Outputs that are not listed above are packed by the
 * folder of their sources.
 *
 * @param {import('esbuild').Metafile} metafile
 * @returns {(path: string) => string}
 */
export function choosePacks({ outputs }) {
  /** @type {Map<string, string>} */
  const chosen = new Map();
  for (const [pack, sources] of together) {
    /** @param {string} path */
    const visit = (path) => {
      const output = outputs[path];
      if (chosen.has(path) || output === undefined) return;
      chosen.set(path, pack);
      for (const { path: next, kind } of output.imports) if (kind === 'import-statement') visit(next);
    };
    for (const source of sources) {
      const found = Object.entries(outputs).filter(
        ([, { entryPoint, inputs }]) => entryPoint === source || (inputs[source]?.bytesInOutput ?? 0) > 0,
      );
      if (found.length === 0) throw new Error(`${source} is in no chunk; see together in packs.js.`);
      for (const [path] of found) visit(path);
    }
  }
  return (path) => chosen.get(path) ?? byFolder(path, outputs[path]);
}

/**
 * @param {string} path
 * @param {import('esbuild').Metafile['outputs'][string] | undefined} output
 */
function byFolder(path, output) {
  const sources = [
    ...(output?.entryPoint === undefined ? [] : [output.entryPoint]),
    ...Object.entries(output?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [input] : [],
    ),
  ];
  const packages = sources
    .map((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1])
    .filter((found) => found !== undefined);
  if (packages.some((found) => !light.has(found))) return basename(path, '.js');
  // A chunk that is loaded by itself belongs to the folder of its entry, whatever small parts are in it too.
  const deciding = output?.entryPoint === undefined ? sources : [output.entryPoint];
  const homes = new Set(
    deciding.map((source) => /^src\/(resources\/[^/]+|cli\/commands|[^/]+)\//.exec(source)?.[1]),
  );
  const [home] = homes;
  return homes.size === 1 && home !== undefined ? home.replace('/', '-') : 'shared';
}
