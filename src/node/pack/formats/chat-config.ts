import type { Checkpoint } from './checkpoint.ts';
import type { ModelLibrary } from '../model-library.ts';
import type { ModelOptions } from '../model-options.ts';
import { QUANTIZATION } from './parameters.ts';

/**
 * Content of `mlc-chat-config.json`, as web-llm 0.2.86 reads it. The prompt is normally rendered from
 * the model's chat template; the ChatML conversation here is for web-llm without slashv1.
 */
export function chatConfig(
  { shape, specialTokens }: Checkpoint,
  { contextLength, prefillChunk }: ModelLibrary,
  { temperature, topP }: ModelOptions,
): object {
  const limits = { context_window_size: contextLength, prefill_chunk_size: prefillChunk };
  return {
    version: '0.1.0',
    model_type: 'llama',
    quantization: QUANTIZATION,
    model_config: {
      hidden_size: shape.hidden,
      num_hidden_layers: shape.layers,
      vocab_size: shape.vocab,
      ...limits,
    },
    vocab_size: shape.vocab,
    ...limits,
    sliding_window_size: -1,
    attention_sink_size: -1,
    tensor_parallel_shards: 1,
    temperature,
    top_p: topP,
    presence_penalty: 0,
    frequency_penalty: 0,
    repetition_penalty: 1,
    pad_token_id: specialTokens.padding,
    bos_token_id: specialTokens.begin,
    eos_token_id: specialTokens.end,
    tokenizer_files: ['tokenizer.json', 'tokenizer_config.json'],
    tokenizer_info: {
      token_postproc_method: 'byte_level',
      prepend_space_in_encode: false,
      strip_space_in_decode: false,
    },
    conv_template: chatMl(specialTokens.stop),
  };
}

function chatMl(stopTokenIds: number[]): object {
  return {
    name: 'chatml',
    system_template: '<|im_start|>system\n{system_message}<|im_end|>\n',
    system_message: '',
    render_empty_system_message: false,
    system_prefix_token_ids: null,
    add_role_after_system_message: true,
    roles: {
      user: '<|im_start|>user',
      assistant: '<|im_start|>assistant',
      tool: '<|im_start|>user',
    },
    role_templates: {
      user: '{user_message}',
      assistant: '{assistant_message}',
      tool: '<tool_response>\n{tool_message}\n</tool_response>',
    },
    messages: [],
    seps: ['<|im_end|>\n'],
    role_content_sep: '\n',
    role_empty_sep: '\n',
    stop_str: ['<|im_end|>'],
    stop_token_ids: stopTokenIds,
    function_string: '',
    use_function_calling: false,
  };
}
