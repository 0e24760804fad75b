#!/usr/bin/env bash
# Every relative link of every Markdown file leads to something that exists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

broken=0
while IFS=: read -r file link; do
    target=${link#"]("}
    case $target in http*) continue ;; esac
    if [ ! -e "$(dirname "$file")/${target%%#*}" ]; then
        echo "$file: broken link $target" >&2
        broken=1
    fi
done < <(git ls-files '*.md' | xargs grep -HoE '\]\([^)#][^) ]*')
exit $broken
