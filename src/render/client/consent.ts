import { all, make } from './elements.ts';

/** The cookie that stores the answer. Scripts of integrations read it. */
const cookie = '__gitbook_cookie_granted';
/** Lifetime of an answer in seconds: half a year. */
const age = 180 * 24 * 60 * 60;

/** Asks readers once whether they accept cookies, and loads the scripts that need cookies if they accept. */
export function setUpConsent(): void {
  for (const question of all('[data-consent]')) {
    const load = (): void => {
      for (const src of (question.dataset['consent'] ?? '').split(' '))
        document.head.append(make('script', { src }));
    };
    const [, given] = new RegExp(`(?:^|; )${cookie}=(yes|no)`).exec(document.cookie) ?? [];
    if (given === 'yes') load();
    if (given !== undefined) continue;
    question.hidden = false;
    for (const button of all<HTMLButtonElement>('[data-answer]', question))
      button.addEventListener('click', () => {
        const answer = button.dataset['answer'] ?? 'no';
        const isSecure = location.protocol.endsWith('s:') ? '; Secure' : '';
        document.cookie = `${cookie}=${answer}; Path=${question.dataset['path'] ?? '/'}; Max-Age=${age}; SameSite=Lax${isSecure}`;
        question.hidden = true;
        if (answer === 'yes') load();
      });
  }
}
