"""Reads the weights of the pack back, so that its training can go on.

usage: PYTHONPATH=../training python from_pack.py PACK_DIR OUT_DIR

The matrices have the 16 bits that the pack has. What the pack lacks begins anew and changes nothing at first: the
classes of single frames, and the encoder's layers that were added to `whisper.py` after the pack was made.
"""

import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import onnx
from onnx import numpy_helper

import tokens
import training
import whisper
from whisper import SHAPE
from windows import FRAME_CLASSES, PLACES


def stored(path: Path) -> dict[str, np.ndarray]:
    return {value.name: numpy_helper.to_array(value).astype(np.float32) for value in onnx.load(path).graph.initializer}


def read_back(found: dict[str, np.ndarray], name: str, like: np.ndarray) -> np.ndarray:
    """A convolution's matrix has the frame and the channel before it in one dimension; see `convolve`."""
    stored_name = name.replace(".scale", ".weight").replace(".shift", ".bias")
    for key in (stored_name, f"{name}.weight.half", f"{name}.half"):
        if key in found:
            value = found[key]
            return value.transpose(2, 1, 0).reshape(like.shape) if value.ndim == 3 else value
    if not name.startswith(("frames", "encoder.")):
        raise KeyError(name)
    return np.zeros_like(like) if "frames" in name or "down" in name else like


def main() -> None:
    pack, out = Path(sys.argv[1]), Path(sys.argv[2])
    ids = tokens.Ids(tokens.build())
    params = dict(whisper.initial_weights(7, ids.timestamps, len(PLACES) * len(FRAME_CLASSES)))
    found = stored(pack / "onnx/encoder_model.onnx") | stored(pack / "onnx/decoder_model_merged.onnx")
    table = found["embed_tokens.half"]
    waves = whisper.sinusoids(SHAPE.positions + 1, SHAPE.hidden)
    with_bias = np.concatenate([waves, np.ones((len(waves), 1))], axis=1)
    solved = np.linalg.lstsq(with_bias, table[ids.timestamps :], rcond=1e-4)[0]
    made = {
        "embed_tokens": table[: ids.timestamps],
        "embed_timestamps": solved[:-1],
        "embed_timestamps.bias": solved[-1],
    }
    for name, value in params.items():
        new = made[name] if name in made else read_back(found, name, value)
        assert new.shape == value.shape, name
        params[name] = jnp.asarray(new, jnp.float32)
    out.mkdir(parents=True, exist_ok=True)
    training.save(params, out / "last.safetensors")


if __name__ == "__main__":
    main()
