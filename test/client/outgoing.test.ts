import { describe, expect, it } from 'vitest';
import { out, problemOf, sink } from './outgoing-support.ts';

const PORT = 'PORT';

describe('an outgoing request to a private address is refused', () => {
  it.each([
    `http://127.0.0.1:${PORT}`,
    `http://127.1:${PORT}`,
    `http://2130706433:${PORT}`,
    `http://0x7f000001:${PORT}`,
    `http://017700000001:${PORT}`,
    `http://0x7f.1:${PORT}`,

    `http://127.0.0.1.:${PORT}`,
    `http://%31%32%37.0.0.1:${PORT}`,
    `http://①②⑦.⓪.⓪.①:${PORT}`,
    `http://127。0。0。1:${PORT}`,
    `http:\\\\127.0.0.1:${PORT}`,
    `http:127.0.0.1:${PORT}`,

    `http://1２7.0.0.1:${PORT}`,
    `HTTP://127.0.0.1:${PORT}`,
    ` http://127.0.0.1:${PORT} `,
    `ht\ntp://127.0.0.1:${PORT}`,
    `http://127.255.255.254:${PORT}`,
    `http://0:${PORT}`,
    `http://0.0.0.0:${PORT}`,

    `http://[::1]:${PORT}`,
    `http://[::]:${PORT}`,
    `http://[0:0:0:0:0:0:0:1]:${PORT}`,
    `http://[::ffff:127.0.0.1]:${PORT}`,
    `http://[::ffff:7f00:1]:${PORT}`,
    `http://[::127.0.0.1]:${PORT}`,
    `http://[64:ff9b::127.0.0.1]:${PORT}`,
    `http://[2002:7f00:1::]:${PORT}`,
    `http://[2001:0:7f00:1::]:${PORT}`,
    `https://127.0.0.1:${PORT}`,

    'http://10.0.0.1',
    'http://192.168.1.1',
    'http://172.20.0.1',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.100.100.200',
    'http://168.63.129.16',
    'http://[fd00:ec2::254]',

    'http://[fe80::1]',
    'http://[fc00::1]',
    'http://[ff02::1]',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://198.18.0.1',
    'http://192.0.2.1',
    'http://[2001:db8::1]',
    'http://100.64.0.1',
  ])('%s', async (url) => {
    const server = await sink();
    const { send } = out({});
    expect(await problemOf(send({ url: url.replace(PORT, String(server.port)) }))).toMatchObject({
      reason: 'forbidden',
    });
    expect(server.connections().made).toBe(0);
  });

  it.each([
    'localhost',
    'localhost.',
    'LOCALHOST',
    'x.localhost',
    'metadata.google.internal',
    'internal.example',
    'mapped.example',
    'mixed.example',
    'zoned.example',
  ])('for the name %s', async (name) => {
    const server = await sink();
    const loopback = [['127.0.0.1']];
    const { send } = out({
      localhost: loopback,
      'x.localhost': loopback,
      'metadata.google.internal': [['169.254.169.254']],
      'internal.example': [['10.2.3.4']],
      'mapped.example': [['::ffff:127.0.0.1']],
      // One public address does not make the other one acceptable.
      'mixed.example': [['1.1.1.1', '127.0.0.1']],
      'zoned.example': [['fe80::1%lo']],
    });
    const problem = await problemOf(send({ url: `http://${name}:${server.port}/?secret=canary` }));
    expect(problem).toMatchObject({
      reason: 'forbidden',
      hint: expect.stringContaining('DOCSCTL_ALLOW_PRIVATE'),
    });
    expect(JSON.stringify(problem)).not.toMatch(/canary|169\.254|10\.2\.3/);
    expect(server.connections().made).toBe(0);
  });

  it('if the name has another address at a second lookup, because it is looked up only once', async () => {
    const server = await sink();
    const { send, asked } = out({ 'rebind.example': [['127.0.0.2'], ['127.0.0.1']] }, '127.0.0.2');
    // 127.0.0.2 counts as public here and has no server; a second lookup would return the address of the server.
    expect((await problemOf(send({ url: `http://rebind.example:${server.port}/` }))).reason).toBe(
      'unreachable',
    );
    expect(asked).toEqual(['rebind.example']);
    expect(server.connections().made).toBe(0);
  });
});

