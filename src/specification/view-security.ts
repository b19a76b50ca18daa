import { isRecord } from '../contract/values.ts';
import { securitySchemesOf, toText } from './specification-tree.ts';
import type { SchemaViewer } from './view-schema.ts';

/** A credential that an operation accepts. */
export interface SecurityView {
  readonly name: string;
  /** The place of the credential: `header Authorization: Bearer`, `query api_key`, `OAuth 2`. */
  readonly place: string;
  readonly description: string;
  readonly scopes: readonly string[];
}

/** Returns the alternative lists of credentials that an operation accepts. */
export function viewSecurity(
  root: Record<string, unknown>,
  viewer: SchemaViewer,
  operation: Record<string, unknown>,
): SecurityView[][] {
  const needed = operation['security'] ?? root['security'];
  const schemes = securitySchemesOf(root);
  return (Array.isArray(needed) ? needed : []).filter(isRecord).map((all) =>
    Object.entries(all).map(([name, scopes]) => {
      const scheme = viewer.resolve(schemes[name]);
      return {
        name,
        place: placeOf(scheme),
        description: toText(scheme['description']),
        scopes: Array.isArray(scopes) ? scopes.map(toText) : [],
      };
    }),
  );
}

function placeOf({ type, in: place, name, scheme }: Record<string, unknown>): string {
  switch (type) {
    case 'apiKey':
      return `${toText(place)} ${toText(name)}`;
    case 'http':
      return `header Authorization: ${toText(scheme).replace(/^./, (letter) => letter.toUpperCase())}`;
    case 'basic':
      return 'header Authorization: Basic';
    case 'oauth2':
      return 'OAuth 2';
    case 'openIdConnect':
      return 'OpenID Connect';
    default:
      return toText(type);
  }
}
