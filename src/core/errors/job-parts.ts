/** What a job of the HTTP API states about its client. */
export interface ClientRights {
  /** Whose request it is, e.g. the id of an API key: turns are fair between clients. */
  client?: string;
  /** A model that is known but not installed is downloaded; without this, the job fails. */
  autoInstall?: boolean;
}

export interface Repeatable {
  /** Nobody asks for it just now: it is repeated, or kept ready. A load that ended a tab is not repeated. */
  automatic?: boolean;
}
