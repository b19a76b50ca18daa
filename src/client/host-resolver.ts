import { lookup } from 'node:dns/promises';
import { Problem } from '../errors/problem.ts';
import { readAllowList } from './allow-list.ts';
import { findProxy, type NetworkSettings } from './connection.ts';
import { describeOrigin, readTarget, resolveTarget } from './outgoing-target.ts';

/**
 * Creates a function that returns the checked addresses of the host of a URL, for programs that connect themselves. It returns
 * none if the operator trusts the host and a proxy resolves it.
 */
export function createHostResolver(env: NetworkSettings['env']): (url: string) => Promise<readonly string[]> {
  return async (text) => {
    const allow = readAllowList(env['DOCSCTL_ALLOW_PRIVATE']);
    const url = readTarget(text, undefined, { allow, trusted: false });
    const isProxied = findProxy(url, env) !== undefined;
    try {
      const { addresses } = await resolveTarget(url, {
        allow,
        trusted: false,
        isProxied,
        lookup: (host) => lookup(host, { all: true }),
      });
      return addresses.map(({ address }) => address);
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem('unreachable', `The host of ${describeOrigin(url)} cannot be found.`, {
        hint: 'Check the address.',
        cause: error,
      });
    }
  };
}
