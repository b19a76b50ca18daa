import type * as NodeSaml from '@node-saml/node-saml';

/** Loads node-saml: with the first who signs in. */
export async function loadNodeSaml(): Promise<typeof NodeSaml> {
  const loaded = (await import('@node-saml/node-saml')) as typeof NodeSaml & {
    readonly default?: typeof NodeSaml;
  };
  // In a bundle a CommonJS package has all it exports under `default`, and only there.
  return loaded.default ?? loaded;
}
