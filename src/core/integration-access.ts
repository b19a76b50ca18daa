import { type Operation, type PathParams, splitAccess } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import type { CallingIntegration, Caller } from './callers.ts';
import type { EffectiveRole } from './permissions.ts';
import type { Grants } from './grants.ts';
import { siteInstallations, spaceInstallations, targetInstallationId } from './rows/installed.ts';
import { collectRows, type ReadTransaction } from './store.ts';

type Rule = readonly [operations: RegExp, scopes: readonly string[]];

const [readContent, writeContent] = ['space:content:read', 'space:content:write'];
const [readSpaces, readSites] = ['space:metadata:read', 'site:metadata:read'];

/** The operations that integrations may call. An integration needs one of the scopes. The first rule that matches counts. */
const rules: readonly Rule[] = [
  [/^spaces\.get$/, [readSpaces, readContent, 'space:metadata:write', writeContent]],
  [/^(spaces\.list|collections\.(list|get|spaces))$/, [readSpaces, 'space:metadata:write']],
  [/^spaces\.update$/, ['space:metadata:write']],
  [/^spaces\.git\b/, ['space:git:sync']],
  [/\.permissions\./, []],
  [/^spaces\.(delete|restore|duplicate|move|transfer)$/, []],
  [/^conversations\.ingest(-batch)?$/, ['conversations:ingest']],
  [/^openapi\.(list|get|versions|version|download)$/, ['openapi:read', 'openapi:write']],
  [/^openapi\.(create|replace|update|refresh)$/, ['openapi:write']],
  [/^sites\.adaptive-schema\.(get|conditions)$/, ['site:adaptive:read', 'site:adaptive:write']],
  [/^sites\.adaptive-schema\.update$/, ['site:adaptive:write']],
  [/^sites\.publishing-auth\.get$/, ['site:visitor:auth']],
  // What a site shows is content, and a share link is a secret.
  [/^sites\.(paths|share-links)\./, []],
];
/** Operations that read nothing but the organization, the caller and its own settings. */
const free = /^(orgs\.get|users\.me)$/;
const own =
  /^integrations\.(get|spaces|sites|tasks|installations\.(list|get|update|token|spaces|sites|get-space|get-site|update-space|update-site))$/;
/** Operations about all spaces or sites of an organization. */
const aboutAll = /^(spaces\.list|collections\.(list|get|spaces)|search|orgs\.change-requests|sites\.list)$/;

/**
 * Returns the caller with the role that the operation requires, if the scopes of the integration allow the operation.
 *
 * @throws Problem(forbidden)
 */
export function limitIntegration(
  caller: Caller,
  integration: CallingIntegration,
  operation: Operation,
  params: PathParams,
): Caller {
  const [, level] = splitAccess(operation.access);
  const isRole = level !== 'any' && level !== 'caller' && level !== 'member';
  const granted = (role: EffectiveRole): Caller => ({ ...caller, maxRole: role });
  if (own.test(operation.id) && params['integrationName'] === integration.name) return granted('admin');
  if (free.test(operation.id) || level === 'any') return granted('read');
  const scopes = scopesOf(operation);
  if (integration.installation === undefined || scopes.length === 0)
    throw new Problem(
      'forbidden',
      integration.installation === undefined
        ? `The token of the integration "${integration.name}" cannot be used for ${operation.id}.`
        : `Integrations cannot call ${operation.id}.`,
      {
        hint:
          integration.installation === undefined && scopes.length > 0
            ? 'Use the token of an installation: POST /integrations/NAME/installations/ID/tokens.'
            : 'Use a token of a member: `docsctl tokens create`.',
      },
    );
  if (!scopes.some((scope) => integration.scopes.includes(scope))) {
    const pending = scopes.filter((scope) => integration.pendingScopes.includes(scope));
    if (pending.length > 0)
      throw new Problem(
        'forbidden',
        `The organization has not agreed to the scope ${pending.join(' or ')} of the integration "${integration.name}", which ${operation.id} requires.`,
        {
          hint: `An administrator of the organization can agree: \`docsctl integrations installations update ${integration.installation.id} --integration ${integration.name} --scopes ${[...integration.scopes, ...pending].join(',')}\``,
        },
      );
    throw new Problem(
      'forbidden',
      `The integration "${integration.name}" does not have the scope ${scopes.join(' or ')}, which ${operation.id} requires.`,
      { hint: 'Publish the integration with this scope.' },
    );
  }
  if (aboutAll.test(operation.id) && isSelective(integration, operation.id))
    throw new Problem(
      'forbidden',
      `The integration "${integration.name}" is installed on selected spaces or sites only, and ${operation.id} is about all of them.`,
      { hint: 'Ask for one space or site, or install the integration on all of them.' },
    );
  return granted(isRole ? level : 'read');
}

function isSelective({ installation }: CallingIntegration, operation: string): boolean {
  return operation === 'sites.list'
    ? installation?.siteSelection === 'selected'
    : installation?.spaceSelection === 'selected';
}

function scopesOf({ id, access, method, safe }: Operation): readonly string[] {
  const rule = rules.find(([pattern]) => pattern.test(id));
  if (rule !== undefined) return rule[1];
  const reads = method === 'GET' || safe;
  const [scope, level] = splitAccess(access);
  if (scope === 'space' || scope === 'change-request' || scope === 'revision')
    return reads ? [readContent, writeContent] : [writeContent];
  if (id === 'search' || id === 'orgs.change-requests') return [readContent];
  if (reads && (scope === 'site' || id === 'sites.list') && level !== 'admin') return [readSites];
  return [];
}

/** Returns the spaces and sites that an integration is installed on, if these were selected; undefined for other callers. */
export async function listInstalledOn(
  view: ReadTransaction,
  { integration }: Caller,
): Promise<Grants['installedOn']> {
  const { id = '', spaceSelection = 'all', siteSelection = 'all' } = integration?.installation ?? {};
  if (spaceSelection === 'all' && siteSelection === 'all') return undefined;
  const onSpaces = await collectRows(view, spaceInstallations, 'byInstallation', [id]);
  const onSites = await collectRows(view, siteInstallations, 'byInstallation', [id]);
  const isActive = ({ status }: { readonly status: string }): boolean => status === 'active';
  return {
    ...(spaceSelection === 'selected' && {
      space: new Set(onSpaces.filter(isActive).map(({ space }) => space)),
      collection: new Set<string>(),
    }),
    ...(siteSelection === 'selected' && {
      site: new Set(onSites.filter(isActive).map(({ site }) => site)),
    }),
  };
}

/**
 * Checks that an integration that is installed on selected spaces or sites is installed on this one.
 *
 * @throws Problem(forbidden)
 */
export async function checkInstalledOn(
  view: ReadTransaction,
  { integration }: Caller,
  kind: 'space' | 'site',
  id: string,
): Promise<void> {
  const installation = integration?.installation;
  if (integration === undefined || installation === undefined) return;
  const selection = kind === 'space' ? installation.spaceSelection : installation.siteSelection;
  if (selection === 'all') return;
  const rowId = targetInstallationId(installation.id, id);
  const row =
    kind === 'space' ? await view.get(spaceInstallations, rowId) : await view.get(siteInstallations, rowId);
  if (row?.status === 'active') return;
  throw new Problem('forbidden', `The integration "${integration.name}" is not installed on this ${kind}.`, {
    hint: `An administrator can install it there with \`docsctl integrations installations ${kind === 'space' ? 'add-space' : 'add-site'}\`.`,
  });
}
