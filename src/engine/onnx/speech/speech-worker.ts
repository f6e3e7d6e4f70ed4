import type { EngineConfig } from '../../../core/protocol/messages.ts';
import type { SpeechDevice } from '../../../core/protocol/speech-files.ts';
import { SPEECH_BUILDS } from '../../../core/protocol/speech-files.ts';
import type { StartWorker } from '../../page-worker.ts';
import { OnnxWorker } from '../model-worker.ts';
import type { SpeechOperation } from './speech-engine.ts';

/** The engine worker's end of `worker.ts`, in the build for a device. */
export class SpeechWorker extends OnnxWorker<SpeechOperation> {
  constructor(config: EngineConfig, speechDevice: SpeechDevice, start: StartWorker) {
    const script = new URL(SPEECH_BUILDS[speechDevice].script, config.base);
    super('speech', script, { ...config, speechDevice }, start);
  }
}
