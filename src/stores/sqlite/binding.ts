import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Binding from '@photostructure/sqlite';

const name = '@photostructure/sqlite';
const require = createRequire(import.meta.url);

/**
 * SQLite for this machine. The package's own entry takes milliseconds to look for the binary that it ships, so that is
 * loaded directly; where it has been compiled here, or there is none for this machine, the entry decides.
 */
export function loadBinding(): Pick<typeof Binding, 'DatabaseSync'> {
  return loadPrebuilt() ?? (require(name) as typeof Binding);
}

function loadPrebuilt(): typeof Binding | undefined {
  try {
    // Where require would look, without reading every package.json on the way.
    const folder = require.resolve
      .paths(name)
      ?.map((place) => join(place, name))
      .find((place) => existsSync(place));
    if (folder === undefined || existsSync(join(folder, 'build'))) return undefined;
    const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
    return require(
      join(folder, 'prebuilds', `${process.platform}-${process.arch}`, `@photostructure+sqlite.${libc}.node`),
    ) as typeof Binding;
  } catch {
    return undefined;
  }
}
