import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/redaction/create-redactor.ts';
import { openRedactor, redactKinds, type RedactKind } from '../../src/redaction/kinds.ts';

const redact = (text: string, ...kinds: RedactKind[]) =>
  createRedactor(kinds.length === 0 ? redactKinds : kinds).redactText(text);

it('does not change values of a record that are not strings', () => {
  const record = { count: 5, done: false, none: null, list: [1, null] };
  expect(createRedactor(redactKinds).redactValue({ ...record, to: 'ann@acme.test' })).toEqual({
    ...record,
    to: '[email]',
  });
});

describe('redacting other private data', () => {
  it.each<[RedactKind, string, string]>([
    ['email', 'ann@acme.test, bo.b+x@a-b.co.uk.', '[email], [email].'],
    ['email', '<mailto:ann@acme.test> (o’hara@bücher.example)', '<mailto:[email]> (o’[email])'],
    ['email', 'https://x.test/?to=ann%40acme.test&a=1', 'https://x.test/?to=[email]&a=1'],
    ['email', 'ann@acme.test@bo@acme.test', '[email]@[email]'],
    ['email', 'user@host, @someone, a@b.c, x@1.2.3.4, @', 'user@host, @someone, a@b.c, x@1.2.3.4, @'],
    ['card', '4111 1111 1111 1111 until 12/26', '[card] until 12/26'],
    ['card', '4111-1111-1111-1111, 378282246310005.', '[card], [card].'],
    ['card', '12 5555555555554444', '12 [card]'],
    ['card', 'my credit card number is 6572876497276465 yes', 'my credit card number is [card] yes'],
    ['card', 'Card no: 6572 8764 9727 6465, thanks', 'Card no: [card], thanks'],
    ['card', 'Die Kartennummer lautet 6572-8764-9727-6465.', 'Die Kartennummer lautet [card].'],
    ['card', 'card number is 7538, order number 6572876497276465', 'card number is 7538, order number 6572876497276465'], // prettier-ignore
    ['card', '４１１１ １１１１ １１１１ １１１１', '[card]'],
    [
      'card',
      '4111 1111 1111 1112, 1234567812345670, x4111111111111111, 0000000000000000',
      '4111 1111 1111 1112, 1234567812345670, x4111111111111111, 0000000000000000',
    ],
    ['phone', '+49 30 123456-7 or (555) 123-4567', '[phone] or [phone]'],
    ['phone', '555-123-4567 555-987-6543, 555.123.4567', '[phone] [phone], [phone]'],
    [
      'phone',
      '0171/1234567; 5551234567; 612 345 678; +15551234567; 0049 30 1234567',
      '[phone]; [phone]; [phone]; [phone]; [phone]',
    ],
    ['phone', '+1 2 3 4 5 6 7 8 9', '[phone] 9'],
    ['phone', '+٤٩ ٣٠ ١٢٣٤٥٦ and 555-1234', '[phone] and [phone]'],
    [
      'phone',
      '2026-02-24 15:02:39, 24.12.2025, 2026-12-31 23:59:59, 2/24/2026, 1700000000',
      '2026-02-24 15:02:39, 24.12.2025, 2026-12-31 23:59:59, 2/24/2026, 1700000000',
    ],
    [
      'phone',
      '10.200.30.40, 1.234.567.890, 4111 1111 1111 1111, v1.2.3, Windows 10.0.19045.3803, 10.0.22000.194',
      '10.200.30.40, 1.234.567.890, 4111 1111 1111 1111, v1.2.3, Windows 10.0.19045.3803, 10.0.22000.194',
    ],
    [
      'phone',
      'ticket #5551234567, https://x.test/t/5551234567, 550e8400-e29b-41d4-a716-446655440000',
      'ticket #5551234567, https://x.test/t/5551234567, 550e8400-e29b-41d4-a716-446655440000',
    ],
    [
      'phone',
      'Bestellnummer 302-1234567-1234567, order 4500123456, Order ID: 3348917502, pedido n.º 4500123456',
      'Bestellnummer 302-1234567-1234567, order 4500123456, Order ID: 3348917502, pedido n.º 4500123456',
    ],
    [
      'phone',
      'in case 4500123456, border 4500123456, order by phone 4500123456, order +4500123456, order 212 555 1234',
      'in case [phone], border [phone], order by phone [phone], order [phone], order [phone]',
    ],
    ['iban', 'DE89 3704 0044 0532 0130 00 and gb82west12345698765432', '[iban] and [iban]'],
    [
      'iban',
      'DE88 3704 0044 0532 0130 00, ZZ89370400440532013000, DE89',
      'DE88 3704 0044 0532 0130 00, ZZ89370400440532013000, DE89',
    ],
    [
      'ip',
      '10.0.0.1. fe80::1, ::1, 2001:db8::8a2e:370:7334, ::ffff:10.1.2.3',
      '[ip]. [ip], [ip], [ip], [ip]',
    ],
    ['ip', '255.255.255.255, 256.1.1.1, 1.256.1.1, 1.1.1.256', '[ip], 256.1.1.1, 1.256.1.1, 1.1.1.256'],
    [
      'ip',
      'std::vector, 10:30:45, aa:bb:cc:dd:ee:ff, 1.2.3, 300.1.1.1, 1.2.3.4.5, ::',
      'std::vector, 10:30:45, aa:bb:cc:dd:ee:ff, 1.2.3, 300.1.1.1, 1.2.3.4.5, ::',
    ],
    [
      'url-credentials',
      'https://bob:pw@h.test/x https://h.test:80/a@b',
      'https://[url-credentials]@h.test/x https://h.test:80/a@b',
    ],
    [
      'token',
      'sk_live_abcdefgh12345678 Bearer abcdefghijklmnop xoxb-123456789',
      '[token] Bearer [token] [token]',
    ],
    [
      'token',
      'eyJhbGciOiJI.eyJzdWIiOiIx.abc_-9 ask-me-anything-about-it eyJ',
      '[token] ask-me-anything-about-it eyJ',
    ],
    ['token', 'a -----BEGIN RSA PRIVATE KEY-----\nMIIB+/=\n-----END RSA PRIVATE KEY----- b', 'a [token] b'],
  ])('replaces the kind %s in %j', (kind, text, expected) => expect(redact(text, kind)).toBe(expected));

  it.each<[string, number, number, (rest: string) => string, number]>([
    ['after a plus', 7, 15, (rest) => `+49 ${rest}`, 2],
    ['with 00 before a country', 9, 17, (rest) => `0049 ${rest}`, 4],
    ['with brackets', 7, 12, (rest) => `(55) ${rest}`, 2],
    ['that begins with 0', 9, 12, (rest) => `0171/${rest}`, 4],
  ])('replaces a phone number %s with %i to %i digits', (_name, least, most, write, given) => {
    const numberOf = (digits: number) => write('7'.repeat(digits - given));
    for (const digits of [least, most]) expect(redact(numberOf(digits), 'phone')).toBe('[phone]');
    for (const digits of [least - 1, most + 1])
      expect(redact(numberOf(digits), 'phone')).toBe(numberOf(digits));
  });

  it('replaces only the requested kinds, and counts the replacements', async () => {
    const redactor = await openRedactor(['phone', 'email']);
    const conversation = {
      id: 'ann@acme.test',
      subject: 'ann@acme.test',
      metadata: {
        url: 'https://x.test/ann@acme.test',
        createdAt: '2026-02-24T15:02:39Z',
        attributes: { id: '+49 30 1234567', plan: '10.0.0.1' },
      },
      parts: [{ type: 'message', role: 'user', body: 'bo@acme.test or cy@acme.test' }],
    };
    expect(redactor.redactConversation(conversation)).toEqual({
      id: 'ann@acme.test',
      subject: '[email]',
      metadata: {
        url: 'https://x.test/[email]',
        createdAt: '2026-02-24T15:02:39Z',
        attributes: { id: '[phone]', plan: '10.0.0.1' },
      },
      parts: [{ type: 'message', role: 'user', body: '[email] or [email]' }],
    });
    expect(redactor.counts).toEqual({ email: 4, phone: 1 });
    expect(
      redactor.redactValue({ id: 'ann@acme.test', more: ['ann@acme.test', 'bo@acme.test'] }, 'ann@acme.test'),
    ).toEqual({ id: 'ann@acme.test', more: ['ann@acme.test', '[email]'] });
    expect(redactor.counts).toEqual({ email: 4, phone: 1 });
  });

  it('changes nothing if no kind is requested, or if the text is already redacted', async () => {
    expect((await openRedactor([])).redactConversation('ann@acme.test')).toBe('ann@acme.test');
    const piece = fc.constantFrom(
      'ann@acme.test',
      '4111 1111 1111 1111',
      '+49 30 1234567',
      '10.0.0.1',
      '(',
      '-',
      '::1',
      'x',
      '@',
      'https://a:b@',
      '%40',
      'DE89370400440532013000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const once = redact(pieces.join(' '));
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it('treats digits as a card number only if the Luhn checksum is valid', () => {
    // The contribution of the second digit from the right: the sum of the digits of its double.
    for (const [digit, added] of [0, 2, 4, 6, 8, 1, 3, 5, 7, 9].entries())
      for (let last = 0; last < 10; last++) {
        const text = `4000 0000 0000 00${digit}${last}`;
        const isCard = (8 + added + last) % 10 === 0;
        expect(redact(text, 'card')).toBe(isCard ? '[card]' : text);
      }
  });

  it.each([
    [12, 0],
    [13, 1],
    [19, 1],
    [20, 0],
  ])('treats %i digits as a card number for %i of the last digits', (length, count) => {
    const start = `5${'10'.repeat(10)}`.slice(0, length - 1);
    const found = Array.from({ length: 10 }, (_, last) => redact(`${start}${last}`, 'card'));
    expect(found.filter((text) => text === '[card]')).toHaveLength(count);
  });

  it('finds a card number between any other characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(' ', '.', ',', 'a ', '12 ', '(', '\n', '€'), { maxLength: 8 }),
        (around) => {
          const text = `${around.join('')} 4111-1111-1111-1111 ${around.join('')}`;
          expect(redact(text, 'card')).not.toMatch(/4111/);
        },
      ),
    );
  });

  it.each([
    '@',
    'a@',
    'a@a.',
    '%40',
    '1 ',
    '4 ',
    '411 ',
    '1.1.',
    '(1) ',
    '1/1/',
    'AA00 ',
    'DE89',
    '::',
    'f:f',
    'eyJa.',
    'eyJaaaaaaaa.aaaaaaaa',
    '://a:',
    '-----BEGIN ',
    'Bearer ',
    'sk_live_',
    '٤',
    '2024-01-',
  ])('takes little time for 100 KB of %j', (unit) => {
    // With quadratic work, this would never end.
    expect(redact(`${unit.repeat(100_000 / unit.length)}!`)).not.toBe('');
  });
});
