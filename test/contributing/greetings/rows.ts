import { audited } from '../../../src/core/audit/audited.ts';
import { table } from '../../../src/core/store.ts';

export interface GreetingRow {
  readonly id: string;
  readonly organization: string;
  readonly text: string;
  readonly createdAt: string;
}

export const greetings = audited(
  table<GreetingRow>()('greetings', { byOrganization: { on: ['organization'], by: ['createdAt'] } }),
  { type: 'greeting', label: 'text', fields: ['text'] },
);
