# Sourced by the train.sh of tiny-embed and tiny-rerank, in their folders: sets $cache and $python, and installs what
# they need. Needs Python 3.11 or newer.
cache=$(realpath -m ../../.cache)
python=$cache/venv-training/bin/python
[ -x "$python" ] || python3 -m venv "$cache/venv-training"
"$python" -m pip install --quiet --disable-pip-version-check -r ../training/requirements.txt
export PYTHONPATH=../training

# Makes the pack of a model from the snapshot that its export.py wrote.
pack() {
  (cd ../.. && npx node src/node/cli.ts pack ".cache/$1/snapshot" --model "models/$1.json" --out "models/packs/$1")
}
