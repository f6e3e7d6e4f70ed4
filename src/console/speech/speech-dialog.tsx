import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { CatalogModel, Progress, Slashv1, SpeechRequest } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import { ModelConfirmation } from '../models/card/model-confirmation.tsx';
import type { ModelShelf } from '../models/model-shelf.ts';
import { describeModel } from '../models/model-text.ts';
import { describeProgress } from '../models/progress-text.ts';
import { isReadyToUse } from '../models/stages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Player } from './player.ts';
import { SpeechFields } from './speech-fields.tsx';
import { chooseSpeaker, firstVoice, speakers } from './speakers.ts';
import { MOST_SPOKEN } from './spoken-text.ts';

const SAMPLE = 'This voice is made in your browser. Nothing that you type leaves this device.';
/** Stages that delay the speech and are shown. */
const SHOWN_STAGES: ReadonlySet<Progress['stage']> = new Set(['download', 'load', 'failed']);

interface SpeechProps {
  v1: Slashv1;
  shelf: ModelShelf;
  /** What is spoken; empty: a sample. */
  text: string;
  onClose: () => void;
}

/** Speaks a text in the chosen voice, speed and format. The speech is played or saved as a file. */
export function SpeechDialog({ v1, shelf, text, onClose }: SpeechProps): VNode {
  const { speech: words, ui, models: catalog } = messages.value;
  const models = useComputed(() => speakers(shelf.all.value)).value;
  const status = useSignal('');
  const question = useSignal<CatalogModel | null>(null);
  const isSaving = useSignal(false);
  const player = useMemo(() => new Player(v1, (message) => (status.value = message)), [v1]);
  const request = useSignal<SpeechRequest>(firstRequest(models, text.slice(0, MOST_SPOKEN)));
  const saving = useMemo(() => new AbortController(), []);
  const audio = useRef<HTMLAudioElement>(null);
  const chosen = models.find(({ id }) => id === request.value.model);
  const needsDownload = chosen !== undefined && !isReadyToUse(chosen);
  const isDownloading = chosen?.id === shelf.download.value;
  const state = player.state.value;

  useSignalEffect(() => {
    const progress = shelf.progress.value.get(request.value.model);
    if (!progress || !SHOWN_STAGES.has(progress.stage)) return;
    const { title, percent, detail } = describeProgress(progress);
    status.value = [title, percent, detail].filter((part) => part !== '').join(' · ');
  });
  useSignalEffect(() => {
    status.value = player.state.value === 'waiting' ? messages.value.speech.waiting : '';
  });
  useEffect(() => {
    if (audio.current) player.use(audio.current);
    void shelf.refresh();
    return () => {
      saving.abort();
      player.stop();
    };
  }, []);

  const change = (changed: Partial<SpeechRequest>) => {
    const next = { ...request.value, ...changed };
    if (changed.model !== undefined) {
      const model = models.find(({ id }) => id === changed.model);
      next.voice = firstVoice(model);
      status.value = model && !isReadyToUse(model) ? describeModel(model) : '';
    }
    request.value = next;
    chooseSpeaker({ model: next.model, voice: next.voice });
  };
  const install = (model: CatalogModel) => {
    question.value = null;
    void shelf.install(model.id);
  };
  // A download that the user has already confirmed continues without asking again.
  const offer = (model: CatalogModel) =>
    model.state === 'available' ? (question.value = model) : install(model);
  const save = async () => {
    isSaving.value = true;
    status.value = words.making;
    try {
      const file = await player.file(request.value, saving.signal);
      saveFile(file, `speech.${request.value.response_format ?? 'wav'}`, file.type);
      status.value = words.saved;
    } catch (error) {
      status.value = saving.signal.aborted || !(error instanceof Error) ? '' : error.message;
    } finally {
      isSaving.value = false;
    }
  };

  const asked = question.value;
  return (
    <Dialog title={words.title} name="speech-dialog" onClose={onClose}>
      {asked && (
        <ModelConfirmation
          shelf={shelf}
          model={shelf.find(asked.id) ?? asked}
          action="install"
          onCancel={() => (question.value = null)}
          onConfirm={() => install(asked)}
        />
      )}
      <div class="speech-panel" hidden={asked !== null}>
        <SpeechFields models={models} request={request.value} onChange={change} />
        <audio controls hidden ref={audio} />
        <p class="note" role="status">
          {status}
        </p>
        <div class="button-row">
          {!needsDownload && (
            <TextButton disabled={isSaving.value} onClick={() => void save()}>
              {words.saveFile}
            </TextButton>
          )}
          {state !== 'idle' && <TextButton onClick={() => player.stop()}>{ui.stop}</TextButton>}
          {!needsDownload && state === 'idle' && (
            <TextButton class="button primary" onClick={() => void player.play(request.value)}>
              {words.speak}
            </TextButton>
          )}
          {isDownloading && (
            <TextButton onClick={() => void shelf.pauseDownload()}>
              {catalog.actions.pause}
            </TextButton>
          )}
          {needsDownload && !isDownloading && (
            <TextButton class="button primary" onClick={() => offer(chosen)}>
              {catalog.actions.download}
            </TextButton>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function firstRequest([model]: CatalogModel[], text: string): SpeechRequest {
  const input = text === '' ? SAMPLE : text;
  const voice = firstVoice(model);
  return { model: model?.id ?? '', input, voice, response_format: 'wav', speed: 1 };
}
