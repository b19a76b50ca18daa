import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The programs that run before scripts; see guest/workerd.ts. */
export interface WorkerdGuests {
  /** For scripts of the first form: prepended to the script. */
  readonly script: string;
  /** For scripts of the second form: a module. */
  readonly module: string;
}

/** The compatibility date of workerd, which selects its behavior for scripts. */
const compatibilityDate = '2025-01-01';
const main = `import { serve } from 'docsctl';\nimport * as script from 'script.js';\nexport default serve(script);\n`;

/** A folder with all files of one workerd process. Only this user can open it. */
export interface WorkerdFolder {
  readonly path: string;
  readonly config: string;
  readonly scriptSocket: string;
  readonly hostSocket: string;
}

/** Writes the configuration of a process for one script. All requests of the script go to the socket of the host. */
export async function writeWorkerdFolder(
  form: 'v1' | 'v2',
  script: string,
  guests: WorkerdGuests,
): Promise<WorkerdFolder> {
  const path = await mkdtemp(join(tmpdir(), 'docsctl-workerd-'));
  await chmod(path, 0o700);
  const folder = {
    path,
    config: join(path, 'config.capnp'),
    scriptSocket: join(path, 'script.sock'),
    hostSocket: join(path, 'host.sock'),
  };
  const files: Record<string, string> =
    form === 'v1'
      ? { 'script.js': `${guests.script}\n${script}` }
      : { 'main.js': main, 'docsctl.js': guests.module, 'script.js': script };
  const program =
    form === 'v1'
      ? 'serviceWorkerScript = embed "script.js"'
      : `modules = [
        (name = "main.js", esModule = embed "main.js"),
        (name = "docsctl", esModule = embed "docsctl.js"),
        (name = "script.js", esModule = embed "script.js"),
      ]`;
  files['config.capnp'] = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "script", worker = (
      ${program},
      compatibilityDate = "${compatibilityDate}",
      globalOutbound = "host",
    )),
    (name = "host", external = (address = ${JSON.stringify(`unix:${folder.hostSocket}`)}, http = (style = proxy))),
  ],
  sockets = [
    (name = "http", address = ${JSON.stringify(`unix:${folder.scriptSocket}`)}, http = (), service = "script"),
  ],
);
`;
  await Promise.all(
    Object.entries(files).map(([name, text]) => writeFile(join(path, name), text, { mode: 0o600 })),
  );
  return folder;
}
