/** What a job of the HTTP API states about its client. */
export interface ClientRights {
  /** Client that sent the request, e.g. the id of an API key: turns are fair between clients. */
  client?: string;
  /** A model that is known but not installed is downloaded; without this, the job fails. */
  autoInstall?: boolean;
}

export interface Repeatable {
  /** No client asks for it just now: it repeats a job or keeps a model ready. A load that ended a tab is not repeated. */
  automatic?: boolean;
}
