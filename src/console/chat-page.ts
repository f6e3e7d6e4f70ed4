import type OpenAI from 'openai';
import { start, type Slashv1 } from '../index.ts';
import { loadClientLibrary } from './chat/api-client.ts';
import { Chat } from './chat/chat.ts';
import { Composer } from './chat/composer.ts';
import { welcome } from './chat/welcome.ts';
import { CodeDialog } from './from-code/code-dialog.ts';
import { ModelPicker } from './models/model-picker.ts';
import { ModelShelf } from './models/model-shelf.ts';
import { StatusBar } from './models/status-bar.ts';
import { SpeechDialog } from './speech/speech-dialog.ts';
import { showPage, showProblem } from './page.ts';
import { cpuNoteView } from './problem/cpu-note-view.ts';
import { topBar } from './top-bar.ts';
import { el } from './ui/dom.ts';
import { FollowEnd } from './ui/follow-end.ts';

/** Starts the API and shows the chat, or shows why the API could not start. */
export async function showChatPage(): Promise<void> {
  showPage(topBar(), el('main', { class: 'starting' }, el('p', { role: 'status' }, 'Starting…')));
  try {
    const [v1, createClient] = await Promise.all([start(), loadClientLibrary()]);
    await new ChatPage(v1, createClient(v1)).open();
  } catch (error) {
    showProblem(error);
  }
}

/** Connects the parts of the page. Each part does its own work; how one affects another is decided here. */
class ChatPage {
  readonly #shelf: ModelShelf;
  readonly #picker: ModelPicker;
  readonly #status: StatusBar;
  readonly #chat: Chat;
  readonly #composer: Composer;
  readonly #code: CodeDialog;
  readonly #speech: SpeechDialog;
  readonly #welcome: HTMLElement;
  readonly #content: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #end: FollowEnd;

  constructor(v1: Slashv1, client: OpenAI) {
    this.#shelf = new ModelShelf(v1, () => this.#showModels());
    this.#picker = new ModelPicker(this.#shelf);
    this.#status = new StatusBar({
      onPause: () => void this.#shelf.pauseDownload(),
      onDismiss: () => this.#shelf.dismissDownload(),
      onRetry: (model) => void this.#shelf.retry(model),
    });
    this.#code = new CodeDialog(v1, () => this.#shelf.selected);
    this.#speech = new SpeechDialog(v1);
    this.#chat = new Chat({
      client,
      model: () => this.#shelf.selected,
      onAnswering: (answering) => this.#showAnswering(answering),
      onEmpty: (empty) => (this.#welcome.hidden = !empty),
    });
    this.#composer = new Composer(
      { onSend: (text) => this.#ask(text), onStop: () => this.#chat.stop() },
      this.#picker.button,
    );
    const note = cpuNoteView(v1.device);
    this.#welcome = welcome(v1.baseURL, (text) => this.#ask(text), note);
    this.#content = el('div', { class: 'column' }, this.#welcome, this.#chat.element);
    this.#scroller = el('main', { class: 'scroller' }, this.#content);
    this.#end = new FollowEnd(this.#scroller, this.#content);
  }

  async open(): Promise<void> {
    const bar = topBar({
      onNewChat: () => this.#newChat(),
      onCode: () => this.#code.show(),
      others: [this.#speech.button],
    });
    const dock = el('div', { class: 'dock' }, this.#end.button, this.#status.element);
    dock.append(this.#composer.element);
    const announcer = this.#chat.announcer.element;
    const dialogs = [this.#picker.dialog, this.#code.element, this.#speech.element];
    showPage(bar, this.#scroller, dock, announcer, ...dialogs);
    document.addEventListener('keydown', (event) => this.#onKey(event));
    this.#composer.focus();
    await Promise.all([this.#shelf.open(), this.#speech.refresh()]);
  }

  #ask(text: string): void {
    if (this.#shelf.selected === '') return;
    void this.#chat.ask(text);
    this.#end.follow();
  }

  #newChat(): void {
    this.#chat.clear();
    this.#composer.focus();
  }

  #showModels(): void {
    const { selected, inFocus, hasDownload } = this.#shelf;
    this.#picker.update();
    this.#status.show(this.#shelf.progressOf(inFocus), hasDownload);
    this.#composer.available = selected !== '';
  }

  #showAnswering(answering: boolean): void {
    this.#composer.answering = answering;
    // When the pressed button disappears (Retry, a suggestion), the focus falls back to the body.
    if (document.activeElement === document.body) this.#composer.focus();
  }

  /** Esc stops the answer. If a dialog is open, Esc closes the dialog instead. */
  #onKey(event: KeyboardEvent): void {
    const isForDialog = document.querySelector('dialog[open]') !== null;
    if (event.key === 'Escape' && !isForDialog) this.#chat.stop();
  }
}
