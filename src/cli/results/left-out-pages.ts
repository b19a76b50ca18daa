import { listSome, plural } from '../../contract/values.ts';
import type { LeftOut } from '../../static-site/build-site.ts';
import type { Session } from '../session/session.ts';

/** Warns that pages of integrations are left out, because only scripts can compute them. `where` is the output without them. */
export function noteLeftOut(session: Session, where: string, sources: readonly LeftOut[]): void {
  if (sources.length === 0) return;
  const names = sources.map(({ title, space }) => `"${title}" in ${space}`);
  session.note(
    `warning: ${where} no pages that integrations compute: ${plural(sources.length, 'source')} ${sources.length === 1 ? 'is' : 'are'} left out (${listSome(names)}). Links to their pages lead nowhere. \`docsctl serve --sites-port\` shows them.`,
  );
}
