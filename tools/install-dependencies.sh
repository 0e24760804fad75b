#!/usr/bin/env bash
# Installs the distribution packages that Overcast is built from: Debian 12, Ubuntu 24.04 and newer.
# usage: tools/install-dependencies.sh [--lint] [--browser]
#   --lint: also what tools/check.sh needs
#   --browser: also what the browser tests need (Debian: Ubuntu has Chromium only as a snap)
set -euo pipefail

packages=(
    g++ cmake ninja-build python3
    libboost-program-options-dev libeigen3-dev libfmt-dev nlohmann-json3-dev libsimdjson-dev
    libsqlite3-dev zlib1g-dev libgtest-dev libgmock-dev libbenchmark-dev
    groff-base zsh
)
# The page of --html; a node from elsewhere comes with its npm, and does not go with Debian's.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
for option in "$@"; do
    case "$option" in
        --lint) packages+=(clang-format-16 clang-tidy-16 shellcheck) ;;
        --browser) packages+=(chromium fonts-dejavu-core) ;;
        *) echo "usage: tools/install-dependencies.sh [--lint] [--browser]" >&2; exit 2 ;;
    esac
done

if ! command -v apt-get >/dev/null; then
    echo "error: no apt-get here; install the equivalents of: ${packages[*]}" >&2
    exit 1
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=(env)
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "error: as root, run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo env)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
as_root_quietly() {
    "${as_root[@]}" DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a "$@" >>"$log" 2>&1 </dev/null
}
apt() { as_root_quietly apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"; }

echo "Installing ${#missing[@]} packages: ${missing[*]}"
apt update || true  # a broken third-party source is no reason to stop; the next line decides
if ! apt install --no-install-recommends "${missing[@]}"; then
    echo "That failed: finishing what an interrupted installation left half done, then once more"
    as_root_quietly dpkg --configure -a || true
    apt --fix-broken install || true
    if ! apt install --no-install-recommends "${missing[@]}"; then
        tail -n 30 "$log" >&2
        echo "error: apt-get could not install the packages above" >&2
        exit 1
    fi
fi
