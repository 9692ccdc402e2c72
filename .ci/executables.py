"""Reads what cargo says of a build, and prints the folder and the test programs of some packages."""

import json
import os
import sys

for line in sys.stdin:
    built = json.loads(line)
    if built.get("executable") and built["target"]["kind"] == ["test"]:
        folder = os.path.dirname(built["manifest_path"])
        if os.path.basename(folder) in sys.argv[1:]:
            print(folder, built["executable"])
