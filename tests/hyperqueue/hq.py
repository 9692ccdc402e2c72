"""Stands in for `hq`, which the Python package has not: `hq.py FOLDER submit …` submits to a real server.

It knows the words of the template alone.
"""
import argparse
import sys

from hyperqueue import Client, Job
from hyperqueue.ffi.protocol import ResourceRequest

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("command", choices=["submit"])
parser.add_argument("--name", required=True)
parser.add_argument("--array", required=True)
parser.add_argument("--cpus", type=int, required=True)
parser.add_argument("--crash-limit", choices=["unlimited"], required=True)
parser.add_argument("--wait", action="store_true", required=True)
parser.add_argument("words", nargs="+")
asked = parser.parse_args()

first, last = (int(number) for number in asked.array.split("-"))
assert first == 0
# As with `hq`, the other tasks go on when one has failed.
job = Job(name=asked.name, max_fails=None)
for _ in range(last + 1):
    job.program(asked.words, resources=ResourceRequest(cpus=asked.cpus), crash_limit=1000)
client = Client(asked.folder)
succeeded = client.wait_for_jobs([client.submit(job)], raise_on_error=False)
sys.exit(0 if succeeded else 1)
