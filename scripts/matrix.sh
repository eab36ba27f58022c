#!/bin/sh
# Run the tests marked compat on pairs of Python and jaxlib, each in an environment of its own below .matrix, and print a
# line per pair. PAIRS="3.12:0.11.2" chooses; "newest" is the newest jaxlib that the Python can have.
set -u
cd "$(dirname "$0")/.."

PAIRS=${PAIRS:-"3.11:0.10.0 3.11:newest 3.12:0.10.2 3.12:0.11.2 3.12:newest 3.13:0.10.0 3.13:newest"}
failed=0

for pair in $PAIRS; do
    version=${pair%%:*} jaxlib=${pair#*:}
    environment=.matrix/$version-$jaxlib
    python=$(VERSION=$version scripts/pick_python.sh 2>/dev/null) || { echo "$pair: no Python $version here"; continue; }
    [ "$jaxlib" = newest ] && wanted=jaxlib || wanted=jaxlib==$jaxlib
    if [ ! -e "$environment/ready" ]; then
        rm -rf "$environment" && "$python" -m venv "$environment" &&
            "$environment/bin/python" -m pip --disable-pip-version-check --no-input install -qq -e '.[test]' "$wanted" &&
            touch "$environment/ready" || { echo "$pair: cannot be installed"; failed=1; continue; }
    fi
    found=$("$environment/bin/python" -c 'import jaxlib.version as v; print(v.__version__)')
    if result=$("$environment/bin/python" -m pytest -q -m compat 2>&1); then
        echo "$pair (jaxlib $found): $(echo "$result" | tail -1)"
    else
        echo "$result" | tail -40
        echo "$pair (jaxlib $found): FAILED"
        failed=1
    fi
done
exit $failed
