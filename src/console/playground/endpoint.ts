import type { CatalogModel, Task } from '../../index.ts';

/** An endpoint of the API, with the content of a first request to it. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path below the base URL. A name in braces stands for a value that the user enters. */
  path: string;
  /** Names that the query may have. */
  query?: readonly string[];
  /** The task of the model that it needs. */
  task?: Task;
  body?: (model: CatalogModel | undefined) => object;
  /** The body is sent as a form, with a file of this kind. */
  file?: 'recording' | 'any';
  /** The body's fields are sent in a signed URL. */
  isSigned?: true;
  /** What a request deletes or unloads. */
  removes?: 'files' | 'memory' | 'response' | 'conversation' | 'file';
}
