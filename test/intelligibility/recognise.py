"""Prints what pocketsphinx hears in each file, one line per file: 16 kHz, 16-bit PCM, mono."""

import sys
from pathlib import Path

from pocketsphinx import Decoder

for name in sys.argv[1:]:
    decoder = Decoder(samprate=16000, loglevel="FATAL")
    decoder.start_utt()
    decoder.process_raw(Path(name).read_bytes(), full_utt=True)
    decoder.end_utt()
    heard = decoder.hyp()
    print(heard.hypstr if heard else "", flush=True)
