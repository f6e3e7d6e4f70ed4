"""Reads the folder of a pack, and dequantises its tensors as models/QUANTISATION.md describes."""

import hashlib
import json
import pathlib

import numpy as np

GROUP = 32


def unpack(words: np.ndarray, bits: int) -> np.ndarray:
    """Small integers [k, n] from u32 words [k * bits / 32, n], the first value in the lowest bits."""
    count = 32 // bits
    shifts = (np.arange(count, dtype=np.uint32) * np.uint32(bits))[None, :, None]
    values = (words[:, None, :] >> shifts) & np.uint32((1 << bits) - 1)
    return values.reshape(words.shape[0] * count, words.shape[1])


class Pack:
    """The tensors of a pack by name, and the pack's folder."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        index = (folder / "tensor-cache.json").read_bytes()
        weights = hashlib.sha256()
        self.tensors: dict[str, np.ndarray] = {}
        for shard in json.loads(index)["records"]:
            data = (folder / shard["dataPath"]).read_bytes()
            weights.update(data)
            for record in shard["records"]:
                self._add(record, data)
        self.weights_sha256 = weights.hexdigest()  # of all shards, in order

    def _add(self, record: dict, data: bytes) -> None:
        if record["format"] != "raw":
            raise ValueError(f"{record['name']} has the format {record['format']}; only raw tensors can be read")
        values = np.frombuffer(data, record["dtype"], count=record["nbytes"] // 4, offset=record["byteOffset"])
        self.tensors[record["name"]] = values.reshape(record["shape"])

    def stop_tokens(self) -> list[int]:
        """Ids of the tokens that end an answer."""
        config = json.loads((self.folder / "mlc-chat-config.json").read_text())
        return config["conv_template"]["stop_token_ids"]

    def norm(self, name: str) -> np.ndarray:
        """Weight of an RMS norm, [k]."""
        return self.tensors[f"{name}.weight"]

    def linear(self, name: str) -> np.ndarray:
        """W[k, n] as f32."""
        q = unpack(self.tensors[f"{name}.q"], 4).astype(np.float32)
        scales = unpack(self.tensors[f"{name}.s"], 8).astype(np.float32)  # rows dq, mq, dq, mq, …
        ds, ms = self.tensors[f"{name}.c"]
        return _per_value(ds * scales[0::2]) * q - _per_value(ms * scales[1::2])

    def embedding(self) -> np.ndarray:
        """E[v, k] as f32."""
        low, high = unpack(self.tensors["embed_tokens.lo"], 4), unpack(self.tensors["embed_tokens.hi"], 2)
        q = (low | (high << np.uint32(4))).astype(np.float32) - 32
        groups = unpack(self.tensors["embed_tokens.s"], 8)[: q.shape[0] // GROUP].astype(np.float32)
        return (_per_value(self.tensors["embed_tokens.c"] * groups) * q).T.copy()


def _per_value(groups: np.ndarray) -> np.ndarray:
    """Repeats a value of each group for all its members: [k / GROUP, n] to [k, n]."""
    return np.repeat(groups, GROUP, axis=0)
