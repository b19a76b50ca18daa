import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentToMarkdown } from '../../src/richtext/markdown.ts';
import { maxIssues, splitConversation } from '../../src/analysis/split-conversation.ts';

const user = (...bodies: string[]) => ({
  parts: bodies.map((body) => ({ type: 'message' as const, role: 'user' as const, body })),
});
const titles = (...bodies: string[]) => splitConversation(user(...bodies)).map(({ title }) => title);

describe('splitting a conversation', () => {
  it('returns one issue for one request, with a title in the words of the user', () => {
    const [issue, ...others] = splitConversation(
      user('Hello!', 'how do I export my space as PDF?', 'Thanks a lot'),
    );
    expect(others).toEqual([]);
    expect(issue!.title).toBe('How do I export my space as PDF?');
    expect(documentToMarkdown(issue!.details)).toBe('how do I export my space as PDF?\n');
  });

  it('ignores what team members and assistants write', () => {
    const found = splitConversation({
      parts: [
        { role: 'assistant', body: 'The invoice is broken, how can I help?' },
        { role: 'user', body: 'My domain is not verified.' },
        { role: 'team-member', body: 'I want to look at your DNS.' },
      ],
    });
    expect(found.map(({ text }) => text)).toEqual(['My domain is not verified.']);
  });

  it('removes greetings, signatures, quoted mails, HTML and code', () => {
    const mail =
      '<p>Hi team,</p><p>The <b>search</b> is broken &amp; slow.</p>\n```\nstack trace here\n```\n> older words\nBest regards,\nAda Example\n\nOn Tue, 3 Mar 2026 Bob wrote:\nplease export the invoice';
    expect(splitConversation(user(mail)).map(({ text }) => text)).toEqual(['The search is broken & slow.']);
  });

  it('starts another issue if the user announces one', () => {
    expect(titles('I cannot log in to my account. Also, the invoice of May shows a wrong address.')).toEqual([
      'I cannot log in to my account',
      'The invoice of May shows a wrong address',
    ]);
    expect(
      titles('how do I connect a domain?', 'Another question: can visitors search several docs?'),
    ).toEqual(['How do I connect a domain?', 'Can visitors search several docs?']);
  });

  it('starts another issue if a later message clearly asks for something else', () => {
    expect(
      titles('I want to check my account balance', 'ok', 'I need to replace the broken card reader'),
    ).toHaveLength(2);
  });

  it('keeps related sentences in one issue', () => {
    expect(
      titles(
        'My export fails.',
        'The export of my space stops with error 502. I also tried the export as PDF.',
      ),
    ).toHaveLength(1);
  });

  it('returns no issue for messages without content, and uses a subject with content', () => {
    expect(splitConversation(user('hi', 'thanks', '12345', 'INV-2041', 'n', 'ok bye'))).toEqual([]);
    expect(splitConversation({ parts: [] })).toEqual([]);
    expect(
      splitConversation({ subject: 'Re: Certificate of our domain expired', parts: [] }).map(
        ({ title }) => title,
      ),
    ).toEqual(['Certificate of our domain expired']);
  });

  it('prefers a subject that a person wrote to the first sentence, but not one that was cut from the message', () => {
    expect(
      splitConversation({ subject: 'Invoice shows wrong address', ...user('It still has the old one.') })[0]!
        .title,
    ).toBe('Invoice shows wrong address');
    expect(
      splitConversation({
        subject: 'The search box on my…',
        ...user('The search box on my docs is slow.'),
      })[0]!.title,
    ).toBe('The search box on my docs is slow');
  });

  it('keeps the words of users as plain text, with any special characters', () => {
    const [issue] = splitConversation(user('Why does {% if x %} or [link](javascript:1) # not work?'));
    expect(JSON.stringify(issue!.details)).toContain('{% if x %}');
    expect(issue!.details.nodes.map(({ type }) => type)).toEqual(['paragraph']);
  });

  it('removes terminal escape sequences and characters that change the text direction', () => {
    const [issue] = splitConversation({
      subject: 'x',
      ...user(
        'My \u001b[31mcard\u001b[0m is \u001b]0;evil\u0007declined\u0000 in \u202ethe\u202c shop\u009b2J',
      ),
    });
    expect(issue!.title).toBe('My card is declined in the shop');
    expect(JSON.stringify([issue!.details, issue!.text])).not.toMatch(/\\u|evil|\[31m/);
  });

  it('limits its output, and never throws', () => {
    const said = fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 30 });
    fc.assert(
      fc.property(said, fc.option(fc.string(), { nil: undefined }), (bodies, subject) => {
        const found = splitConversation({
          ...user(...bodies),
          ...(subject === undefined ? {} : { subject }),
        });
        expect(found.length).toBeLessThanOrEqual(maxIssues);
        for (const { title, text } of found) {
          expect(title.length).toBeGreaterThan(0);
          expect([...title].length).toBeLessThanOrEqual(91);
          expect(text.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('removes headings, checkboxes, tables and empty answers of forms', () => {
    const body = [
      '<!-- Please fill in -> this form\n\nwith care. -->',
      '### Describe the bug\nThe export fails with an error.',
      '**Steps to reproduce**\n_No response_',
      '- [x] I have searched for this bug',
      'VS Code version: Code 1.81.1\nRelevant log output:\n|Item|Value|\n|---|---|',
      '<details><summary>Extensions</summary>vim is missing</details>',
    ].join('\n\n');
    const [issue] = splitConversation({ ...user(body), subject: '[Ticket 12] Bug: Export to PDF fails' });
    expect(issue).toMatchObject({
      title: 'Export to PDF fails',
      text: 'Export to PDF fails\nThe export fails with an error.',
    });
  });

  it.each([
    'On Tue, Nov 14, 2023 at 9:00 AM Support Team\n<support@acme.com> wrote:\n> How are you?',
    'Am 14.11.2023 um 09:00 schrieb Support <support@acme.com>:\nWie geht es?',
    'Von: Support Team\nGesendet: Dienstag, 14. November 2023 09:00\nWie geht es?',
    'From: Support Team\nSent: Tuesday, November 14, 2023\nHow are you?',
    '----- Ursprüngliche Nachricht -----\nWie geht es?',
    '##- Please type your reply above this line -##\nHow are you?',
    'Mit freundlichen Grüßen\nMax Quorn\nPresident of Acme',
    'Viele Grüße,\nMax Quorn',
    'Cordialement,\nMax Quorn',
    'Saludos cordiales,\nMax Quorn',
    'Von meinem iPhone gesendet',
  ])('removes quoted mails and signatures: %j', (end) => {
    expect(splitConversation(user(`My card was declined.\n\n${end}`))[0]?.text).toBe('My card was declined.');
  });

  it('reads the HTML of mails', () => {
    const body =
      '<style>p { color: red }</style><p>The receipt doesn&#8217;t match, f&uuml;r me.</p><blockquote>Old text</blockquote>';
    expect(splitConversation(user(body))[0]?.text).toBe('The receipt doesn’t match, für me.');
  });

  it('reads line breaks that are written as "\\n"', () => {
    const [issue] = splitConversation({
      parts: [
        { role: 'user', body: String.raw`Dear team,\r\n\r\nthe printer is broken.\n\nBest regards,\nAnn` },
      ],
    });
    expect(issue).toMatchObject({ title: 'The printer is broken', text: 'the printer is broken.' });
    const path = String.raw`C:\new\notes cannot be opened`;
    expect(splitConversation({ parts: [{ role: 'user', body: path }] })[0]!.text).toBe(path);
  });

  it('keeps a sentence that begins like a mail header', () => {
    const text = 'On 12 May I wrote to you.\nFrom: Berlin\nMy card was declined.';
    expect(splitConversation(user(text))[0]?.text).toContain('My card was declined.');
  });

  it('ends a sentence before "I" even without a space', () => {
    const [issue] = splitConversation(user("The terminal gives errors.I can't run it with Node.js"));
    expect(issue?.text).toBe("The terminal gives errors.\nI can't run it with Node.js");
  });

  it('keeps the lines of a form if there are no others', () => {
    expect(splitConversation(user('# My card was declined'))[0]?.title).toBe('My card was declined');
  });

  it('takes linear time for long hostile texts', () => {
    for (const piece of [
      '<!--',
      '<details>',
      '**a',
      'a ',
      '<',
      '> ',
      '[a](',
      '*_',
      'also ',
      'a@',
      'on x wrote ',
      '\n',
      'lost all ',
      '(((',
      'wrote: ',
      '. ',
      'x. ',
      'Why? ',
      '1',
      '&',
      '...',
    ])
      expect(
        splitConversation(user(...Array.from({ length: 5 }, () => `${piece.repeat(20_000 / piece.length)}x`)))
          .length,
      ).toBeLessThanOrEqual(maxIssues);
  });
});
