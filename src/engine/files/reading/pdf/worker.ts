import { engineOf } from '../../../../core/port/engine.ts';
import { enginePort } from '../../../workers/engine-port.ts';
import { serveJobs } from '../../../workers/serve-worker.ts';
import { readPdf } from './read-pdf.ts';

declare const self: DedicatedWorkerGlobalScope | SharedWorkerGlobalScope;

const receive = serveJobs('pdf', async () =>
  engineOf<'read-pdf'>({
    async *'read-pdf'({ content }) {
      for await (const outcome of readPdf(content)) yield { type: 'read-pdf', ...outcome };
    },
  }),
);

void enginePort(self).then((port) => {
  port.onmessage = receive;
});
