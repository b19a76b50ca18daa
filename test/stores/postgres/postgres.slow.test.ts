import { emptyPostgres } from '../../support/postgres.ts';
import { conformance } from '../conformance.ts';
import { open } from '../fixtures.ts';

conformance('postgres', async () => open(await emptyPostgres()));
