import { constants, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { realPathOf } from '../../files/confine.ts';
import { makeFolders } from '../../files/make-folders.ts';
import type { BlobStorage } from '../../core/blob-storage.ts';
import { Problem } from '../../errors/problem.ts';
import { readRegularBytes } from '../../files/read-regular.ts';
import { storeFailure } from '../failures.ts';
import { createParentFolder, syncParentFolder } from '../files.ts';

/** Maximum size of an object that is read. Files have at most 10 MiB. */
const maxBytes = 256 * 1024 * 1024;

/**
 * Opens a folder as blob storage. Each object is a file that only its owner can read, in a folder named after the first four
 * characters of the key. Symbolic links below the folder are not followed. The folder is created with the first object.
 *
 * @throws Problem(invalid-input) if the path is not a folder; Problem(store-failed) if it cannot be read
 */
export function openBlobFolder(path: string, newName: () => string): BlobStorage {
  const root = inFolder(path, () => realPathOf(path));
  if (inFolder(path, () => statSync(root, { throwIfNoEntry: false }))?.isDirectory() === false)
    throw new Problem('invalid-input', `${root} cannot contain large files, because it is not a folder.`, {
      hint: 'Name a folder. docsctl creates it if it does not exist.',
    });
  const folderOf = (key: string): string => join(root, key.slice(0, 2), key.slice(2, 4));
  return {
    url: `folder:${root}`,
    put: (key, bytes) =>
      afterwards(root, async () => {
        const folder = folderOf(checked(key));
        createParentFolder(join(root, 'x'));
        makeFolders(folder, 0o700);
        checkFolder(folder);
        const temporary = join(folder, `${key}.${newName()}.part`);
        try {
          await writeNew(temporary, bytes);
          await rename(temporary, join(folder, key));
        } catch (error) {
          await rm(temporary, { force: true }).catch(() => {});
          throw error;
        }
        for (const above of [join(folder, key), folder, join(root, key.slice(0, 2))]) syncParentFolder(above);
      }),
    get: (key) =>
      afterwards(root, async () => {
        const file = join(folderOf(checked(key)), key);
        if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
        const read = readRegularBytes(file, maxBytes);
        if ('bytes' in read) return read.bytes;
        throw new Problem('store-failed', `${pathToFileURL(file).pathname} ${read.refused}.`, {
          hint: 'Check the folder that DOCSCTL_BLOBS names.',
        });
      }),
    has: (key) =>
      afterwards(
        root,
        async () =>
          lstatSync(join(folderOf(checked(key)), key), { throwIfNoEntry: false })?.isFile() === true,
      ),
    remove: (key) =>
      afterwards(root, async () => {
        const folder = folderOf(checked(key));
        if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return;
        checkFolder(folder);
        for (const name of readdirSync(folder))
          if (name === key || (name.startsWith(`${key}.`) && name.endsWith('.part')))
            await rm(join(folder, name));
      }),
  };
}

/** Refuses keys that could leave the folder. */
function checked(key: string): string {
  if (/^[0-9a-f]{4}[\w.-]{0,200}$/.test(key)) return key;
  throw new Error(`"${key}" is not the key of an object.`);
}

/** @throws Problem(store-failed) for a symbolic link */
function checkFolder(folder: string): void {
  if (lstatSync(folder).isDirectory() && realpathSync(folder) === folder) return;
  throw new Problem(
    'store-failed',
    `${folder} is a symbolic link or is inside one; links are not followed.`,
    {
      hint: 'Replace it with a folder.',
    },
  );
}

async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

function inFolder<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeFailure(path, error);
  }
}

async function afterwards<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw storeFailure(path, error);
  }
}
