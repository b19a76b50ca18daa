import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderVariable, stopServer } from './postgres-server.ts';

/** Creates the folder of a private PostgreSQL server, and stops the server and removes the folder after all tests. */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-postgres-'));
  chmodSync(folder, 0o755);
  process.env[folderVariable] = folder;
  return async () => {
    await stopServer(join(folder, 'data'));
    rmSync(folder, { recursive: true, force: true });
  };
}
