/** Fields that say how to answer, and nothing of what is said. */
const NAMES = new Set([
  ...['model', 'voice', 'response_format', 'tools', 'tool_choice', 'functions', 'function_call'],
  ...['reasoning', 'reasoning_effort', 'thinking', 'chat_template_kwargs', 'stream_options'],
  ...['logit_bias', 'service_tier', 'truncation', 'modalities', 'include', 'encoding_format'],
  ...['input_type', 'language', 'lang_code', 'stream_format', 'timestamp_granularities[]'],
]);

/** The body of a request: JSON, or the fields of a form. Undefined: it has none that can be read. */
export async function bodyOf(request: Request): Promise<Record<string, unknown> | undefined> {
  try {
    const isForm = request.headers.get('content-type')?.startsWith('multipart/');
    const body: unknown = isForm
      ? Object.fromEntries(
          [...(await request.formData())].filter(([, value]) => typeof value === 'string'),
        )
      : await request.json();
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields that hold no contents: numbers, switches, and those that are known to. */
export function parametersOf(body: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(body);
  return Object.fromEntries(
    entries.filter(([name, value]) => /^(number|boolean)$/.test(typeof value) || NAMES.has(name)),
  );
}
