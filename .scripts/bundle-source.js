// Bundles a file of src/ and prints it. Tests use it, because they run the sources and not the bundle.
import { bundleSource } from './source-bundle.js';

const [, , file = '', format = 'iife'] = process.argv;
process.stdout.write(await bundleSource(file, format === 'esm' ? 'esm' : 'iife'));
