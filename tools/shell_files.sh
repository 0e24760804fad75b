#!/usr/bin/env bash
# Writes completions for bash and zsh and the man pages, from the help texts of the built command.
# usage: tools/shell_files.sh OVERCAST SHARE-FOLDER
set -euo pipefail

overcast=${1:?usage: tools/shell_files.sh OVERCAST SHARE-FOLDER}
share=${2:?usage: tools/shell_files.sh OVERCAST SHARE-FOLDER}

mkdir -p "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/man/man1"
"$overcast" --completion bash >"$share/bash-completion/completions/overcast"
"$overcast" --completion zsh >"$share/zsh/site-functions/_overcast"
"$overcast" --help | sed -n '/^Subcommands:$/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r subcommand; do
    "$overcast" --man "$subcommand" >"$share/man/man1/overcast-$subcommand.1"
done
"$overcast" --man >"$share/man/man1/overcast.1"