describe('an outgoing request', () => {
  it.each([
    'ftp://h/',
    'file:///etc/passwd',
    'gopher://h/',
    'data:text/plain,x',
    'javascript:alert(1)',
    'blob:http://h/x',
    'ws://h/',
    'wss://h/',
    'ldap://h/',
    'dict://h/',
    'sftp://h/',
    'tftp://h/',
    'telnet://h/',
    'jar:http://h!/x',
    'mailto:a@b.test',
    'ssh://h/',
    'git://h/',
    'unix:/run/x',
    'http+unix://%2Frun%2Fx/',
    'netdoc:///x',
    'about:blank',
    'x://h/',
  ])('refuses %s, which is not http or https', async (url) => {
    expect(await problemOf(out({}).send({ url }))).toMatchObject({
      reason: 'forbidden',
      message: expect.stringContaining('Only http and https'),
    });
  });

  it.each([
    '',
    '/path',
    '//host/path',
    'host.example',
    'http://',
    'http://[',
    'http://a b/',
    'https://x:99999/',
  ])('refuses "%s", which is not a URL', async (url) => {
    expect((await problemOf(out({}).send({ url }))).reason).toBe('forbidden');
  });

  it.each([1, 22, 25, 81, 110, 143, 1023, 2375, 3306, 5432, 6379, 11211, 27017])(
    'refuses port %d',
    async (port) => {
      expect(await problemOf(out({}).send({ url: `http://h.example:${port}/` }))).toMatchObject({
        reason: 'forbidden',
        message: expect.stringContaining(`Port ${port}`),
      });
    },
  );

  it.each(['http://h.example/', 'https://h.example/', 'http://h.example:8080/', 'http://h.example:443/'])(
    'accepts %s, and looks it up',
    async (url) => {
      expect((await problemOf(out({}).send({ url }))).reason).toBe('unreachable');
    },
  );

  it('accepts a port that the operator allows', async () => {
    expect((await problemOf(out({}, 'h.example:81').send({ url: 'http://h.example:81/' }))).reason).toBe(
      'unreachable',
    );
    expect((await problemOf(out({}, 'h.example').send({ url: 'http://h.example:81/' }))).reason).toBe(
      'forbidden',
    );
  });

  it.each(['http://user:canary@h.example/', 'http://canary@h.example/', 'http://:canary@h.example/'])(
    'refuses credentials in the address without repeating them: %s',
    async (url) => {
      const problem = await problemOf(out({}).send({ url }));
      expect(problem.reason).toBe('forbidden');
      expect(JSON.stringify(problem)).not.toContain('canary');
    },
  );
});

describe('an outgoing request to an allowed private address', () => {
  it.each([
    ['an address', () => '127.0.0.1', '127.0.0.1'],
    ['a network', () => '127.0.0.0/8', '127.0.0.1'],
    ['an address with the port', (port: number) => `127.0.0.1:${port}`, '127.0.0.1'],
    ['a host with the port', (port: number) => `specs.internal:${port}`, 'specs.internal'],
    ['a host', () => 'specs.internal', 'specs.internal'],
    ['the address of the host', () => '127.0.0.1', 'specs.internal'],
  ])('is sent if DOCSCTL_ALLOW_PRIVATE has %s', async (_, allow, host) => {
    const server = await sink();
    const { send } = out({ 'specs.internal': [['127.0.0.1']] }, allow(server.port));
    const answer = await send({
      url: `http://${host}:${server.port}/a?b=c#d`,
      headers: { 'X-Own': 'yes', Host: 'evil', 'Accept-Encoding': 'gzip' },
    });
    expect(answer).toMatchObject({ status: 200, url: `http://${host}:${server.port}/a?b=c` });
    expect(Buffer.from(answer.bytes).toString()).toBe('reached');
    const [seen] = server.seen;
    expect(seen).toMatchObject({
      method: 'GET',
      url: '/a?b=c',
      headers: {
        host: `${host}:${server.port}`,
        'x-own': 'yes',
        'accept-encoding': 'identity',
        connection: 'close',
      },
    });
  });

  it.each(['127.0.0.2', '127.0.0.1:1', 'other.internal'])(
    'is refused if DOCSCTL_ALLOW_PRIVATE has only %s',
    async (allow) => {
      const server = await sink();
      expect(
        (
          await problemOf(
            out({ 'specs.internal': [['127.0.0.1']] }, allow).send({
              url: `http://specs.internal:${server.port}/`,
            }),
          )
        ).reason,
      ).toBe('forbidden');
      expect(server.connections().made).toBe(0);
    },
  );

  it('is refused with a header that contains another one', async () => {
    const server = await sink();
    const problem = await problemOf(
      out({}, '127.0.0.1').send({ url: server.url, headers: { 'x-key': 'canary\r\nx-more: 1' } }),
    );
    expect(problem.reason).toBe('forbidden');
    expect(JSON.stringify(problem)).not.toContain('canary');
    expect(server.seen).toHaveLength(0);
  });

  it('is sent if it is trusted', async () => {
    const server = await sink();
    expect(
      await out({}).send({ url: server.url, trusted: true, method: 'POST', body: 'hello' }),
    ).toMatchObject({ status: 200 });
    expect(server.seen).toMatchObject([{ method: 'POST', body: 'hello' }]);
    expect((await problemOf(out({}).send({ url: 'ftp://127.0.0.1/', trusted: true }))).reason).toBe(
      'forbidden',
    );
  });
});
