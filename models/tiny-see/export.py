"""Writes the model as two GGUF files, the text half and the eye, named as llama.cpp's converter does for SmolVLM.

usage: PYTHONPATH=../training:../tiny-chat:../library python export.py TRAINED_DIR OUT_DIR
"""

import sys
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import load_file

import export_gguf
from sizes import EYE, TEXT

HERE = Path(__file__).resolve().parent
LINEAR = {"out": "attn_out", "up": "ffn_up", "down": "ffn_down", "norm_1": "ln1", "norm_2": "ln2"}


class Weights:
    def __init__(self, params: dict[str, np.ndarray]) -> None:
        self.params = params

    def linear(self, name: str) -> np.ndarray:
        return self.params[name]

    def norm(self, name: str) -> np.ndarray:
        return self.params[name]

    def embedding(self) -> np.ndarray:
        return self.params["embed_tokens"]


def eye_tensors(params: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    patch = params["eye.patch"].reshape(EYE.patch, EYE.patch, 3, EYE.hidden)
    found = {
        "v.patch_embd.weight": patch.transpose(3, 2, 0, 1),
        "v.patch_embd.bias": params["eye.patch_bias"],
        "v.position_embd.weight": params["eye.embed_positions"],
        "v.post_ln.weight": params["eye.post_norm"],
        "v.post_ln.bias": params["eye.post_norm_bias"],
        "mm.model.fc.weight": params["eye.project"].T,
    }
    for layer in range(EYE.layers):
        ours, theirs = f"eye.{layer}", f"v.blk.{layer}"
        for our_name, their_name in LINEAR.items():
            found[f"{theirs}.{their_name}.weight"] = params[f"{ours}.{our_name}"].T
            found[f"{theirs}.{their_name}.bias"] = params[f"{ours}.{our_name}_bias"]
        for part, (weight, bias) in zip(
            "qkv",
            zip(np.split(params[f"{ours}.qkv"].T, 3), np.split(params[f"{ours}.qkv_bias"], 3), strict=True),
            strict=True,
        ):
            found |= {f"{theirs}.attn_{part}.weight": weight, f"{theirs}.attn_{part}.bias": bias}
    return found


def export_eye(params: dict[str, np.ndarray], path: Path) -> None:
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_name("tiny-see")
    writer.add_organization("slashv1")
    writer.add_license("mit")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type(gguf.VisionProjectorType.IDEFICS3)
    writer.add_vision_projection_dim(TEXT.hidden)
    writer.add_vision_image_size(EYE.side)
    writer.add_vision_preproc_image_size(EYE.side)
    writer.add_vision_patch_size(EYE.patch)
    writer.add_vision_embedding_length(EYE.hidden)
    writer.add_vision_feed_forward_length(EYE.ffn)
    writer.add_vision_block_count(EYE.layers)
    writer.add_vision_head_count(EYE.heads)
    writer.add_vision_attention_layernorm_eps(EYE.eps)
    writer.add_vision_image_mean([0.5, 0.5, 0.5])
    writer.add_vision_image_std([0.5, 0.5, 0.5])
    writer.add_vision_projector_scale_factor(EYE.merge)
    writer.add_vision_use_gelu(True)
    export_gguf.write(writer, eye_tensors(params))


def main() -> None:
    trained, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    params = load_file(trained / "model.safetensors")
    tokenizer, template = trained / "tokenizer.json", HERE / "template.jinja"
    export_gguf.export(Weights(params), TEXT, "tiny-see", out / "tiny-see-F32.gguf", tokenizer, template)
    export_eye(params, out / "mmproj-tiny-see-F32.gguf")


if __name__ == "__main__":
    main()
