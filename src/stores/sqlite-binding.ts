import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Binding from '@photostructure/sqlite';

const require = createRequire(import.meta.url);

/**
 * SQLite for this machine. The package's own entry takes milliseconds to look for the binary that it ships, so that is
 * loaded directly; where it has been compiled here, or there is none for this machine, the entry decides.
 */
export function loadBinding(): Pick<typeof Binding, 'DatabaseSync'> {
  return loadPrebuilt() ?? (require('@photostructure/sqlite') as typeof Binding);
}

function loadPrebuilt(): typeof Binding | undefined {
  try {
    const folder = dirname(require.resolve('@photostructure/sqlite/package.json'));
    if (existsSync(join(folder, 'build'))) return undefined;
    const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
    return require(join(folder, 'prebuilds', `${process.platform}-${process.arch}`, `@photostructure+sqlite.${libc}.node`)) as typeof Binding;
  } catch {
    return undefined;
  }
}
