/** What a job of the HTTP API states about its client. */
export interface ClientRights {
  /** Client that sent the request, e.g. the id of an API key: turns are fair between clients. */
  client?: string;
  /** A model that is known but not installed is downloaded; without this, the job fails. */
  autoInstall?: boolean;
  /** Where its prompts may be kept on disk; undefined: nowhere. */
  disk?: PromptDisk;
}

/** The prompts on disk that a client may keep and read. */
export interface PromptDisk {
  /** `site` for all pages of the site; else the id of an API key. */
  owner: string;
  /** Most bytes of all kept prompts of the site together; undefined: the usual number. */
  maxBytes?: number;
}

export interface Repeatable {
  /** No client asks for it just now: it repeats a job or keeps a model ready. A load that ended a tab is not repeated. */
  automatic?: boolean;
}
