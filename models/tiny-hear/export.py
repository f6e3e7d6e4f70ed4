"""Writes the trained model as a snapshot folder like those of the hub.

usage: PYTHONPATH=../training python export.py TRAINED_DIR SNAPSHOT_DIR
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from safetensors.numpy import load_file

import tokens
import whisper
import whisper_onnx
from mel import CHUNK_SECONDS, FFT, HOP, MELS, RATE
from whisper import SHAPE, timestamp_rows

TOLERANCE = 0.02  # the rows of the tokens are rounded after they are made
ALIGNMENT_HEADS = [[2, 1]]


def config(ids: tokens.Ids) -> dict[str, Any]:
    return {
        "architectures": ["WhisperForConditionalGeneration"],
        "model_type": "whisper",
        "is_encoder_decoder": True,
        "activation_function": "gelu",
        "d_model": SHAPE.hidden,
        "encoder_layers": len(SHAPE.dilations),
        "encoder_attention_heads": SHAPE.heads,
        "encoder_ffn_dim": max(SHAPE.inner),
        "decoder_layers": SHAPE.decoder_layers,
        "decoder_attention_heads": SHAPE.heads,
        "decoder_ffn_dim": SHAPE.ffn,
        "num_hidden_layers": len(SHAPE.dilations),
        "num_mel_bins": SHAPE.mels,
        "max_source_positions": SHAPE.positions,
        "max_target_positions": SHAPE.tokens,
        "max_length": SHAPE.tokens,
        "median_filter_width": 7,
        "scale_embedding": False,
        "use_cache": True,
        "vocab_size": ids.count,
        "bos_token_id": ids.named("endoftext"),
        "eos_token_id": ids.named("endoftext"),
        "pad_token_id": ids.named("endoftext"),
        "decoder_start_token_id": ids.named("startoftranscript"),
        "torch_dtype": "float32",
    }


def generation_config(ids: tokens.Ids) -> dict[str, Any]:
    return {
        "alignment_heads": ALIGNMENT_HEADS,
        "bos_token_id": ids.named("endoftext"),
        "eos_token_id": ids.named("endoftext"),
        "pad_token_id": ids.named("endoftext"),
        "decoder_start_token_id": ids.named("startoftranscript"),
        "prev_sot_token_id": ids.named("startofprev"),
        "no_timestamps_token_id": ids.named("notimestamps"),
        "is_multilingual": True,
        "lang_to_id": {f"<|{name}|>": ids.named(name) for name in tokens.LANGUAGES},
        "task_to_id": {name: ids.named(name) for name in reversed(tokens.TASKS)},
        "max_initial_timestamp_index": tokens.POSITIONS,
        "max_length": SHAPE.tokens,
        "return_timestamps": False,
        "suppress_tokens": [],
    }


PREPROCESSOR = {
    "feature_extractor_type": "WhisperFeatureExtractor",
    "processor_class": "WhisperProcessor",
    "feature_size": MELS,
    "sampling_rate": RATE,
    "hop_length": HOP,
    "n_fft": FFT,
    "chunk_length": CHUNK_SECONDS,
    "n_samples": CHUNK_SECONDS * RATE,
    "nb_max_frames": CHUNK_SECONDS * RATE // HOP,
    "padding_side": "right",
    "padding_value": 0.0,
    "return_attention_mask": False,
}
TOKENIZER = {
    "tokenizer_class": "WhisperTokenizer",
    "processor_class": "WhisperProcessor",
    "add_prefix_space": False,
    "clean_up_tokenization_spaces": False,
    "errors": "replace",
    "model_max_length": SHAPE.tokens,
    "bos_token": tokens.END,
    "eos_token": tokens.END,
    "pad_token": tokens.END,
    "unk_token": tokens.END,
}


def check(weights: dict[str, np.ndarray], snapshot: Path, ids: tokens.Ids) -> None:
    """Fails if ONNX Runtime and JAX compute something else, at once or token by token."""
    rounded = {
        name: value.astype(np.float16).astype(np.float32) if value.ndim == 2 else value
        for name, value in weights.items()
    }
    rng = np.random.default_rng(1)
    mels = rng.normal(size=(1, 2 * SHAPE.positions, SHAPE.mels)).astype(np.float32)
    inputs = rng.integers(0, ids.count, (1, 9))
    encoder, decoder = (
        onnxruntime.InferenceSession(snapshot / "onnx" / f"{name}.onnx")
        for name in ("encoder_model", "decoder_model_merged")
    )
    expected = whisper.encode(rounded, mels, np.arange(SHAPE.positions)[None])
    (encoded,) = encoder.run(None, {"input_features": mels.transpose(0, 2, 1)})
    logits, crossed = whisper.decode(rounded, inputs, encoded)
    cache = {
        value.name: np.zeros((1, SHAPE.heads, 0, SHAPE.head_dim), np.float32)
        for value in decoder.get_inputs()
        if value.name.startswith("past")
    }
    names = [value.name for value in decoder.get_outputs()]
    differences = [np.abs(encoded - expected).max()]
    for begin, end in ((0, 5), (5, 6), (6, 9)):
        feeds = {
            "input_ids": inputs[:, begin:end],
            "encoder_hidden_states": encoded,
            "use_cache_branch": np.array([begin > 0]),
        }
        outputs = dict(zip(names, decoder.run(None, feeds | cache), strict=True))
        cache = {
            name.replace("present", "past_key_values"): value for name, value in outputs.items() if "present" in name
        }
        differences.append(np.abs(outputs["logits"] - logits[:, begin:end]).max())
        for layer, shares in enumerate(crossed):
            differences.append(np.abs(outputs[f"cross_attentions.{layer}"] - shares[:, :, begin:end]).max())
    print(f"largest difference between JAX and ONNX Runtime: {max(differences):.2g}")
    if max(differences) > TOLERANCE:
        raise ValueError(f"JAX and ONNX Runtime differ by more than {TOLERANCE}")


def main() -> None:
    trained, snapshot = (Path(argument) for argument in sys.argv[1:])
    weights = load_file(trained / "model.safetensors")
    tokenizer = tokens.build()
    ids = tokens.Ids(tokenizer)
    documents = {
        "config.json": config(ids),
        "generation_config.json": generation_config(ids),
        "preprocessor_config.json": PREPROCESSOR,
        "tokenizer_config.json": TOKENIZER,
    }
    snapshot.mkdir(parents=True, exist_ok=True)
    for name, document in documents.items():
        (snapshot / name).write_text(json.dumps(document, indent=2) + "\n")
    tokenizer.save(str(snapshot / "tokenizer.json"), pretty=False)
    whisper_onnx.write_encoder(weights, snapshot / "onnx" / "encoder_model.onnx")
    table = np.concatenate([weights["embed_tokens"], np.asarray(timestamp_rows(weights))])
    whisper_onnx.write_decoder(weights, table, snapshot / "onnx" / "decoder_model_merged.onnx")
    check(weights, snapshot, ids)


if __name__ == "__main__":
    main()
