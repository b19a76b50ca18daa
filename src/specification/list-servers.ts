import { isRecord, recordOf } from '../contract/values.ts';
import { toText } from './specification-tree.ts';

/** A server of an API. */
export interface Server {
  /** The URL with the defaults of its variables. */
  readonly address: string;
  readonly url: string;
  readonly variables: Record<string, unknown>;
}

/** Lists the servers of the last owner that has some, or those of the whole specification. */
export function listServers(
  root: Record<string, unknown>,
  ...owners: readonly Record<string, unknown>[]
): Server[] {
  const [servers] = [...owners.toReversed(), root]
    .map((each) => each['servers'])
    .filter((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(servers))
    return servers.filter(isRecord).map((server) => {
      const [url, variables] = [toText(server['url']), recordOf(server['variables'])];
      const defaultOf = (whole: string, name: string) =>
        toText(recordOf(variables[name])['default']) || whole;
      return { address: url.replace(/\{([^{}]+)\}/g, defaultOf), url, variables };
    });
  const { host, basePath, schemes } = root;
  if (toText(host) === '') {
    const path = toText(basePath);
    return /^\/./.test(path) ? [{ address: path, url: path, variables: {} }] : [];
  }
  const list = Array.isArray(schemes) && schemes.length > 0 ? schemes.map(toText) : ['https'];
  return list.map((scheme) => {
    const url = `${scheme}://${toText(host)}${toText(basePath)}`;
    return { address: url, url, variables: {} };
  });
}
