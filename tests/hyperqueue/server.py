"""A server of HyperQueue, without workers, that ends with its standard input: `server.py FOLDER`."""
import sys

from hyperqueue import LocalCluster

cluster = LocalCluster(server_dir=sys.argv[1])
print("ready", flush=True)
sys.stdin.read()
cluster.stop()
