"""Runs tests, and runs each failed one once more, alone, after the others.

    run_tests.py UNSTABLE AGAIN -- COMMAND...

COMMAND runs many tests. AGAIN is a command that runs the one whose name is added to it. A test that passes the
second time is unstable: its name goes to the file UNSTABLE, and the run goes on. The run fails with a test that
fails twice, with more than five unstable tests in UNSTABLE, and with a failure that no test is named for.
"""

import re
import shlex
import subprocess
import sys

MOST = 5


class Results:
    """The results that test programs print, in the format of Rust's test harness."""

    def __init__(self):
        self.passed = 0
        self.failed = []
        self.unnamed = 0
        self._list = []
        self._programs = 0

    def read(self, line):
        """Takes one line of output."""
        if line == "failures:":
            # The list with the names comes last, after the output of the tests that failed.
            self._list = []
        elif line.startswith("    "):
            self._list.append(line.strip())
        elif result := re.fullmatch(r"test result: (ok|FAILED)\. (\d+) passed; (\d+) failed;.*", line):
            self.passed += int(result[2])
            failed = int(result[3])
            if failed:
                self._programs += 1
                names = self._list[-failed:]
                self.failed += names
                self.unnamed += failed - len(names)
            self._list = []
        elif re.match(r"error: (doc)?test failed, to rerun", line):
            # Cargo says this of each program that failed, also of one that ended without a result.
            self._programs -= 1

    @property
    def programs_without_result(self):
        """How many programs failed without a result; Cargo alone tells."""
        return -min(self._programs, 0)


def run(command):
    """Runs a command, prints what it prints, and returns its exit code with its results."""
    results = Results()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as program:
        for line in program.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            results.read(line.decode(errors="replace").rstrip("\r\n"))
    return program.returncode, results


def main():
    unstable, again, dashes, *command = sys.argv[1:]
    if dashes != "--" or not command:
        sys.exit(__doc__)
    code, results = run(command)
    if code == 0:
        return
    if not results.failed or results.unnamed or results.programs_without_result:
        sys.exit("the tests failed, and not all failures have a name")
    with open(unstable, encoding="utf-8") as file:
        known = len(file.readlines())
    if known + len(results.failed) > MOST:
        sys.exit(f"{len(results.failed)} tests failed, {known} were unstable before: more than {MOST}")
    for name in results.failed:
        print(f"\n== once more, alone: {name}", flush=True)
        code, alone = run([*shlex.split(again), name])
        if code != 0 or alone.passed == 0:
            sys.exit(f"failed twice: {name}")
        with open(unstable, "a", encoding="utf-8") as file:
            file.write(name + "\n")


if __name__ == "__main__":
    main()
