import { expect, it } from 'vitest';
import { openGuideStore } from '../guide-store.ts';

it('quotes an email in the commands of its notes and hints, because a shell may run a part of it', async () => {
  const desk = await openGuideStore();
  try {
    const email = 'bob$(id)@acme.test';
    const { stderr } = await desk.done(['members', 'invite', email, '--role', 'guest']);
    expect(stderr).toContain(`--user '${email}' --role read`);
    expect(stderr).toContain(`members update '${email}' --role read`);
    const team = await desk.run(['teams', 'create', 'Writers', email]);
    expect(team.stderr).toContain(`members add '${email}' --team Writers`);
    await desk.done(['cr', 'create', 'Guide']);
    const review = await desk.run(['cr', 'reviewers', 'request', '1', '--space', 'Guide', '--users', email]);
    expect(review.stderr).toContain(`--users '${email}' --role review`);
  } finally {
    await desk.discard();
  }
});
