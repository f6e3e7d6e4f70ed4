import { toErrorData } from '../../../../core/errors/errors.ts';
import type { PdfFault, PdfOutcome } from '../../../../core/operations/jobs/file-jobs.ts';
import type { EngineConfig } from '../../../../core/realms/messages.ts';
import { PDF_READER } from '../../../../core/site/engine-files.ts';
import { watchProgress } from '../../../scheduling/watchdog.ts';
import { JobWorker, type ModelWorker } from '../../../workers/model-worker.ts';
import type { StartWorker } from '../../../workers/page-worker.ts';
import { Unreadable } from '../unreadable.ts';

/** Reads the text of a PDF. @throws Unreadable; ApiError if nothing can be read now */
export type ReadPdf = (content: Blob, signal: AbortSignal) => Promise<string>;

const FAULTS: Record<PdfFault, string> = {
  password: 'The PDF needs a password.',
  broken: 'The PDF is damaged.',
  long: 'The PDF has more text or pages than are read.',
};

/** Reads PDFs, each in a worker of its own: a damaged file may take all memory, or never end. */
export function pdfReader(config: EngineConfig, start: StartWorker): ReadPdf {
  return pdfReaderOf(() => new JobWorker('pdf', PDF_READER, config, start));
}

/** @param start - starts a worker for one PDF */
export function pdfReaderOf(start: () => ModelWorker<'read-pdf'>): ReadPdf {
  return async (content, signal) => {
    const worker = start();
    try {
      return await watchProgress(
        () => 'a PDF',
        (onStep) => textOf(worker, content, signal, onStep),
      );
    } catch (error) {
      throw error instanceof Unreadable ? error : faultOf(error);
    } finally {
      worker.end();
    }
  };
}

async function textOf(
  worker: ModelWorker<'read-pdf'>,
  content: Blob,
  signal: AbortSignal,
  onStep: () => void,
): Promise<string> {
  let last: PdfOutcome = { fault: 'broken' };
  await worker.run({ op: 'read-pdf', content }, signal, (event) => {
    onStep();
    last = event;
  });
  return textIn(last);
}

function textIn(outcome: PdfOutcome): string {
  if ('text' in outcome) return outcome.text;
  const fault = 'fault' in outcome ? outcome.fault : 'broken';
  throw new Unreadable('invalid_file', FAULTS[fault]);
}

/** What a failure of the worker says of the file. */
function faultOf(error: unknown): unknown {
  const { code, message, retryable } = toErrorData(error);
  if (code === 'timeout') return new Unreadable('invalid_file', 'The PDF takes too long to read.');
  if (code !== 'site_file_broken' || retryable) return error;
  const help = 'PDFs are read if the site has that file: `npx slashv1 init --pdf`.';
  return new Unreadable('unsupported_file', `${message} ${help}`);
}
