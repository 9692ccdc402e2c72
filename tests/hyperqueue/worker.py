"""A worker of HyperQueue, in a process of its own: `worker.py FOLDER OWN-FOLDER`, with two
processors.

The Python package starts workers only for a server in the same process. So this has a server that does
nothing, and its worker is told to go to the other one, whose folder is FOLDER. Both are absolute.
"""
import os
import shutil
import sys

from hyperqueue import LocalCluster
from hyperqueue.cluster import WorkerConfig

folder, own = sys.argv[1:]
cluster = LocalCluster(server_dir=own)
way = os.path.join("hq-current", "access.json")
shutil.copy(os.path.join(folder, way), os.path.join(own, "other.json"))
os.replace(os.path.join(own, "other.json"), os.path.join(own, way))
cluster.start_worker(WorkerConfig(cores=2))
print("ready", flush=True)
sys.stdin.read()
