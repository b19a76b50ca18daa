import { listSome } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { Body } from './kind.ts';
import type { Step } from './plan-document.ts';
import { scopeKey, type Survey } from './survey.ts';

/**
 * Makes steps that take the role of administrator wait for steps that give it.
 * @throws Problem(guard-refused) for steps that would leave the organization without an administrator
 */
export function keepAdministrator(steps: readonly Step[], { live }: Survey): readonly Step[] {
  const members = (live.get(scopeKey('member', undefined)) ?? []) as readonly (Body & {
    role?: unknown;
    disabled?: boolean;
  })[];
  const byId = new Map(members.map((body) => [body.id, body]));
  const isActive = ({ role, disabled }: { role?: unknown; disabled?: unknown }) =>
    role === 'admin' && disabled !== true;
  const administrators = new Set(members.filter(isActive).map(({ id }) => id));
  const own = steps.filter(({ kind, action }) => kind === 'member' && action !== 'unsupported');
  const isAdministrator = ({ id = '', action, changes }: Step): boolean => {
    const after = Object.fromEntries(changes.map((one) => [one.field, one.after]));
    return action !== 'delete' && isActive({ ...byId.get(id), ...after });
  };
  const joining = own.filter((step) => !administrators.has(step.id ?? '') && isAdministrator(step));
  const leaving = own.filter((step) => administrators.has(step.id ?? '') && !isAdministrator(step));
  if (leaving.length === 0) return steps;
  if (joining.length === 0 && new Set(leaving.map(({ id }) => id)).size === administrators.size)
    throw new Problem(
      'guard-refused',
      `This would leave the organization without an administrator: ${listSome(leaving.map(({ address }) => address))} ${leaving.length === 1 ? 'is the last one' : 'are the last ones'}.`,
      {
        hint: `Keep "role: admin"${leaving.length === 1 ? '' : ' for one of them'}, or also make another member an administrator.`,
        violations: leaving.slice(0, 50).map(({ at, address, action }) => ({
          path: at ?? address,
          message: `${at === undefined ? '' : `${address} `}would ${action === 'delete' ? 'be removed' : 'no longer be an administrator'}`,
        })),
      },
    );
  const before = joining.map(({ key }) => key);
  return steps.map((step) =>
    leaving.includes(step) ? { ...step, after: [...new Set([...step.after, ...before])] } : step,
  );
}
