import { describe, expect, it } from 'vitest';
import { suggestLabels } from '../../src/analysis/suggest-labels.ts';
import { summarizeCluster } from '../../src/analysis/summarize-cluster.ts';
import { documentToMarkdown } from '../../src/richtext/markdown.ts';

const summaryOf = (titles: readonly string[], high = 0): string =>
  documentToMarkdown(
    summarizeCluster(
      suggestLabels(titles, () => 1),
      titles,
      {
        conversations: titles.length,
        impacts: { low: titles.length - high, medium: 0, high },
      },
    ),
  );

describe('the summary of a cluster', () => {
  it('describes what people want and what fails, with quotes', () => {
    const summary = summaryOf(
      [
        'How do I verify my identity?',
        'I want to verify my identity',
        'My identity was not verified',
        'Verify my identity',
      ],
      1,
    );
    expect(summary).toContain('People want to verify their identity.');
    expect(summary).toContain('What goes wrong: “Identity was not verified”.');
    expect(summary).toContain('4 issues in 4 conversations, 1 of high impact.');
    expect(summary).toContain('* “How do I verify my identity?”');
  });

  it('quotes questions and topics', () => {
    expect(summaryOf(['How long does a transfer take?'])).toContain(
      'People ask: “How long does a transfer take?”',
    );
    expect(summaryOf(['Bash script', 'Bash script quotes'])).toContain('People write about “Bash script”.');
  });

  it('quotes what people want in other languages', () => {
    expect(summaryOf(['Wie kann ich mein Passwort zurücksetzen?'])).toContain(
      'What people want: “Passwort zurücksetzen”.',
    );
  });

  it('has two or three quotes with different content', () => {
    const quotes = summaryOf([
      'Reset my password',
      'reset my password',
      'How do I reset the password of a colleague?',
      'The reset mail does not arrive',
      'Password is not accepted',
    ]).match(/^\* /gm);
    expect(quotes).toHaveLength(3);
  });

  it('has quotes that match its phrases and are longer than two words', () => {
    const summary = summaryOf([
      'Password',
      'Reset my password',
      'Zoom challenge of the day',
      'How do I reset my password?',
      'Reset the password of a colleague',
    ]);
    expect(summary).not.toContain('* “Password”');
    expect(summary).not.toContain('Zoom');
    expect(summary.match(/^\* /gm)?.length).toBeGreaterThan(1);
  });

  it('does not use a noun as a verb', () => {
    const summary = summaryOf(['How to weight gain', 'Reduce my weight']);
    expect(summary).not.toContain('want to weight gain');
    expect(summaryOf(['Can I do COD?', 'COD?'])).not.toContain('cOD');
  });

  it('lists no wishes if there are no texts', () => {
    expect(summaryOf([]).trim()).toBe('0 issues in 0 conversations.');
  });
});
