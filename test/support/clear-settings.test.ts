import { expect, it, vi } from 'vitest';
import { clearSettings } from './clear-settings.ts';

it('clearSettings removes settings of docsctl, but not those of tests', () => {
  const env = {
    DOCSCTL_STORE: 'a',
    DOCSCTL_NODE_X: 'b',
    DOCSCTL_NODE: 'c',
    DOCSCTL_TEST_SEED: 'd',
    HOME: 'e',
  };
  clearSettings(env);
  expect(env).toEqual({ DOCSCTL_NODE: 'c', DOCSCTL_TEST_SEED: 'd', HOME: 'e' });
});

it('the tests in a browser find no settings of docsctl either', async () => {
  vi.stubEnv('DOCSCTL_STORE', 'sqlite:docs.db');
  await import('../browser/vitest.config.ts');
  expect(process.env['DOCSCTL_STORE']).toBeUndefined();
  vi.unstubAllEnvs();
});
