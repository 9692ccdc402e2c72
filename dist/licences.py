"""Prints the licences of all that is part of packages of this workspace for a target, each text once.

Usage: licences.py TARGET PACKAGE…, such as: licences.py x86_64-unknown-linux-musl arbiter bots
"""

import collections
import glob
import json
import os
import subprocess
import sys

PROGRAMS = """These programs contain the packages below, under the licences that follow. They also contain the standard
library of Rust (MIT or Apache-2.0, https://www.rust-lang.org), SQLite (in the public domain,
https://sqlite.org), and the library of C of their system: musl (MIT, https://musl.libc.org) on Linux, parts
of mingw-w64 (in the public domain, or under the licence of Zope, https://www.mingw-w64.org) on Windows.
"""
MODULE = """This module contains the packages below, under the licences that follow. It also contains the standard
library of Rust (MIT or Apache-2.0, https://www.rust-lang.org) and, on Linux, the library of LLVM that unwinds
(Apache-2.0 with the exception of LLVM, https://llvm.org).
"""


def main():
    target, names = sys.argv[1], sys.argv[2:]
    packages = parts(target, names)
    print(MODULE if names == ["arbiter-games"] else PROGRAMS)
    for package in packages:
        print(f"{package['name']} {package['version']}: {package['license'] or 'see its text'}")
    texts = collections.defaultdict(list)
    for package in packages:
        for text in licence_texts(os.path.dirname(package["manifest_path"])):
            texts[text].append(package["name"])
    for text, names in texts.items():
        print("\n" + "-" * 100 + "\n" + ", ".join(names) + "\n\n" + text)


def parts(target, names):
    """The packages of others that are compiled into these packages."""
    asked = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target]
    told = json.loads(subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout)
    packages = {package["id"]: package for package in told["packages"]}
    nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
    own = set(told["workspace_members"])
    ways = [id for id in own if packages[id]["name"] in names]
    found = set()
    while ways:
        id = ways.pop()
        if id in found:
            continue
        found.add(id)
        for dependency in nodes[id]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                ways.append(dependency["pkg"])
    others = [packages[id] for id in found - own]
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def licence_texts(folder):
    """The texts that a package has, alike but for blanks at the ends of lines."""
    for path in sorted(glob.glob(os.path.join(folder, "*"))):
        name = os.path.basename(path).upper()
        if os.path.isfile(path) and name.startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE")):
            with open(path, encoding="utf-8", errors="replace") as file:
                yield "\n".join(line.rstrip() for line in file.read().strip().splitlines())


main()
