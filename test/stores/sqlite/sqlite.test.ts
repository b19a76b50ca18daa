import { join } from 'node:path';
import { conformance } from '../conformance.ts';
import { open, temporaryFolder } from '../fixtures.ts';

conformance('sqlite', () => open(`sqlite:${join(temporaryFolder(), 'store.db')}`));
