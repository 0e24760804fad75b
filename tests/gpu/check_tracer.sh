#!/usr/bin/env bash
# Checks `overcast trace` on a machine with a GPU; see check_tracer.py --help.
exec python3 "$(dirname "$0")/check_tracer.py" "$@"
