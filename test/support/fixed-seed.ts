import fc from 'fast-check';

// Each run tries the same inputs, so that a commit that passes once passes again. `DOCSCTL_TEST_SEED=random` tries others.
const seed = process.env['DOCSCTL_TEST_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
