import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { hasMembers } from '../json.ts';
import { messages } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { shortName } from '../models/model-text.ts';
import { Checkbox, Field, NumberField } from '../ui/fields.tsx';
import type { ChatSettings } from './conversation/conversation.ts';
import { onDemand } from '../ui/on-demand.tsx';
import { PresetFields } from './presets/preset-fields.tsx';
import type { Preset } from './presets/presets.ts';
import { toolsProblem } from './tools/tool-call.ts';
import { messageOf } from '../../core/text/message-of.ts';

const ServerFields = onDemand(
  async () => (await import('./servers/server-fields.tsx')).ServerFields,
);

const PromptFields = onDemand(
  async () => (await import('./presets/prompt-fields.tsx')).PromptFields,
);
const CodeFields = onDemand(async () => (await import('./tools/code-fields.tsx')).CodeFields);

const SCHEMA_EXAMPLE = '{ "type": "object" }';
const TOOLS_EXAMPLE = '[{ "type": "function", "function": { "name": "get_weather" } }]';

interface SettingsProps {
  settings: ChatSettings;
  /** Ids of the models that may answer beside the chosen one. */
  others: readonly string[];
  onChange: (settings: ChatSettings) => void;
}

interface DialogProps extends SettingsProps {
  /** Id of the chat. */
  chat: string;
  /** Id of the chosen model. */
  model: string;
  onPreset: (preset: Preset) => void;
  /** Whether it begins with a field for a new prompt. */
  isForPrompt: boolean;
  onClose: () => void;
}

/** Settings of a conversation, and the presets that they may come from. Beside the chat if there is room. */
export function ChatSettingsDialog(all: DialogProps): VNode {
  const { chat, model, onPreset, isForPrompt, onClose, ...props } = all;
  const isBeside = useMemo(() => matchMedia('(width >= 90rem)').matches, []);
  /** Counts the applied presets: the fields begin anew with each. */
  const count = useSignal(0);
  const apply = (preset: Preset) => {
    onPreset(preset);
    count.value++;
  };
  return (
    <Dialog
      title={messages.value.chat.settings}
      name="chat-settings"
      isBeside={isBeside}
      onClose={onClose}
    >
      <PresetFields settings={props.settings} model={model} onApply={apply} />
      <PromptFields isOpen={isForPrompt} />
      <SettingFields key={`${chat} ${count.value}`} {...props} />
    </Dialog>
  );
}

/** An empty field leaves the choice to the console. */
function SettingFields({ settings, others, onChange }: SettingsProps): VNode {
  const text = messages.value.chat.options;
  const schemaProblem = useSignal('');
  const toolProblem = useSignal('');
  /** Applies the changes, and drops members that are undefined. */
  const change = (changed: { [Name in keyof ChatSettings]?: ChatSettings[Name] | undefined }) => {
    const { system = '', schema = '', ...rest } = { ...settings, ...changed };
    const chosen = Object.entries(rest).filter(([, value]) => value !== undefined);
    onChange({ system, schema, ...Object.fromEntries(chosen) });
  };
  const setSchema = (schema: string) => {
    schemaProblem.value = problemOf(schema);
    if (schemaProblem.value === '') change({ schema });
  };
  const setTools = (tools: string) => {
    toolProblem.value = toolsProblem(tools);
    if (toolProblem.value === '') change({ tools: tools.trim() === '' ? undefined : tools });
  };
  return (
    <>
      {others.length > 0 && (
        <Field name={text.beside} note={text.besideNote}>
          <select
            class="field"
            value={settings.beside ?? ''}
            onChange={({ currentTarget: { value } }) =>
              change({ beside: value === '' ? undefined : value })
            }
          >
            <option value="">{text.noBeside}</option>
            {others.map((id) => (
              <option key={id} value={id}>
                {shortName(id)}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Field name={text.system} note={text.systemNote}>
        <textarea
          dir="auto"
          class="field"
          rows={3}
          defaultValue={settings.system}
          onChange={({ currentTarget }) => change({ system: currentTarget.value })}
        />
      </Field>
      <div class="field-grid">
        <NumberField
          name={text.temperature}
          min={0}
          max={2}
          step={0.05}
          value={settings.temperature}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberField
          name={text.topP}
          min={0}
          max={1}
          step={0.05}
          value={settings.topP}
          onChange={(topP) => change({ topP })}
        />
        <NumberField
          name={text.maxTokens}
          min={1}
          step={1}
          value={settings.maxTokens}
          onChange={(maxTokens) => change({ maxTokens })}
        />
        <NumberField
          name={text.seed}
          step={1}
          value={settings.seed}
          onChange={(seed) => change({ seed })}
        />
      </div>
      <Checkbox
        checked={settings.thinking !== false}
        onChange={(checked) => change({ thinking: checked ? undefined : false })}
      >
        {text.thinking}
      </Checkbox>
      <Checkbox
        checked={settings.dropsOldest === true}
        onChange={(checked) => change({ dropsOldest: checked ? true : undefined })}
      >
        {text.dropsOldest}
      </Checkbox>
      <ServerFields
        chosen={settings.servers ?? []}
        onChange={(servers) => change({ servers: servers.length === 0 ? undefined : servers })}
      />
      <Field name={text.schema} note={schemaProblem.value || text.schemaNote}>
        <textarea
          dir="auto"
          class="field mono"
          rows={4}
          spellcheck={false}
          placeholder={SCHEMA_EXAMPLE}
          aria-invalid={schemaProblem.value !== ''}
          defaultValue={settings.schema}
          onChange={({ currentTarget }) => setSchema(currentTarget.value)}
        />
      </Field>
      <Field name={text.tools} note={toolProblem.value || text.toolsNote}>
        <textarea
          dir="auto"
          class="field mono"
          rows={4}
          spellcheck={false}
          placeholder={TOOLS_EXAMPLE}
          aria-invalid={toolProblem.value !== ''}
          defaultValue={settings.tools ?? ''}
          onChange={({ currentTarget }) => setTools(currentTarget.value)}
        />
      </Field>
      {(settings.tools ?? settings.code) !== undefined && (
        <CodeFields
          tools={settings.tools ?? ''}
          code={settings.code ?? {}}
          onChange={(code) => change({ code: Object.keys(code).length === 0 ? undefined : code })}
        />
      )}
    </>
  );
}

/** Why a text is not a JSON Schema; empty if it may be one. */
function problemOf(schema: string): string {
  if (schema.trim() === '') return '';
  try {
    const parsed: unknown = JSON.parse(schema);
    const isSchema = hasMembers(parsed) && !Array.isArray(parsed);
    return isSchema ? '' : messages.value.chat.options.notSchema;
  } catch (error) {
    return messageOf(error);
  }
}
