#!/bin/sh
# Print the path of the newest Python that can make the project's virtual environment.
#
# A name on PATH proves nothing: a pyenv shim may answer that no such version is chosen, and a distribution may ship
# Python without ensurepip. So each candidate is run. PYTHON=... skips the search, VERSION=3.12 narrows it.
set -u

# Prints "VERSION PATH" if $1 runs and can create environments.
probe() {
    "$1" -c 'import ensurepip, sys, venv; print("%d.%d" % sys.version_info[:2], sys.executable)' 2>/dev/null </dev/null
}

candidates() {
    old_ifs=$IFS
    IFS=:
    for dir in $PATH; do
        for name in "python$1" python3 python; do
            [ -x "$dir/$name" ] && echo "$dir/$name"
        done
    done
    IFS=$old_ifs
    root=${PYENV_ROOT:-$(pyenv root 2>/dev/null || echo "$HOME/.pyenv")}
    for exe in "$root/versions/$1".*/bin/python; do
        [ -x "$exe" ] && echo "$exe"
    done
}

if [ -n "${PYTHON:-}" ]; then
    found=$(probe "$PYTHON") || found=
    [ -n "$found" ] && echo "${found#* }" && exit 0
    echo "PYTHON=$PYTHON does not run, or lacks the venv and ensurepip modules." >&2
    exit 1
fi

# 3.14 is untested and taken only where nothing else is there.
for version in ${VERSION:-3.13 3.12 3.11 3.14}; do
    found=$(candidates "$version" | while IFS= read -r exe; do
        answer=$(probe "$exe") || continue
        [ "${answer%% *}" = "$version" ] && echo "${answer#* }" && break
    done)
    [ -n "$found" ] && echo "$found" && exit 0
done

echo "No usable Python found. Needed: Python 3.11, 3.12 or 3.13 with the venv and ensurepip modules (on Debian and
Ubuntu the package is called python3-venv). If it is somewhere unusual: make <target> PYTHON=/path/to/python" >&2
exit 1
