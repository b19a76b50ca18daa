import { describe, expect, it } from 'vitest';
import { labelKey, suggestLabels } from '../../src/analysis/suggest-labels.ts';

const even = () => 1;
const labelOf = (...texts: string[]): string | undefined => suggestLabels(texts, even)[0]?.text;

describe('a label', () => {
  it.each([
    ['How do I reset my password?', 'Reset my password'],
    ['Hi team, can you please help me reset my password', 'Reset my password'],
    ['I would like to know how to change my address', 'Change my address'],
    ['Is it possible to export a space as PDF?', 'Export a space as PDF'],
    ['I need a new card', 'Get a new card'],
    ['Why was my card declined?', 'Card declined'],
    ["Why didn't my top-up work?", "Top-up didn't work"],
    ['Why did the deposit not show up?', 'Deposit did not show up'],
    ['There is an extra charge on my statement', 'Extra charge on my statement'],
    ['My card has expired', 'Card has expired'],
    ['I have lost my card', 'Lost my card'],
    ['I am unable to log in', 'Unable to log in'],
    ["I can't see my refund", "Can't see my refund"],
    ['How long does a transfer take?', 'How long does a transfer take?'],
    ['What is the exchange rate?', 'Exchange rate'],
    ['Cancel my reservation please', 'Cancel my reservation'],
    ['MY CARD IS STOLEN', 'Card is stolen'],
    ['Robot, water my plants', 'Water my plants'],
    ['Assistant please close the window', 'Close the window'],
    ['I would like to have a sandwich', 'Get a sandwich'],
    ['I want 3 sandwich with salad', 'Get a sandwich with salad'],
    ['I want 3 bagels', 'Get bagels'],
    ['how long do i wait for the parcel', 'How long do I wait for the parcel?'],
    ['i want to know the dpi of my printer', 'Dpi of my printer'],
    ['the gps of my car', 'GPS of my car'],
    ['Cant see the text', "Can't see the text"],
    ['My order # 4711', 'Order'],
    ['Are you able to help me view my transactions?', 'View my transactions'],
  ])('of "%s" is "%s"', (text, label) => {
    expect(labelOf(text)).toBe(label);
  });

  it.each([
    ['Wie kann ich mein Passwort zurücksetzen?', 'Passwort zurücksetzen'],
    ['Ich möchte meine Rechnung herunterladen', 'Rechnung herunterladen'],
    ['Comment puis-je annuler ma commande ?', 'Annuler ma commande'],
    ['¿Cómo puedo restablecer mi contraseña?', 'Restablecer mi contraseña'],
    ['Como posso cancelar a minha assinatura?', 'Cancelar a minha assinatura'],
    ['Hoe kan ik mijn wachtwoord wijzigen?', 'Wachtwoord wijzigen'],
    ['如何重置密码？', '重置密码'],
    ['Mi tarjeta no funciona', 'Mi tarjeta no funciona'],
    ['パスワードをリセットする方法を教えてください', 'パスワードをリセットする方法を教えてください'],
    ['Nie mogę się zalogować', 'Nie mogę się zalogować'],
  ])('of "%s" is "%s", in its language', (text, label) => {
    expect(labelOf(text)).toBe(label);
  });

  it('contains what most of the texts say, without details of one', () => {
    const texts = [
      'My card payment was declined in a shop in Dallas',
      'Why was my card payment declined?',
      'The card payment for my flight was declined',
      'card payment declined twice, what is going on',
    ];
    expect(labelOf(...texts)).toBe('Card payment declined');
  });

  it.each([
    [
      'one clause of a sentence',
      'Renew my lease',
      ['I rent a flat I want to renew my lease', 'Renew my lease?', 'The lease of a flat'],
    ],
    [
      'a noun with its preposition',
      'Get a receipt for my order',
      ['I need a receipt my order', 'I need a receipt my order', 'I need a receipt for my order'],
    ],
    [
      'what people want, not only the noun',
      'Rent bikes',
      ['I want a bike', 'I want to bike', 'I want to rent bikes', 'I would like to rent a mountain bike'],
    ],
    [
      'a phrase without rare names',
      'Price of my ticket',
      [
        'Price of my Contoso ticket',
        'What is the price of my ticket to Rome?',
        'Price of the Fabrikam ticket',
        'ticket prices',
      ],
    ],
    [
      'a phrase with few words such as "after" and "days", which say little',
      'New export does not work',
      ['I cannot get my export after two days', 'My new export does not work'],
    ],
    [
      'a complete question, not one without its end',
      'How much is my parcel?',
      ['How much is 5 kg times 1200', 'How much is my parcel', 'How much is 7 times 1900'],
    ],
    [
      'a whole instruction, not the clause in it',
      'Check my booking',
      ['Check that I have a booking', 'Check my booking at noon', 'Check if I have a booking'],
    ],
  ])('is %s', (_, label, texts) => {
    expect(labelOf(...texts)).toBe(label);
  });

  it('keeps the object of a preposition', () => {
    const texts = ['Rate the Tolkien novel out of 6', 'Give it five out of 6', 'How good is it, out of 6?'];
    expect(suggestLabels(texts, even).map(({ text }) => text)).not.toContain('Rate the out of 6');
  });

  it('contains a capital I only in English', () => {
    expect(labelOf('Show me the plan that i chose')).toContain('I chose');
    expect(labelOf('Ordina i libri')).toBe('Ordina i libri');
  });

  it('writes names and acronyms like most of the texts', () => {
    const texts = ['the atm kept my card', 'An ATM kept my card', 'Your ATM kept my card!'];
    expect(labelOf(...texts)).toBe('ATM kept my card');
    expect(labelOf('Plugins for WordPress', 'Themes in WordPress', 'About WordPress')).toContain('WordPress');
  });

  it('prefers a sentence to common words, and common words to nothing', () => {
    expect(labelOf('How do I get my refund?', 'I want my refund now', 'Where is my refund')).toBe(
      'Get my refund',
    );
    expect(suggestLabels(['Hello there', 'thanks'], even)).toEqual([]);
    expect(suggestLabels([], even)).toEqual([]);
  });

  it('is different from the other labels', () => {
    const labels = suggestLabels(
      ['Cancel my order', 'Please cancel the order', 'My order has not arrived'],
      even,
    );
    expect(labels[0]?.text).toBe('Cancel my order');
    expect(new Set(labels.map(({ key }) => key)).size).toBe(labels.length);
    expect(labelKey('Cancel my order')).toBe(labelKey('The order, cancel it'));
    expect(labelKey('Top up worked')).not.toBe(labelKey("Top up didn't work"));
  });

  it('takes time linear in the length of the texts', () => {
    const texts = [
      'i please '.repeat(200),
      'can you '.repeat(200),
      'why is there '.repeat(200),
      'a'.repeat(2000),
    ];
    const start = performance.now();
    for (const text of texts) suggestLabels([text, text, text], even);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
