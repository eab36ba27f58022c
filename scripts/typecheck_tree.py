"""Link the sources into build/typecheck as the package tree that an installation has.

`dialects/` and `passes/` are sub-packages of `hhlo_xdsl` by setuptools' package-dir, which pyright does not read. The
links are made anew each time, so new and renamed files are seen.
"""

import os
import shutil
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "typecheck"


def source_folder(package: str, package_dir: dict[str, str]) -> Path:
    """The folder a package's files come from: that of its longest mapped prefix, followed by the rest of its name."""
    parts = package.split(".")
    for n in range(len(parts), 0, -1):
        mapped = package_dir.get(".".join(parts[:n]))
        if mapped is not None:
            return ROOT.joinpath(mapped, *parts[n:])
    return ROOT.joinpath(*parts)


def main() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    shutil.rmtree(TREE, ignore_errors=True)
    for package in setuptools["packages"]:
        target = TREE.joinpath(*package.split("."))
        target.mkdir(parents=True, exist_ok=True)
        for source in source_folder(package, setuptools["package-dir"]).glob("*.py"):
            os.symlink(os.path.relpath(source, target), target / source.name)


if __name__ == "__main__":
    main()
