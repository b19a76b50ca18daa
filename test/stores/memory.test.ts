import { conformance } from './conformance.ts';
import { open } from './fixtures.ts';

conformance('memory', () => open('memory:'));
