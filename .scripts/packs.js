import { basename } from 'node:path';

/** What is loaded together goes into one file: the chunks of these sources and all that they import; the first that fits. */
const together = [
  ['main', ['src/main.ts']],
  ['start', ['src/cli/program.ts', 'src/cli/output/stream-sink.ts']],
  ['command', ['src/cli/operation-command.ts', 'src/contract/operation.ts']],
  [
    'embedded',
    [
      'src/wiring.ts',
      'src/cli/print-list.ts',
      'src/cli/output/printer.ts',
      'src/cli/output/json.ts',
      'src/stores/index.ts',
      'src/stores/sqlite/sqlite.ts',
      'src/resources/tables.ts',
      'src/core/ids.ts',
      'src/core/embedded.ts',
    ],
  ],
];

/** Packages that are small and needed by nearly every command; a chunk with any other stays a file of its own. */
const light = new Set(['commander', '@sinclair/typebox', 'ulid', 'fractional-indexing']);

/** Gives the file that an output of esbuild goes into; what is not named above goes by the folder of its sources. */
export function choosePacks({ outputs }) {
  const chosen = new Map();
  for (const [pack, sources] of together) {
    const visit = (path) => {
      if (chosen.has(path) || outputs[path] === undefined) return;
      chosen.set(path, pack);
      for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') visit(next);
    };
    for (const source of sources) {
      const first = Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
      if (first === undefined)
        throw new Error(`${source} is no longer loaded by import(); see together in packs.js.`);
      visit(first);
    }
  }
  return (path) => chosen.get(path) ?? byFolder(path, outputs[path]);
}

function byFolder(path, { entryPoint, inputs }) {
  const sources = [
    entryPoint,
    ...Object.keys(inputs).filter((input) => inputs[input].bytesInOutput > 0),
  ].filter((source) => source !== undefined);
  const packages = sources
    .map((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1])
    .filter((found) => found !== undefined);
  if (packages.some((found) => !light.has(found))) return basename(path, '.js');
  const homes = new Set(
    sources.map((source) => /^src\/(resources\/[^/]+|cli\/commands|[^/]+)\//.exec(source)?.[1]),
  );
  const [home] = homes;
  return homes.size === 1 && home !== undefined ? home.replace('/', '-') : 'shared';
}
