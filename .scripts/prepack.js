// Runs before `npm pack` and `npm publish`. It builds dist/, and installs the packages first if they are missing.
import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = /** @satisfies {import('node:child_process').ExecSyncOptions} */ ({
  cwd: root,
  stdio: 'inherit',
});
if (!existsSync(new URL('../node_modules/esbuild', import.meta.url)))
  execSync('npm ci --include=dev', options);
execSync('npm run build', options);
