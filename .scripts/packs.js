/** Packages that are small and needed by nearly every command; a chunk with any other stays a file of its own. */
const light = new Set(['commander', '@sinclair/typebox', 'ulid', 'fractional-indexing']);

/** Every output that comes along when the output of a source file is loaded. */
export function staticClosure({ outputs }, source) {
  const first = Object.keys(outputs).find((path) => outputs[path].entryPoint === source);
  const found = new Set();
  const visit = (path) => {
    if (found.has(path) || outputs[path] === undefined) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') visit(next);
  };
  visit(first);
  return found;
}

/** The file that a chunk goes into. */
export function packOf(name, { entryPoint, inputs }, atStart) {
  if (entryPoint === 'src/main.ts') return 'main';
  if (atStart.has(`dist/${name}`)) return 'start';
  const sources = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
  if (entryPoint !== undefined && !sources.includes(entryPoint)) sources.push(entryPoint);
  const packages = sources.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter((found) => found !== undefined);
  if (packages.some((found) => !light.has(found))) return name.replace(/\.js$/, '');
  const homes = new Set(sources.map((path) => /^src\/(resources\/[^/]+|server|client|description|manifest|richtext|markdown-folder|cli\/commands)\//.exec(path)?.[1]));
  const [home] = homes;
  return homes.size === 1 && home !== undefined ? home.replace('/', '-') : 'core';
}
