import { compareSchemas, type Direction } from './compare-schemas.ts';
import { recordOf } from '../contract/values.ts';
import type { Side, SpecificationChange } from './specification-change.ts';
import { listServers, type Server } from './list-servers.ts';

/** Clients choose the values of variables. */
const direction: Direction = { inRequests: true, inResponses: false };

/** Compares the servers of all operations by their addresses, and the values that their variables can have. */
export function compareServers(old: Side, now: Side): SpecificationChange[] {
  const [from, to] = [listServers(old.root), listServers(now.root)];
  const sameIn = (servers: readonly Server[], { address, url }: Server): Server | undefined =>
    servers.find((one) => one.address === address) ?? servers.find((one) => one.url === url);
  const changeOf = (change: 'added' | 'removed', { address }: Server): SpecificationChange => ({
    change,
    kind: 'server',
    name: address,
    part: '',
    breaking: change === 'removed',
    message: change,
  });
  const viewers = { before: old.viewer, after: now.viewer };
  return [
    ...from.flatMap((was) => {
      const is = sameIn(to, was);
      return is === undefined ? [changeOf('removed', was)] : compareVariables(was, is, viewers);
    }),
    ...to.filter((is) => sameIn(from, is) === undefined).map((is) => changeOf('added', is)),
  ];
}

function compareVariables(
  was: Server,
  is: Server,
  viewers: Parameters<typeof compareSchemas>[2],
): SpecificationChange[] {
  return [...new Set([...Object.keys(was.variables), ...Object.keys(is.variables)])].flatMap((name) => {
    const [old, now] = [recordOf(was.variables[name]), recordOf(is.variables[name])];
    // An address without the variable has its default in this place.
    const valuesOf = (own: typeof old, other: typeof old) =>
      Object.keys(own).length > 0
        ? { enum: own['enum'], default: own['default'] }
        : { enum: [other['default']], default: other['default'] };
    return compareSchemas(valuesOf(old, now), valuesOf(now, old), viewers, direction).map(
      ({ change, isBreaking, message }): SpecificationChange => ({
        change,
        kind: 'server',
        name: was.address,
        part: `variable ${name}`,
        breaking: isBreaking,
        message,
      }),
    );
  });
}
