// Prints what the published package consists of, as CycloneDX: the packages that are installed with it, and the packages
// whose code is bundled in dist/. The same commit and npm give the same text, byte for byte. Needs a build.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The fields of a bill of materials that are used here (https://cyclonedx.org/docs/1.5/json/).
 *
 * @typedef {object} Bill
 * @property {string} [serialNumber]
 * @property {{ timestamp?: string, component: { name: string } }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn: string[] }[]} dependencies
 *
 * @typedef {object} Component
 * @property {string} bom-ref
 * @property {string} name
 * @property {string} version
 * @property {{ name: string, value: string }[]} properties
 */

const root = new URL('..', import.meta.url);

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

/**
 * @param {...string} options
 * @returns {Bill}
 */
function npmSbom(...options) {
  const output = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--loglevel', 'error', ...options],
    {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
      // With NODE_ENV=production, npm would leave out the bundled packages, which are devDependencies.
      env: { ...process.env, NODE_ENV: '' },
      maxBuffer: 1 << 26,
      shell: process.platform === 'win32',
    },
  );
  return JSON.parse(output);
}

/** @type {{ name: string, version: string }} */
const { name, version } = readJson('package.json');
/** @type {{ name: string, version: string }[]} */
const bundledPackages = readJson('dist/bundled.json');
const bundled = new Set(bundledPackages.map((one) => `${one.name}@${one.version}`));
const installed = new Set(npmSbom('--omit', 'dev').components.map((one) => one['bom-ref']));

const bill = npmSbom();
const itself = `${name}@${version}`;
/** @param {string} ref */
const isPart = (ref) => ref === itself || bundled.has(ref) || installed.has(ref);
/**
 * @param {string} a
 * @param {string} b
 */
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

delete bill.serialNumber;
delete bill.metadata.timestamp;
// npm uses the name of the folder.
bill.metadata.component.name = name;
bill.components = bill.components
  .filter((one) => isPart(one['bom-ref']))
  .map((one) => ({
    ...one,
    properties: [
      ...one.properties.filter((property) => property.name !== 'cdx:npm:package:development'),
      { name: 'docsctl:bundled', value: String(bundled.has(one['bom-ref'])) },
    ],
  }))
  .sort((a, b) => compare(a['bom-ref'], b['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => isPart(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isPart).sort(compare) }))
  .sort((a, b) => compare(a.ref, b.ref));

const missing = [...bundled].filter((ref) => !bill.components.some((one) => one['bom-ref'] === ref));
if (missing.length > 0)
  throw new Error(`npm does not know these packages, which are bundled: ${missing.join(', ')}. Build again.`);
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
