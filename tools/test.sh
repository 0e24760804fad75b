#!/usr/bin/env bash
# Installs what is missing, builds everything that needs no CUDA Toolkit, and runs all tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/build.sh no-cuda
ctest --preset no-cuda --parallel "$(nproc)"
