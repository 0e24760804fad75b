#!/usr/bin/env bash
# Makes the pictures of the HTML report in docs/pictures anew: desktop and phone, light and dark.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/install-dependencies.sh --browser
tools/build.sh no-cuda overcast overcast_browser_tests -- -DOVERCAST_HTML=ON -DOVERCAST_BROWSER_TESTS=ON
OVERCAST_PROGRAM=build/no-cuda/bin/overcast node tests/browser/pictures.mjs docs/pictures
ls -l docs/pictures/*.png
