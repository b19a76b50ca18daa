import { Deferred } from '../core/handler.ts';
import { missing } from './notices.ts';
import type { EndpointAnswer } from './site-request.ts';
import type { Visit } from './visit.ts';

/** Answers with the script that an integration adds to the pages of the site. Headers of the integration are not sent. */
export async function scriptAnswer(visit: Visit, name: string): Promise<EndpointAnswer> {
  const { view, cache, isPrivate } = visit;
  const script = (await view.scripts()).find((each) => each.name === name);
  if (script === undefined) return missing(visit, undefined);
  const headers = {
    'content-type': 'text/javascript; charset=utf-8',
    ...(isPrivate ? {} : { 'cache-control': 'public, max-age=300' }),
  };
  return new Deferred(async (services) => ({
    status: 200,
    headers,
    body: await cache.scripts.get(services, view.map.site.id, script),
  }));
}
