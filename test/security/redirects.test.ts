import { expect, it } from 'vitest';
import { out, problemOf, sink } from '../client/outgoing-support.ts';

/** Targets of redirects to internal addresses. PORT is the port of an internal server, NAMED a name that resolves to it. */
const inside = [
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://017700000001:PORT/',
  'http://[::1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://0.0.0.0:PORT/',
  'http://localhost:PORT/',
  'http://NAMED:PORT/',
  '//127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://metadata.google.internal/',
  'http://outer.example:25/',
  'http://user:canary@outer.example/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/',
  'data:text/plain,canary',
];
const statuses = [301, 302, 303, 307, 308];

it('no redirect to an internal address is followed, and errors do not reveal it', async () => {
  const inner = await sink();
  let answer = { status: 302, location: '' };
  const outer = await sink(
    (response) => void response.writeHead(answer.status, { location: answer.location }).end('canary'),
  );
  const names = {
    'outer.example': [['127.0.0.1']],
    'inner.example': [['127.0.0.1']],
    localhost: [['127.0.0.1']],
    'metadata.google.internal': [['169.254.169.254']],
  };
  const { send } = out(names, `outer.example:${outer.port}`);
  const wrong: string[] = [];
  for (const place of inside) {
    for (const status of statuses) {
      answer = {
        status,
        location: place.replace('PORT', String(inner.port)).replace('NAMED', 'inner.example'),
      };
      const problem = await problemOf(send({ url: `http://outer.example:${outer.port}/` }));
      if (problem.reason !== 'forbidden' || JSON.stringify(problem).includes('canary'))
        wrong.push(`${status} ${place}: ${problem.reason}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([inner.connections().made, outer.seen.length]).toEqual([0, inside.length * statuses.length]);
  expect(outer.seen.length).toBeGreaterThanOrEqual(100);
});

it('the same redirects are followed if the internal address is allowed', async () => {
  const inner = await sink();
  for (const status of statuses) {
    const outer = await sink(
      (response) => void response.writeHead(status, { location: `${inner.url}/` }).end(),
    );
    const { send } = out({}, `127.0.0.1:${outer.port},127.0.0.1:${inner.port}`);
    expect(Buffer.from((await send({ url: outer.url })).bytes).toString()).toBe('reached');
  }
  expect(inner.seen).toHaveLength(statuses.length);
});
