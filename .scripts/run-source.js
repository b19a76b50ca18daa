// Runs a file of src/ as a separate program. Tests use it, because they run the sources and not the bundle.
import { build } from 'esbuild';
import { createRequire } from 'node:module';

const [, , file = ''] = process.argv;
const { outputFiles } = await build({
  entryPoints: [file],
  bundle: true,
  packages: 'external',
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  write: false,
});
// oxlint-disable-next-line typescript/no-implied-eval -- it is what this script is for
new Function('require', 'module', outputFiles[0]?.text ?? '')(createRequire(import.meta.url), {});
