import fc from 'fast-check';

// Each run uses the same inputs, so that results can be reproduced. `DOCSCTL_TEST_SEED=random` uses other inputs.
const seed = process.env['DOCSCTL_TEST_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
