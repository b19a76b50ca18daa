import { all, make } from './elements.ts';

type Fields = Record<string, unknown>;

/** Makes the blocks of integrations interactive: buttons, inputs, dialogs and frames. */
export function setUpBlocks(): void {
  for (const block of all('[data-ck-block]')) setUpBlock(block);
  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    const frame = all<HTMLIFrameElement>('[data-ck-block] iframe').find(
      (each) => each.contentWindow === source,
    );
    const action = isFields(data) && isFields(data['action']) ? data['action'] : undefined;
    if (frame !== undefined && action !== undefined) handleFrame(frame, action);
  });
}

function setUpBlock(block: HTMLElement): void {
  draw(block);
  block.addEventListener('submit', (event) => event.preventDefault());
  block.addEventListener('change', () => sendState(block));
  block.addEventListener('click', (event) => act(block, event.target));
  block.addEventListener('keydown', (event) => {
    if ((event.key === 'Enter' || event.key === ' ') && event.target instanceof HTMLElement)
      if (event.target.getAttribute('role') === 'button') {
        event.preventDefault();
        act(block, event.target);
      }
  });
}

/** Applies what style sheets cannot express: sizes, and cards that can be pressed. */
function draw(block: HTMLElement): void {
  for (const element of all('[data-ck-ratio]:not([data-ck-ready])', block))
    element.style.aspectRatio = element.dataset['ckRatio'] ?? '';
  for (const element of all('[data-ck-grow]', block))
    element.style.flexGrow = element.dataset['ckGrow'] ?? '';
  for (const card of all('.ck-card[data-ck-action]', block)) {
    card.setAttribute('role', 'button');
    card.tabIndex = 0;
  }
}

function act(block: HTMLElement, target: EventTarget | null): void {
  const pressed = target instanceof Element ? target.closest<HTMLElement>('[data-ck-action]') : null;
  if (pressed === null) return;
  const action = parse(pressed.dataset['ckAction']);
  const name = action['action'];
  const dialog = pressed.closest('dialog');
  if (name === '@ui.modal.close') {
    dialog?.close();
    if (action['returnValue'] !== undefined) void send(block, block, action);
  } else if (name === '@ui.modal.open') void openDialog(block, action);
  else void send(block, dialog ?? block, action);
}

/** Sends an action to the integration, and shows its new content, or an error, in the block or in its dialog. */
async function send(block: HTMLElement, shown: HTMLElement, action: Fields | undefined): Promise<boolean> {
  for (const old of all('.ck-failed', block)) old.remove();
  const isDone = await perform(block, shown, action);
  // A dialog that could not be drawn is not opened, so the error is shown in the block.
  const place = shown instanceof HTMLDialogElement && !shown.open ? block : shown;
  if (!isDone)
    place.append(make('p', { class: 'ck-failed', role: 'alert' }, block.dataset['ckFailed'] ?? ''));
  return isDone;
}

async function perform(block: HTMLElement, shown: HTMLElement, action: Fields | undefined): Promise<boolean> {
  const opened = parse(shown.dataset['ckOpened']);
  const state = stateOf(shown);
  const place = parse(block.dataset['ckBlock']);
  shown.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(block.dataset['ckAddress'] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...place, state, action, ...opened }),
    });
    const result = (await answer.json()) as Fields;
    if (!answer.ok) return false;
    if (typeof result['html'] === 'string') {
      // The HTML is safe: the server created it and escaped all texts of the integration.
      const content = document.createRange().createContextualFragment(result['html']);
      patch(shown, content);
      shown.dataset['ckValues'] = JSON.stringify(result['values']);
      draw(shown);
      sendState(block);
    } else if (shown instanceof HTMLDialogElement) {
      shown.close();
      void send(block, block, { action: '@ui.modal.close', returnValue: result['returnValue'] });
    }
    return true;
  } catch {
    return false;
  } finally {
    shown.removeAttribute('aria-busy');
  }
}

/**
 * Replaces the shown content by new content. Keeps unchanged frames, which would load again, and the element with the focus,
 * together with their ancestors.
 */
