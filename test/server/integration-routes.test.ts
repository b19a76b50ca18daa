import { expect, it, onTestFinished } from 'vitest';
import { serve } from './serving.ts';

it.each(['script.js', 'visitor-auth'])('%s of a site runs no script for a HEAD request', async (name) => {
  const { server } = await serve();
  onTestFinished(() => server.close(0));
  const url = `/v1/integrations/bot/installations/ins_1/sites/site_1/${name}`;
  expect((await server.inject({ method: 'HEAD', url })).statusCode).toBe(405);
});
