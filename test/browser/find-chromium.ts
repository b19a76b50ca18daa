import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The names that Chromium has in the packages of distributions. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Finds the program of Chromium: the one that DOCSCTL_CHROMIUM names, or else the first on the PATH. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string {
  const { DOCSCTL_CHROMIUM: named, PATH: path = '' } = env;
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named;
    throw new Error(`DOCSCTL_CHROMIUM names "${named}", which is no program.`);
  }
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
  if (found !== undefined) return found;
  throw new Error(
    'Chromium was not found on the PATH. Install it (`apt-get install chromium`), or set DOCSCTL_CHROMIUM to its path.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
