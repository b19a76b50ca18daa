import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServer, type Server } from '../../../src/server/index.ts';
import { createWorld, type World } from '../../support/world.ts';
import { png, publish } from './support.ts';

let world: World;
let server: Server;
beforeEach(async () => {
  world = await createWorld();
  server = await createServer({ core: world.core, version: 'test', newRequestId: () => 'req_1' });
});
afterEach(() => server.close(0));

const svg = `\uFEFF<?xml version="1.0"?>
<!-- Logo --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg"><script>fetch('/v1/user')</script></svg>`;
const pathOf = (url: string | undefined) => new URL(url ?? '').pathname;

describe('the images of an integration', () => {
  it.each([
    ['a PNG', png, 'image/png'],
    ['an SVG', Buffer.from(svg).toString('base64'), 'image/svg+xml'],
  ])('are served without a token and can be cached: %s', async (_, icon, type) => {
    const { urls } = await publish(world, 'bot', { icon });
    expect(urls.icon?.startsWith(`${urls.assets}/`)).toBe(true);
    const { headers, rawPayload, statusCode } = await server.inject(pathOf(urls.icon));
    expect([statusCode, rawPayload.toString('base64')]).toEqual([200, icon]);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    });
    const again = await server.inject({
      url: pathOf(urls.icon),
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const head = await server.inject({ method: 'HEAD', url: pathOf(urls.icon) });
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, type, '']);
  });

  it('are only those of the latest version', async () => {
    const first = await publish(world, 'bot', { icon: png, previewImages: [png] });
    expect((await server.inject(pathOf(first.previewImages[0]))).statusCode).toBe(200);
    const { script, id } = { script: 'export default {}', id: first.urls.icon!.split('/').at(-1)! };
    await publish(world, 'bot', { script });
    await publish(world, 'other');
    for (const wrong of [
      `bot/assets/${id}`,
      `other/assets/${id}`,
      `absent/assets/${id}`,
      'bot/assets',
      'bot/assets/..%2f',
    ])
      expect((await server.inject(`/v1/integrations/${wrong}`)).statusCode).toBe(404);
    expect(
      (await server.inject({ method: 'POST', url: `/v1/integrations/bot/assets/${id}` })).statusCode,
    ).toBe(405);
  });
});
