import type { Core } from '../core/embedded.ts';
import type { ScriptRuntime } from '../core/scripts.ts';
import type { ApiFetch } from '../script-runtime/script-fetch.ts';
import { createServer, type Server } from './index.ts';

/** Headers of connections. The requests have no connection. */
const dropped = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'cookie']);

/** A runtime that runs no scripts. Otherwise a script that calls itself would never end. */
const noScripts: ScriptRuntime = {
  run: async () => ({ error: 'A request of a script cannot run scripts.', logs: [] }),
  close: async () => {},
};

/**
 * Returns a function that sends requests of scripts to the API of a core without a network. The answers are the same as those of
 * a server, except that the requests run no scripts. Returns undefined for other addresses.
 */
export function createApiFetch(core: Core, version: string): ApiFetch {
  let server: Promise<Server> | undefined;
  let count = 0;
  const base = new URL(`${core.publicUrl}/v1/`);
  return async ({ url, method, headers, body }) => {
    const target = new URL(url);
    if (target.origin !== base.origin || !target.pathname.startsWith(base.pathname)) return undefined;
    const path = `/v1/${target.pathname.slice(base.pathname.length)}`;
    if (/^\/v1\/integrations\/[^/]+\/(?:.*\/)?(?:integration|render)(?:\/|$)/.test(path))
      throw new Error('A script cannot call the public endpoints of integrations.');
    server ??= createServer({
      core: { ...core, scripts: noScripts },
      version,
      newRequestId: () => `script-${++count}`,
    });
    const answer = await (
      await server
    ).inject({
      method: method as 'GET',
      url: path + target.search,
      headers: {
        ...Object.fromEntries(headers.filter(([name]) => !dropped.has(name.toLowerCase()))),
        host: target.host,
      },
      ...(body === undefined ? {} : { payload: Buffer.from(body) }),
    });
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(
        Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)]],
        ),
      ),
      url,
      body: new Uint8Array(answer.rawPayload),
    };
  };
}
