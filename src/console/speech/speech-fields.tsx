import type { ComponentChildren, VNode } from 'preact';
import type { CatalogModel, SpeechRequest } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import { shortName } from '../models/model-text.ts';
import { isReadyToUse } from '../models/stages.ts';
import { formatNumber } from '../ui/format.ts';
import { voiceGroups } from './voice-options.ts';

interface FieldsProps {
  models: CatalogModel[];
  request: SpeechRequest;
  onChange: (changed: Partial<SpeechRequest>) => void;
}

/** Fields for the text, the voice, and how it speaks. */
export function SpeechFields({ models, request, onChange }: FieldsProps): VNode {
  const text = messages.value.speech;
  const { model, voice, input, response_format: format, speed = 1 } = request;
  const chosen = models.find(({ id }) => id === model);
  const groups = chosen?.speech ? voiceGroups(chosen.speech) : [];
  return (
    <>
      <textarea
        class="field"
        rows={5}
        maxLength={4096}
        aria-label={text.text}
        value={input}
        onInput={({ currentTarget }) => onChange({ input: currentTarget.value })}
      />
      <div class="speech-fields">
        <SpeechField name={text.model}>
          <select
            class="field"
            aria-label={text.model}
            value={model}
            onChange={({ currentTarget }) => onChange({ model: currentTarget.value })}
          >
            <ModelGroup label={text.readyModels} models={models.filter(isReadyToUse)} />
            <ModelGroup
              label={text.hubModels}
              models={models.filter((other) => !isReadyToUse(other))}
            />
          </select>
        </SpeechField>
        <SpeechField name={text.voice}>
          <select
            class="field"
            aria-label={text.voice}
            value={voice}
            onChange={({ currentTarget }) => onChange({ voice: currentTarget.value })}
          >
            {groups.map(({ language, voices }) => (
              <optgroup key={language} label={language}>
                {voices.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </SpeechField>
        <SpeechField name={text.format}>
          <select
            class="field"
            aria-label={text.format}
            value={format ?? 'wav'}
            onChange={({ currentTarget: { value } }) =>
              onChange({ response_format: value === 'mp3' ? 'mp3' : 'wav' })
            }
          >
            <option value="wav">WAV</option>
            <option value="mp3">MP3</option>
          </select>
        </SpeechField>
        <SpeechField name={text.speed}>
          <input
            type="range"
            aria-label={text.speed}
            min={0.25}
            max={4}
            step={0.25}
            value={speed}
            onInput={({ currentTarget }) => onChange({ speed: currentTarget.valueAsNumber })}
          />
          <output class="speech-speed">{formatNumber(speed)}×</output>
        </SpeechField>
      </div>
    </>
  );
}

function SpeechField({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <label class="speech-field">
      <span>{name}</span>
      {children}
    </label>
  );
}

function ModelGroup({ label, models }: { label: string; models: CatalogModel[] }): VNode | null {
  if (models.length === 0) return null;
  return (
    <optgroup label={label}>
      {models.map(({ id }) => (
        <option key={id} value={id}>
          {shortName(id)}
        </option>
      ))}
    </optgroup>
  );
}
