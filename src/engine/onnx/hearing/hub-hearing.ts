import type { OnnxGraphFile } from '../../../core/files/onnx/graph-file.ts';
import { readHearingConfig } from '../../../core/files/hearing/hearing-config.ts';
import { HEARING_FILES } from '../../../core/files/hearing/whisper-config.ts';
import type { TranscriptionModel } from '../../../core/catalog/catalog-entry.ts';
import type { Repository } from '../../download/hub/hub-repository.ts';
import { onnxEntry } from '../onnx-entry.ts';

/**
 * The catalog entry of a repository with a speech recogniser.
 *
 * @param named - the languages that the hub's page of the repository names
 * @throws ConfigFault if it cannot be used
 */
export async function hearingEntry(
  own: Repository,
  graphs: readonly OnnxGraphFile[],
  named: () => Promise<string[]>,
): Promise<TranscriptionModel> {
  const { family, transcription, maxTokens } = await readHearingConfig(own.read);
  // Moonshine's files name no language.
  const languages = family === 'moonshine' ? await named() : [];
  const entry = onnxEntry(own, graphs, maxTokens, HEARING_FILES);
  const understood = { ...transcription, ...(languages.length > 0 && { languages }) };
  return { ...entry, task: 'transcription', transcription: understood };
}
