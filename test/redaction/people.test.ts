import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/redaction/create-redactor.ts';
import { privateKinds } from '../../src/redaction/kinds.ts';

const { redactText } = createRedactor(privateKinds);

describe('redacting names, addresses and passwords', () => {
  it.each([
    // Introductions
    ['my name is Ana Lopez and my card is lost', 'my name is [name] and my card is lost'],
    ['Hi, this is John Smith from Acme', 'Hi, this is [name] from Acme'],
    // Addresses without a street that a rule knows
    ['My address is Zorbitsa Krk 12', 'My address is [address]'],
    ['my address is zorbitsa krk 12', 'my address is [address]'],
    [`my address is ${'zorbitsa '.repeat(6)}krok 12`, 'my address is [address]'],
    // The house number is not among the first 60 characters.
    [`my address is ${'zorbitsa '.repeat(6)}kroki 12`, `my address is ${'zorbitsa '.repeat(6)}kroki 12`],
    ['My address is Wrong since 2019', 'My address is Wrong since 2019'],
    ['my address is wrong since 2019', 'my address is wrong since 2019'],
    ['i am ana from berlin', 'i am [name] from berlin'],
    ["I'm Ana. The page is blank", "I'm [name]. The page is blank"],
    ["I'm Zorblax from Berlin", "I'm [name] from Berlin"],
    ['this is Zorblax calling', 'this is [name] calling'],
    ['my name is renold and it fails', 'my name is [name] and it fails'],
    ['MY NAME IS JOHN SMITH', 'MY NAME IS [name]'],
    ['name: John Doe', 'name: [name]'],
    ['Mein Name ist Zdenka Quorn und die App stürzt ab', 'Mein Name ist [name] und die App stürzt ab'],
    ['Ich heiße Jörg Müller', 'Ich heiße [name]'],
    ["Je m'appelle Éloïse Dupont et je veux annuler", "Je m'appelle [name] et je veux annuler"],
    ['Me llamo José García', 'Me llamo [name]'],
    ['Mi chiamo Giulia Bianchi', 'Mi chiamo [name]'],
    ['Mijn naam is Joost van der Berg', 'Mijn naam is [name]'],
    ['我叫王小明', '我叫[name]'],
    // Greetings, titles and thanks
    ['Hi Tom, the page is blank', 'Hi [name], the page is blank'],
    ['hi maria, can you help', 'hi [name], can you help'],
    ['hi maria can you help', 'hi [name] can you help'],
    ['hi maria gonzalez, can you help', 'hi [name], can you help'],
    ['hi maria gonzalez can you help', 'hi [name] gonzalez can you help'],
    ['thanks maria for the help', 'thanks [name] for the help'],
    ['Dear Zbyszek, it fails', 'Dear [name], it fails'],
    ['Sehr geehrte Frau Müller, ich brauche Hilfe', 'Sehr geehrte Frau [name], ich brauche Hilfe'],
    ['Bonjour Amélie, ça ne marche pas', 'Bonjour [name], ça ne marche pas'],
    ['Estimada Lucía: no funciona', 'Estimada [name]: no funciona'],
    ['Mr. Tanaka said it works', 'Mr. [name] said it works'],
    ['Thanks, Maria', 'Thanks, [name]'],
    ['It fails. Thanks for your help, Zbyszek', 'It fails. Thanks for your help, [name]'],
    // Signatures
    ['It is broken.\nBest regards,\nPeter', 'It is broken.\nBest regards,\n[name]'],
    ['Viele Grüße\nSabine Krüger', 'Viele Grüße\n[name]'],
    ['Mit freundlichen Grüßen Hans Peter Schmidt', 'Mit freundlichen Grüßen [name]'],
    ['Cordialement,\nOdile', 'Cordialement,\n[name]'],
    ['Saludos,\nxiomara', 'Saludos,\n[name]'],
    // Names of other people
    ['Maria told me to reinstall', '[name] told me to reinstall'],
    ['your agent Zbyszek told me so', 'your agent [name] told me so'],
    ["Is Mark Smith's invoice paid?", "Is [name]'s invoice paid?"],
    // Addresses
    ['742 Evergreen Terrace, Springfield', '[address]'],
    ['I moved to Hauptstraße 12, 10115 Berlin last week', 'I moved to [address] last week'],
    ['Lieferung an Lange Straße 5a, 70173 Stuttgart fehlt', 'Lieferung an [address] fehlt'],
    ['meine Adresse ist Am Markt 3, 04109 Leipzig', 'meine Adresse ist [address]'],
    ["J'habite au 12 rue de la Paix, 75002 Paris", "J'habite au [address]"],
    ['12 rue de la Paix, 75002 Paris. Commande 20240012345', '[address]. Commande 20240012345'],
    ['ul. Długa 12, 00-238 Warszawa', '[address]'],
    ['Kungsgatan 4, 111 43 Stockholm', '[address]'],
    ['Vivo en Calle Mayor 5, 28013 Madrid', 'Vivo en [address]'],
    ['Abito in Via Garibaldi 12, 20121 Milano', 'Abito in [address]'],
    ['Keizersgracht 12, 1015 CJ Amsterdam', '[address]'],
    [
      'My address is 10 Downing Street, London SW1A 2AA. Please update it',
      'My address is [address]. Please update it',
    ],
    ['ship it to 1600 Pennsylvania Ave NW, Washington, DC 20500', 'ship it to [address]'],
    ['504 taylor drive brooklyn ny 11238', '[address]'],
    ['PO Box 123', '[address]'],
    // Passwords
    ['my password is hunter2', 'my password is [password]'],
    ['my password is swordfish.', 'my password is [password].'],
    ['password: hunter2', 'password: [password]'],
    ["I can't login with password hunter2", "I can't login with password [password]"],
    ['set password to "correct horse"', 'set password to "[password]"'],
    ['my password is sunny 487 and it fails', 'my password is [password] and it fails'],
    ['Please use PIN 4711 for the door', 'Please use PIN [password] for the door'],
    ['my pin is 471', 'my pin is [password]'],
    ['my pin is 471147 or so', 'my pin is [password] or so'],
    ['change my pin to 9921 please', 'change my pin to [password] please'],
    ['the code is ABC-123', 'the code is [password]'],
    ['api key: abcd1234efgh5678', 'api key: [password]'],
    ['Passwort: Geheim123!', 'Passwort: [password]'],
    [
      'Mein Kennwort lautet sommer2020 und es geht nicht',
      'Mein Kennwort lautet [password] und es geht nicht',
    ],
    ['mi contraseña es gato123', 'mi contraseña es [password]'],
    ['mon mot de passe est chaton99', 'mon mot de passe est [password]'],
    ['It says wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMP1EK3Y9', 'It says [token]'],
  ])('replaces private data in %j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it.each([
    'reset my password',
    'Forgot password: what now?',
    'My password is wrong since yesterday',
    'My password is not accepted',
    'password must be 8 characters long',
    'my password is 12 characters long',
    'Mein Passwort ist falsch',
    'mi contraseña es incorrecta',
    'mon mot de passe est expiré',
    'my pin is blocked',
    'The error code is 500 and status code: 404',
    'zip code is 10115',
    'Discount code is SUMMER20',
    'the code is not working',
    'The API key is missing',
    'address of my account',
    'my email address is wrong',
    'my address is not shown',
    'Why is order 742 on the road?',
    '5 minutes down the road',
    'A 24 hour drive',
    'Version 2 of the Order Place fails',
    'Speicherplatz 20 GB ist voll',
    'my name is not shown',
    'My name is misspelled on the card',
    'my name is on the account twice',
    'Order Management is slow',
    'Hi team, please help',
    'Hello World example fails',
    'Dear Customer Service, it fails',
    'Hi, My card was declined',
    'Hello I lost my card',
    'Hallo zusammen, die App stürzt ab',
    'Ich bin Kunde seit 2010',
    'Thanks, Regards',
    'Thanks for the help',
    'Kind regards,\nThe Support Team',
    'Best regards,\nCustomer Service',
    'This is Urgent',
    'I am German and live abroad',
    'I am Zorblaxian from abroad',
    'I am ZORBLAX from abroad',
    'I am Zorblax',
    'Mark as read does not work',
    'Will the invoice be sent?',
    'The file named Report is gone',
    'How do I set up Single Sign On?',
    'I bought Microsoft Word and Google Chrome',
    'The delivery to Santa Maria is late',
    'Export to PDF fails in 2 spaces',
    'The order 550e8400-e29b-41d4-a716-446655440000 of 2026-02-24',
    'Commit 3f786850e387550fdab836ed7e6dc881de23001b breaks getElementsByClassName',
  ])('does not change %j', (text) => expect(redactText(text)).toBe(text));

  it.each([
    'my name is ',
    'Hi A',
    'best, ',
    'thanks ',
    'Anna ',
    'Anna-',
    '1 a street ',
    '1 rue a-',
    'via a',
    'via a ',
    'my address is 1 ',
    'aStraße ',
    'password is ',
    'pin 1',
    'code ',
    'A1b',
    '12 Aa ',
    'am markt ',
  ])('takes little time for 100 KB of %j', (unit) => {
    // With quadratic work, this would never end.
    expect(redactText(`${unit.repeat(100_000 / unit.length)}!`)).not.toBe('');
  });

  it.each([
    [
      '<p>Mit freundlichen Gr&uuml;&szlig;en<br>Zdenka Quorn<br class="x">Hauptstra&szlig;e 12, 10115 Berlin</p>',
      '<p>Mit freundlichen Gr&uuml;&szlig;en<br>[name]<br class="x">[address]</p>',
    ],
    [
      '<p>My password is <b>mango99</b> and it fails.</p>',
      '<p>My password is <b>[password]</b> and it fails.</p>',
    ],
    ['<div>My name is J&ouml;rg M&uuml;ller</div><div>Hi</div>', '<div>My name is [name]</div><div>Hi</div>'],
    ['My password is <b1g! and a < b', 'My password is [password] and a < b'],
  ])('replaces private data in HTML: %s', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  it('replaces passwords in the URLs of links in HTML', () => {
    expect(redactText('<a href="https://a.test/?password=mango99">x</a>')).not.toContain('mango99');
  });

  it('replaces a name from an HTML signature in the rest of the conversation', () => {
    const part = (body: string) => ({ type: 'message', role: 'user', body });
    expect(
      createRedactor(['name']).redactConversation({
        parts: [part('<p>Kind regards<br>Zdenka Quorn</p>'), part('Quorn again')],
      }),
    ).toEqual({ parts: [part('<p>Kind regards<br>[name]</p>'), part('[name] again')] });
  });

  it('replaces values found in one part of a conversation, and the names of its people, in all parts', () => {
    const redactor = createRedactor(['name', 'address', 'password']);
    const value = {
      id: 'quorn',
      subject: 'Quorn cannot log in',
      metadata: {
        attributes: { requester: 'Zdenka Quorn', plan: 'Quorn Pro', email: 'x.brzeczek@acme.test' },
      },
      parts: [
        { type: 'message', role: 'user', body: 'Mrs brzeczek asked for zdenka. Not Zdenkaville.' },
        { type: 'message', role: 'team-member', body: 'May I have your full name and then your PIN?' },
        { type: 'message', role: 'user', body: 'wilburga ostmann' },
        { type: 'message', role: 'user', body: 'WILBURGA called, password:\nmango99' },
        { type: 'message', role: 'user', body: 'Why is mango99 wrong?' },
      ],
    };
    expect(redactor.redactConversation(value)).toEqual({
      id: 'quorn',
      subject: '[name] cannot log in',
      metadata: { attributes: { requester: '[name]', plan: '[name] Pro', email: 'x.[name]@acme.test' } },
      parts: [
        { type: 'message', role: 'user', body: 'Mrs [name] asked for [name]. Not Zdenkaville.' },
        { type: 'message', role: 'team-member', body: 'May I have your full name and then your PIN?' },
        { type: 'message', role: 'user', body: '[name]' },
        { type: 'message', role: 'user', body: '[name] called, password:\n[password]' },
        { type: 'message', role: 'user', body: 'Why is [password] wrong?' },
      ],
    });
    expect(redactor.counts).toEqual({ name: 8, password: 2 });
  });

  it('replaces values from the subject in the parts of a conversation', () => {
    const parts = [{ type: 'message', role: 'user', body: 'Quorn needs the books.' }];
    expect(
      createRedactor(['name']).redactConversation({ subject: 'My name is Zdenka Quorn', parts }),
    ).toMatchObject({ subject: 'My name is [name]', parts: [{ body: '[name] needs the books.' }] });
  });

  it('leaves no name, for any name in any sentence', () => {
    const part = fc
      .tuple(
        fc.constantFrom(...'BDFGKLMNPRSTVZ'),
        fc.stringMatching(/^[aeiou][bdfgklmnprstvz][aeiou][kmrxz]{2}$/),
      )
      .map(([first, rest]) => first + rest);
    const frame = fc.constantFrom<(name: string) => string>(
      (name) => `Hi, my name is ${name} and the export fails`,
      (name) => `Hello ${name}, the export fails`,
      (name) => `The export fails.\nKind regards,\n${name}`,
      (name) => `The export fails. Thanks, ${name}`,
      (name) => `Frau ${name} sagt, der Export geht nicht`,
      (name) => `Je m'appelle ${name}, l'export échoue`,
      (name) => `Hola, me llamo ${name} y no funciona`,
    );
    fc.assert(
      fc.property(frame, part, part, (write, first, last) => {
        const redacted = redactText(write(`${first} ${last}`));
        expect(redacted).not.toContain(first);
        expect(redacted).not.toContain(last);
        expect(redacted).toContain('[name]');
      }),
      { numRuns: 300 },
    );
  });
});
