import type { ListPart } from './list-part.ts';

/** What a stored file is for. */
export type FilePurpose = 'assistants' | 'user_data' | 'vision';

/** What is known of a stored file. */
export interface FileFacts {
  id: string;
  filename: string;
  purpose: FilePurpose;
  bytes: number;
  /** Unix milliseconds. No two files of an owner have the same. */
  createdAt: number;
  /** Unix milliseconds; undefined: it is kept until it is deleted. */
  expiresAt?: number;
}

/** A file to store. Storing the same id twice stores it once: a job may be repeated. */
export interface NewFile {
  id: string;
  filename: string;
  purpose: FilePurpose;
  content: Blob;
  /** After how many seconds it is deleted; undefined: never. */
  expiresAfter?: number;
}

export type FileAction =
  | { do: 'add'; file: NewFile }
  | { do: 'list'; part: ListPart; purpose?: string }
  | { do: 'get' | 'read' | 'delete'; id: string }
  /** Deletes all files and vector stores of the owner. */
  | { do: 'end' }
  /** Deletes all files and vector stores, also those of other owners. */
  | { do: 'clear' };

/** Stores, finds, reads or deletes files of one owner, who cannot see those of others. */
export interface FilesRequest {
  /** `site` for all pages of the site; else the id of an API key. */
  owner: string;
  /** Most bytes that all owners together may store, if the device does not allow less. */
  maxBytes?: number;
  action: FileAction;
}

/** The files that the action was about. */
export interface FilesEvent {
  type: 'files';
  files: FileFacts[];
  /** Whether the list goes on after these. */
  hasMore: boolean;
  /** The file's bytes, if they were asked for. */
  content?: Blob;
}

/** Reads the text of a PDF. */
export interface ReadPdfRequest {
  content: Blob;
}

/** Why a PDF has no text: it needs a password, it is damaged, or its text is too long. */
export type PdfFault = 'password' | 'broken' | 'long';

/** How many pages of a PDF have been read; at the end, its text or why it has none. */
export type ReadPdfEvent = { type: 'read-pdf' } & PdfOutcome;
export type PdfOutcome = { pages: number } | { text: string } | { fault: PdfFault };
