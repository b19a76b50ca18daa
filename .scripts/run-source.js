// Runs a file of src/ as a separate program. Tests use it, because they run the sources and not the bundle.
import { createRequire } from 'node:module';
import { bundleSource } from './source-bundle.js';

const [, , file = ''] = process.argv;
const text = await bundleSource(file, 'cjs');
// oxlint-disable-next-line typescript/no-implied-eval -- it is what this script is for
new Function('require', 'module', '__filename', text)(createRequire(import.meta.url), {}, file);
