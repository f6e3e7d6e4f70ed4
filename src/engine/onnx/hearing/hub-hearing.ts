import type { OnnxGraphFile } from '../../../core/graph-file.ts';
import { HEARING_FILES, readWhisperConfig } from '../../../core/hearing/whisper-config.ts';
import type { TranscriptionModel } from '../../../core/stores/catalog-entry.ts';
import type { Repository } from '../../weights/hub-repository.ts';
import { onnxEntry } from '../onnx-entry.ts';

/** The catalog entry of a repository whose model hears. @throws ConfigFault if it cannot be used */
export async function hearingEntry(
  own: Repository,
  graphs: OnnxGraphFile,
): Promise<TranscriptionModel> {
  const { transcription, maxTokens } = await readWhisperConfig(own.read);
  const entry = onnxEntry(own, graphs, maxTokens, HEARING_FILES);
  return { ...entry, task: 'transcription', transcription };
}
