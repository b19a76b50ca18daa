import { join } from 'node:path';
import { conformance } from './conformance.ts';
import { open, temporaryFolder } from './fixtures.ts';

conformance('json', () => open(`json:${join(temporaryFolder(), 'store.json')}`));
