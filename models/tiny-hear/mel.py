"""The log-mel spectrogram of Whisper, as transformers.js's WhisperFeatureExtractor computes it."""

import numpy as np

RATE = 16000  # samples per second
FFT = 400
HOP = 160
MELS = 80
CHUNK_SECONDS = 30
FLOOR = 1e-10
RANGE = 8.0  # between the loudest and the quietest, as powers of ten

WINDOW = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(FFT) / FFT)).astype(np.float32)


def filters() -> np.ndarray:
    """Slaney's triangles [frequency, mel], linear below 1 kHz and logarithmic above."""
    linear_step, log_step = 200 / 3, np.log(6.4) / 27

    def hertz(mel: np.ndarray) -> np.ndarray:
        return np.where(mel < 15, mel * linear_step, 1000 * np.exp(log_step * (mel - 15)))

    top = 15 + np.log(RATE / 2 / 1000) / log_step
    edges = hertz(np.linspace(0, top, MELS + 2))
    frequencies = np.linspace(0, RATE / 2, FFT // 2 + 1)
    slopes = edges[None] - frequencies[:, None]
    widths = np.diff(edges)
    triangles = np.maximum(0, np.minimum(-slopes[:, :-2] / widths[:-1], slopes[:, 2:] / widths[1:]))
    return (triangles * 2 / (edges[2:] - edges[:-2])).astype(np.float32)


FILTERS = filters()


def log_mel(samples: np.ndarray) -> np.ndarray:
    """[frame, mel]. The first frame is centred on the sample FFT / 2: the caller adds that margin at both ends."""
    frames = np.lib.stride_tricks.sliding_window_view(samples, FFT)[::HOP]
    power = np.abs(np.fft.rfft(frames * WINDOW, axis=1)).astype(np.float32) ** 2
    logs = np.log10(np.maximum(power @ FILTERS, FLOOR))
    return (np.maximum(logs, logs.max() - RANGE) + 4) / 4


def of_recording(samples: np.ndarray) -> np.ndarray:
    """Of at most 30 seconds: [3000, mel]."""
    padded = np.zeros(CHUNK_SECONDS * RATE, np.float32)
    padded[: len(samples)] = samples[: len(padded)]
    return log_mel(np.pad(padded, FFT // 2, mode="reflect"))[: CHUNK_SECONDS * RATE // HOP]
