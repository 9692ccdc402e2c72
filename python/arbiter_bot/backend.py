"""Builds the package: its modules, their types and its description, as a wheel or as an archive of the sources.

It is the build backend that `pyproject.toml` names, and needs nothing but Python: a backend from elsewhere would be
downloaded for each installation. The same files give the same wheel.
"""

from __future__ import annotations

import base64
import hashlib
import io
import pathlib
import tarfile
import zipfile

HERE = pathlib.Path(__file__).parent
MODULE = (
    "arbiter_bot/__init__.py",
    "arbiter_bot/_seats.py",
    "arbiter_bot/_wire.py",
    "arbiter_bot/connect.py",
    "arbiter_bot/py.typed",
)
SOURCES = ("pyproject.toml", "backend.py", "README.md", *MODULE)
# The least time that a zip can hold.
TIME = (1980, 1, 1, 0, 0, 0)


def fields() -> dict[str, str]:
    """The texts of `[project]`, each on a line of its own there: Python reads TOML from 3.11 on only."""
    lines = (HERE / "pyproject.toml").read_text(encoding="utf-8").partition("[project]\n")[2].splitlines()
    pairs = (line.partition(" = ") for line in lines if line.endswith('"'))
    return {key: value.strip('"') for key, _, value in pairs}


def name() -> str:
    """The name and the version, as names of files have them."""
    project = fields()
    return f"{project['name'].replace('-', '_')}-{project['version']}"


def metadata() -> str:
    """The description that an installation keeps."""
    project = fields()
    head = {
        "Metadata-Version": "2.1",
        "Name": project["name"],
        "Version": project["version"],
        "Summary": project["description"],
        "License": project["license"],
        "Requires-Python": project["requires-python"],
        "Description-Content-Type": "text/markdown",
    }
    lines = "".join(f"{key}: {value}\n" for key, value in head.items())
    return lines + "\n" + (HERE / project["readme"]).read_text(encoding="utf-8")


def build_wheel(
    wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None
) -> str:
    """Makes the wheel in a folder, and returns its name."""
    files = {path: (HERE / path).read_bytes() for path in MODULE}
    about = f"{name()}.dist-info"
    files[f"{about}/METADATA"] = metadata().encode()
    files[f"{about}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: arbiter-bot\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    wheel = f"{name()}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w") as out:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            out.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """Makes the archive of the sources in a folder, and returns its name."""
    archive = f"{name()}.tar.gz"
    files = {path: (HERE / path).read_bytes() for path in SOURCES}
    files["PKG-INFO"] = metadata().encode()
    with tarfile.open(pathlib.Path(sdist_directory, archive), "w:gz", format=tarfile.PAX_FORMAT) as out:
        for path, content in files.items():
            entry = tarfile.TarInfo(f"{name()}/{path}")
            entry.size = len(content)
            out.addfile(entry, io.BytesIO(content))
    return archive