function patch(shown: Element, fresh: ParentNode): void {
  const before = Array.from(shown.childNodes).filter(({ nodeName }) => nodeName !== 'DIALOG');
  const after = Array.from(fresh.childNodes);
  for (const [at, node] of after.entries()) {
    const old = before[at];
    if (old === undefined) shown.insertBefore(node, shown.querySelector(':scope > dialog'));
    else if (old instanceof Element && node instanceof Element && isKept(old, node)) {
      if (old.tagName !== 'IFRAME')
        for (const name of old.getAttributeNames()) if (!node.hasAttribute(name)) old.removeAttribute(name);
      for (const { name, value } of Array.from(node.attributes)) old.setAttribute(name, value);
      patch(old, node);
    } else old.replaceWith(node);
  }
  for (const old of before.slice(after.length)) old.remove();
}

function isKept(old: Element, fresh: Element): boolean {
  if (old.tagName !== fresh.tagName || old.matches('[data-ck-state]')) return false;
  if (old.tagName === 'IFRAME') return old.getAttribute('src') === fresh.getAttribute('src');
  return old.querySelector('iframe') !== null || old.contains(document.activeElement);
}

async function openDialog(block: HTMLElement, action: Fields): Promise<void> {
  // The server checks that the block offers the dialog, either at first or in this state.
  const opened = JSON.stringify({ modal: action, blockState: parse(block.dataset['ckValues']) });
  const dialog = make('dialog', { class: 'ck-dialog', 'data-ck-opened': opened });
  dialog.addEventListener('close', () => dialog.remove());
  block.append(dialog);
  if (await send(block, dialog, undefined)) dialog.showModal();
  else dialog.remove();
}

/** Returns the state of a block or dialog, including the values of its inputs. */
function stateOf(shown: HTMLElement): Fields {
  const isBlock = !(shown instanceof HTMLDialogElement);
  const values: Fields = {};
  for (const input of all<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    '[data-ck-state]',
    shown,
  )) {
    if (isBlock && input.closest('dialog') !== null) continue;
    const name = input.dataset['ckState'] ?? '';
    if (input instanceof HTMLSelectElement)
      values[name] = input.multiple ? [...input.selectedOptions].map(({ value }) => value) : input.value;
    else if (input.type === 'checkbox' && input.getAttribute('role') !== 'switch') {
      const before = Array.isArray(values[name]) ? (values[name] as unknown[]) : [];
      values[name] = (input as HTMLInputElement).checked ? [...before, input.value] : before;
    } else if (input.type === 'checkbox') values[name] = (input as HTMLInputElement).checked;
    else if (input.type !== 'radio' || (input as HTMLInputElement).checked) values[name] = input.value;
  }
  return { ...parse(shown.dataset['ckValues']), ...values };
}

/** Handles a message of a frame: it is ready, it has another size, or it has an action for the integration. */
function handleFrame(frame: HTMLIFrameElement, action: Fields): void {
  const block = frame.closest<HTMLElement>('[data-ck-block]');
  const name = action['action'];
  if (block === null || typeof name !== 'string') return;
  if (name === '@webframe.ready') {
    frame.dataset['ckReady'] = '';
    sendState(block);
  } else if (name === '@webframe.resize') {
    const size = isFields(action['size']) ? action['size'] : {};
    const height = Number(size['height']);
    const ratio = Number(size['aspectRatio']);
    if (height > 0) {
      frame.style.aspectRatio = 'auto';
      frame.style.height = `${Math.min(4000, height)}px`;
    } else if (ratio > 0) frame.style.aspectRatio = String(ratio);
  } else if (!name.startsWith('@')) void send(block, frame.closest('dialog') ?? block, action);
}

/** Sends the data of the integration to frames that are ready. */
function sendState(block: HTMLElement): void {
  for (const frame of all<HTMLIFrameElement>('iframe[data-ck-ready]', block)) {
    const state = stateOf(frame.closest('dialog') ?? block);
    const data = Object.entries(parse(frame.dataset['ckData'])).map(([name, value]) => {
      const key = isFields(value) ? value['$state'] : undefined;
      return [name, typeof key === 'string' ? state[key] : value];
    });
    // The frame has an opaque origin, so no target origin can be given.
    frame.contentWindow?.postMessage({ state: Object.fromEntries(data) as Fields }, '*');
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string | undefined): Fields {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
