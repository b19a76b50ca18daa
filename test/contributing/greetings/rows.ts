import { table } from '../../../src/core/store.ts';

export interface GreetingRow {
  readonly id: string;
  readonly organization: string;
  readonly text: string;
  readonly createdAt: string;
}

export const greetings = table<GreetingRow>()('greetings', {
  byOrganization: { on: ['organization'], by: ['createdAt'] },
});
