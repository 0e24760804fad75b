#!/usr/bin/env bash
# From a fresh clone to a prediction: installs what is missing, builds the program, and predicts what
# a recording of a real H200 would do on 1 to 16 streams. Needs no GPU.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/build.sh release programs

trace=traces/h200/balanced/trace.json.gz
echo
echo "\$ build/release/bin/overcast predict $trace"
build/release/bin/overcast predict "$trace"
