import { Problem } from '../../errors/problem.ts';

/** Returns Problem(conflict) for a change that would leave an organization without an active administrator. */
export function lastAdminProblem(email: string): Problem {
  return new Problem(
    'conflict',
    `${email} is the last administrator of the organization, which must keep one.`,
    {
      hint: 'First make another member an administrator: `docsctl members update MEMBER --role admin`.',
    },
  );
}
