"""Makes an archive of a folder: the same bytes for the same files, wherever it is made with the same versions of
liblzma and zlib.

Usage: pack.py FOLDER ARCHIVE.tar.xz|ARCHIVE.zip SECONDS

All files get the same time, in seconds since 1970.
"""

import lzma
import os
import sys
import tarfile
import time
import zipfile


def main():
    folder, archive, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    pack = to_zip if archive.endswith(".zip") else to_tar
    pack(folder, archive, seconds)


def files(folder):
    """The files below a folder in order: where they lie, their names in the archive, their rights."""
    above = os.path.dirname(os.path.abspath(folder))
    paths = [os.path.join(where, name) for where, _, names in os.walk(os.path.abspath(folder)) for name in names]
    for path in sorted(paths):
        rights = 0o755 if os.access(path, os.X_OK) else 0o644
        yield path, os.path.relpath(path, above).replace(os.sep, "/"), rights


def to_tar(folder, archive, seconds):
    # The programs share tables of megabytes: this preset looks back far enough to find them again.
    with lzma.open(archive, "wb", preset=9) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as out:
            for path, name, rights in files(folder):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode, entry.mtime = os.path.getsize(path), rights, seconds
                with open(path, "rb") as content:
                    out.addfile(entry, content)


def to_zip(folder, archive, seconds):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
        for path, name, rights in files(folder):
            entry = zipfile.ZipInfo(name, time.gmtime(seconds)[:6])
            entry.create_system, entry.external_attr = 3, rights << 16
            with open(path, "rb") as content:
                out.writestr(entry, content.read(), zipfile.ZIP_DEFLATED, 9)


main()
