// Bundles a file of src/ and prints it. Tests use it, because they run the sources and not the bundle.
import { build } from 'esbuild';

const [, , file = '', format = 'iife'] = process.argv;
const { outputFiles } = await build({
  entryPoints: [file],
  bundle: true,
  format: format === 'esm' ? 'esm' : 'iife',
  target: 'es2022',
  write: false,
});
process.stdout.write(outputFiles[0]?.text ?? '');
