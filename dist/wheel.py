"""Makes a wheel of the program `arbiter`, so that `pip install` puts this command alone on PATH: the same bytes for the
same files, wherever it is made with the same version of zlib.

Usage: wheel.py [--level LEVEL] [--licences FILE] PROGRAM PLATFORM_TAG VERSION OUT

PROGRAM is the program for one system, PLATFORM_TAG the tag of this system in names of wheels, or several joined by
dots, such as `win_amd64`. The wheel comes into the folder OUT, and its path is printed. LEVEL is a level of
compression, 9 by default. FILE has the licences of the packages in the program.
"""

import argparse
import base64
import hashlib
import os
import re
import sys
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
NAME = "arbiter-referee"
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
    for word in ("program", "platform_tag", "version", "out"):
        parser.add_argument(word)
    given = parser.parse_args()
    if not TAG.fullmatch(given.platform_tag):
        sys.exit(f"`{given.platform_tag}` is no tag of a platform, expected one such as win_amd64")
    version = python_version(given.version)
    stem = f"{NAME.replace('-', '_')}-{version}"
    about = f"{stem}.dist-info"
    suffix = ".exe" if given.platform_tag.startswith("win") else ""
    files = {f"{stem}.data/scripts/arbiter{suffix}": (read(given.program), EXECUTABLE)}
    licences = {name: os.path.join(ROOT, name) for name in ("LICENSE-APACHE", "LICENSE-MIT")}
    if given.licences:
        licences["LICENSES-OF-PACKAGES"] = given.licences
    for name, path in licences.items():
        files[f"{about}/licenses/{name}"] = (read(path), PLAIN)
    files[f"{about}/METADATA"] = (metadata(version, sorted(licences)).encode(), PLAIN)
    files[f"{about}/WHEEL"] = (wheel(given.platform_tag).encode(), PLAIN)
    files = dict(sorted(files.items()))
    files[f"{about}/RECORD"] = (record(files, f"{about}/RECORD").encode(), PLAIN)
    path = os.path.join(given.out, f"{stem}-py3-none-{given.platform_tag}.whl")
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
        sys.exit(f"`{version}` is no version of a wheel, expected one such as 1.0.0 or 1.0.0-rc.1")
    number, stage, count = found.groups()
    return number if stage is None else f"{number}{STAGES[stage]}{int(count)}"


def metadata(version, licences):
    """The description that an installation keeps and that an index of packages shows."""
    head = [
        ("Metadata-Version", "2.4"),
        ("Name", NAME),
        ("Version", version),
        ("Summary", SUMMARY),
        ("License-Expression", LICENCE),
        *[("License-File", name) for name in licences],
        ("Requires-Python", ">=3.7"),
        ("Description-Content-Type", "text/markdown"),
    ]
    readme = read(os.path.join(ROOT, "README.md")).decode()
    # Pictures are in the repository only.
    lines = [line for line in readme.splitlines() if not line.startswith("![")]
    return "".join(f"{key}: {value}\n" for key, value in head) + "\n" + "\n".join(lines) + "\n"


def wheel(platform_tag):
    """What the wheel is: programs for these systems, and any Python 3."""
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform_tag.split("."))
    return f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\n{tags}"


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
