import { hasTag } from '../../contract/entity-tag.ts';
import type { Core } from '../../core/embedded.ts';
import { integrations } from '../../core/rows/integrations.ts';
import type { ScriptAnswer } from '../../core/scripts.ts';
import { notFound } from '../../errors/problem.ts';
import { readIntegrationImage } from './images.ts';

/** The ID of an image is the hash of its content, so the image never changes. */
const caching = 'public, max-age=31536000, immutable';
/** An SVG can contain a script, which must not run if somebody opens the image directly. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Answers a request for an icon or preview image of an integration. No token is needed, because only people who have seen the
 * integration know the address.
 *
 * @throws Problem(not-found)
 */
export async function answerImage(
  core: Core,
  { integrationName, imageId }: { integrationName: string; imageId: string },
  ifNoneMatch: string | undefined,
): Promise<ScriptAnswer> {
  const { contentType, bytes } = await core.store.read(async (view) => {
    const integration = await view.get(integrations, integrationName);
    if (integration === undefined) throw notFound('image', imageId);
    return readIntegrationImage(view, integration, imageId);
  });
  const etag = `"${imageId}"`;
  const isKnown = hasTag(ifNoneMatch ?? '', etag);
  const headers = [
    ['cache-control', caching],
    ['etag', etag],
    ['content-security-policy', policy],
    ['cross-origin-resource-policy', 'cross-origin'],
  ] as const;
  return isKnown
    ? { status: 304, headers, body: new Uint8Array() }
    : { status: 200, headers: [...headers, ['content-type', contentType]], body: bytes };
}
