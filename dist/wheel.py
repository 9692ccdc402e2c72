"""Makes a wheel of the program `arbiter`, so that `pip install` puts this command alone on PATH, or of the package for
training: the same bytes for the same files, wherever it is made with the same version of zlib.

Usage: wheel.py [--package PACKAGE] [--level LEVEL] [--licences FILE] COMPILED PLATFORM_TAG VERSION OUT

PACKAGE is `arbiter-referee`, the default, or `arbiter-games`. COMPILED is the program for one system, or the module of
`arbiter-games`, which `cargo build --profile wheel -p arbiter-games --lib` makes as `lib_core.so`. PLATFORM_TAG is the
tag of this system in names of wheels, or several joined by dots, such as `win_amd64`. The wheel comes into the folder
OUT, and its path is printed. LEVEL is a level of compression, 9 by default. FILE has the licences of the packages in
the compiled file.
"""

import argparse
import base64
import hashlib
import os
import re
import sys
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
PROGRAM, TRAINING = "arbiter-referee", "arbiter-games"
SUMMARY = "A referee for card games played by bots."
LICENCE = "MIT OR Apache-2.0"
# The least time that a zip can hold: no clock gets into the wheel.
TIME = (1980, 1, 1, 0, 0, 0)
PLAIN, EXECUTABLE = 0o100644, 0o100755
# Versions before a release have another spelling in Python: 1.0.0-rc.1 is 1.0.0rc1.
VERSION = re.compile(r"(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.?(\d+))?")
STAGES = {"alpha": "a", "beta": "b", "rc": "rc"}
TAG = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)*")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--level", type=int, choices=range(10), default=9)
    parser.add_argument("--licences")
    parser.add_argument("--package", choices=(PROGRAM, TRAINING), default=PROGRAM)
    for word in ("compiled", "platform_tag", "version", "out"):
        parser.add_argument(word)
    given = parser.parse_args()
    if not TAG.fullmatch(given.platform_tag):
        sys.exit(f"`{given.platform_tag}` is not a platform tag, expected one such as win_amd64")
    version = python_version(given.version)
    stem = f"{given.package.replace('-', '_')}-{version}"
    about = f"{stem}.dist-info"
    is_windows = given.platform_tag.startswith("win")
    if given.package == PROGRAM:
        # The program is the same for any Python.
        pythons, head, readme = "py3-none", program_head(), os.path.join(ROOT, "README.md")
        suffix = ".exe" if is_windows else ""
        files = {f"{stem}.data/scripts/arbiter{suffix}": (read(given.compiled), EXECUTABLE)}
    else:
        folder = os.path.join(ROOT, "python", "arbiter_games")
        pythons, head, readme = "cp310-abi3", training_head(folder), os.path.join(folder, "README.md")
        files = training_files(folder, read(given.compiled), is_windows)
    licences = {name: os.path.join(ROOT, name) for name in ("LICENSE-APACHE", "LICENSE-MIT")}
    if given.licences:
        licences["LICENSES-OF-PACKAGES"] = given.licences
    for name, path in licences.items():
        files[f"{about}/licenses/{name}"] = (read(path), PLAIN)
    described = metadata(given.package, version, sorted(licences), head, readme)
    files[f"{about}/METADATA"] = (described.encode(), PLAIN)
    files[f"{about}/WHEEL"] = (wheel(pythons, given.platform_tag).encode(), PLAIN)
    files = dict(sorted(files.items()))
    files[f"{about}/RECORD"] = (record(files, f"{about}/RECORD").encode(), PLAIN)
    path = os.path.join(given.out, f"{stem}-{pythons}-{given.platform_tag}.whl")
    with zipfile.ZipFile(path, "w") as out:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, TIME)
            entry.create_system, entry.external_attr = 3, mode << 16
            out.writestr(entry, content, zipfile.ZIP_DEFLATED, given.level)
    print(path)


def python_version(version):
    """The version in the spelling of Python."""
    found = VERSION.fullmatch(version)
    if not found:
        sys.exit(f"`{version}` is not a wheel version, expected one such as 1.0.0 or 1.0.0-rc.1")
    number, stage, count = found.groups()
    return number if stage is None else f"{number}{STAGES[stage]}{int(count)}"


def project(folder):
    """What the manifest of a package for Python says of it."""
    import tomllib  # From Python 3.11 on; the program needs no manifest.

    return tomllib.loads(read(os.path.join(folder, "pyproject.toml")).decode())["project"]


def training_files(folder, module, is_windows):
    """The package for training: its files in Python, its types, and the module."""
    files = {f"arbiter_games/_core{'.pyd' if is_windows else '.abi3.so'}": (module, EXECUTABLE)}
    inside = os.path.join(folder, "arbiter_games")
    for name in os.listdir(inside):
        if name.endswith((".py", ".pyi", ".typed")):
            files[f"arbiter_games/{name}"] = (read(os.path.join(inside, name)), PLAIN)
    return files


def program_head():
    return [("Summary", SUMMARY), ("Requires-Python", ">=3.7")]


def training_head(folder):
    told = project(folder)
    head = [("Summary", told["description"]), ("Requires-Python", told["requires-python"])]
    head += [("Requires-Dist", needed) for needed in told["dependencies"]]
    for extra, needs in sorted(told["optional-dependencies"].items()):
        head.append(("Provides-Extra", extra))
        head += [("Requires-Dist", f'{needed}; extra == "{extra}"') for needed in needs]
    return head


def metadata(name, version, licences, more, readme):
    """The description that an installation keeps and that an index of packages shows."""
    head = [
        ("Metadata-Version", "2.4"),
        ("Name", name),
        ("Version", version),
        ("License-Expression", LICENCE),
        *[("License-File", licence) for licence in licences],
        *more,
        ("Description-Content-Type", "text/markdown"),
    ]
    # Pictures are in the repository only.
    lines = [line for line in read(readme).decode().splitlines() if not line.startswith("![")]
    return "".join(f"{key}: {value}\n" for key, value in head) + "\n" + "\n".join(lines) + "\n"


def wheel(pythons, platform_tag):
    """Which systems and Pythons the wheel is for."""
    tags = "".join(f"Tag: {pythons}-{tag}\n" for tag in platform_tag.split("."))
    return f"Wheel-Version: 1.0\nGenerator: arbiter\nRoot-Is-Purelib: false\n{tags}"


def record(files, own):
    """The digest and the length of each file; the list itself has none."""
    lines = []
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}\n")
    return "".join(lines) + f"{own},,\n"


def read(path):
    with open(path, "rb") as file:
        return file.read()


main()
