import type { Static } from '../../contract/schema.ts';
import type { ResourceScope, UrlContext } from '../../core/handler.ts';
import type { SiteRow } from '../../core/rows/sites.ts';
import { defined } from '../../contract/values.ts';
import { directAddress, shownAddress } from './address.ts';
import type { Site } from './contract.ts';
import type { ChosenSettings } from '../site-customization/schemas.ts';
import { featuresOf } from './features.ts';

/** Returns a site in the form of the API, with another address than its own if one is given. */
export function shapeSite(
  context: UrlContext & Pick<ResourceScope, 'organization'>,
  row: SiteRow,
  address = shownAddress(context, row),
): Static<typeof Site> {
  const { url } = context;
  return {
    object: 'site',
    id: row.id,
    type: row.type as Static<typeof Site>['type'],
    title: row.title,
    ...defined({ icon: iconOf(context, row), hostname: row.hostname, basename: row.basename }),
    ...(row.proxy === null ? {} : { proxy: { origin: row.proxy, target: directAddress(context, row) } }),
    visibility: row.visibility,
    published: row.published,
    siteSpaces: row.siteSpaces,
    createdAt: row.createdAt,
    adaptiveContent: { enabled: row.adaptiveContent },
    agentsContext: row.agentsContext,
    features: featuresOf(row),
    urls: {
      location: url(`/v1/orgs/${row.organization}/sites/${row.id}`),
      app: url(`/o/${row.organization}/sites/${row.id}`),
      ...defined({ published: address }),
    },
  };
}

/** Returns the favicon of a site. An image among the files of a space becomes its address in this API. */
function iconOf({ url }: UrlContext, { customization }: SiteRow): Static<typeof Site>['icon'] {
  const favicon = (customization?.settings as ChosenSettings | undefined)?.favicon;
  if (favicon === undefined || 'emoji' in favicon) return favicon;
  if (!('icon' in favicon)) return undefined;
  const { light, dark } = favicon.icon;
  const address = (image: typeof light) =>
    typeof image === 'string' ? image : url(`/v1/spaces/${image.space}/content/files/${image.file}/download`);
  return { icon: { light: address(light), dark: address(dark) } };
}
