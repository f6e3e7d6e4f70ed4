/** A model on the hub as people write it: `owner/name`, `owner/name:Q4_K_M` or `owner/name:file.gguf`. */
export interface HubModel {
  /** `owner/name`. */
  repository: string;
  /** Path of a file, or a quantisation. */
  file?: string;
}

/** Undefined if the text has another form. */
export function hubModel(text: string): HubModel | undefined {
  const [, repository, file] = /^([\w.-]+\/[\w.-]+)(?::(.+))?$/.exec(text) ?? [];
  if (repository === undefined || /^\.|\.gguf$/i.test(repository)) return undefined;
  return { repository, ...(file !== undefined && { file }) };
}
