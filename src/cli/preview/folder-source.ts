import { compareFolder } from '../../content-sync/compare-folder.ts';
import type { Warning } from '../../content-sync/folder.ts';
import { readFolder, type MarkdownFolder } from '../../content-sync/read-folder.ts';
import { countChanges, sendImport } from '../../content-sync/send-import.ts';
import { openContent } from '../../content-sync/space-content.ts';
import type { WarningRule } from '../../content-sync/warning-rules.ts';
import type { Core } from '../../core/embedded.ts';
import { Problem } from '../../errors/problem.ts';
import { readFolderState } from '../../files/folder-state.ts';
import { batchContent } from '../../resources/content/change-request/contract.ts';
import { openDraft, type Draft } from './draft.ts';
import { changeSpace } from '../../content-sync/rehearse-content.ts';
import type { PreviewSource } from './preview-source.ts';

interface FolderSourceOptions {
  readonly base: Core;
  readonly dir: string;
  /** The name of the folder in errors. */
  readonly shown: string;
  readonly spaceId: string;
  readonly signal: AbortSignal;
  /** Called with the warnings that the page does not show, whenever they change. */
  readonly onWarnings: (warnings: readonly Warning[]) => void;
}

/** Rules about content that is shown differently than intended. Other rules are about links and skipped files. */
const shownRules: ReadonlySet<WarningRule> = new Set([
  'encoding',
  'front-matter',
  'settings',
  'other-syntax',
  'stray-tag',
  'summary',
  'variables',
]);

/** Shows a space with an import of a folder, and follows changes of the folder. */
export class FolderSource implements PreviewSource {
  readonly #options: FolderSourceOptions;
  readonly #draft: Draft;
  #state: string | undefined;
  #warned = '[]';
  problems: readonly string[] = [];

  constructor(options: FolderSourceOptions) {
    this.#options = options;
    this.#draft = openDraft(options.base);
  }

  get core(): Core {
    return this.#draft.core;
  }

  /** @throws Problem at the first call if the folder cannot be read */
  async update(): Promise<boolean> {
    const { dir, shown, signal } = this.#options;
    const state = await readFolderState(dir);
    if (state === this.#state) return false;
    const isFirst = this.#state === undefined;
    this.#state = state;
    try {
      const folder = await readFolder(dir, { shown, signal });
      await this.#import(folder);
      this.problems = describeShown(folder.warnings);
      const others = folder.warnings.filter(({ rule }) => !shownRules.has(rule));
      const warned = JSON.stringify(others);
      if (warned !== this.#warned) this.#options.onWarnings(others);
      this.#warned = warned;
    } catch (error) {
      if (isFirst || !(error instanceof Problem)) throw error;
      this.problems = [error.message];
    }
    return true;
  }

  async #import(folder: MarkdownFolder): Promise<void> {
    const { spaceId, signal } = this.#options;
    const { api } = this.#draft;
    const { plan } = await compareFolder(await openContent(api, { spaceId }, signal), folder);
    if (countChanges(plan) === 0) return;
    await changeSpace(this.#draft.api, spaceId, (params) =>
      sendImport(plan, (changes) => api.call(batchContent, { params, body: { changes } }, { signal })),
    );
  }
}

function describeShown(warnings: readonly Warning[]): string[] {
  return warnings.flatMap(({ rule, file, line, message }) =>
    shownRules.has(rule) ? [`${file}${line === 0 ? '' : `:${line}`}: ${message}`] : [],
  );
}
