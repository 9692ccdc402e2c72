#!/usr/bin/env bash
# A task of this array is a shard of a tournament. The folder lies where all workers see it, and a server
# and workers of HyperQueue are running.
#
#   arbiter tournament plan cup --game tablic --deals 1000 --shards 64 random greedy
#   hyperqueue.sh cup 64
#   arbiter tournament status cup
#
# HyperQueue starts a task again whose worker has gone, and not one that has failed. So what is left after
# all have ended is submitted once more: a shard that is finished ends at once. Workers may be tasks of an
# array of Slurm, whose index is not that of the shard.
set -u
folder=$1
shards=$2

for _ in {1..20}; do
  hq submit --name arbiter --array "0-$((shards - 1))" --cpus 1 --crash-limit unlimited --wait \
    -- env -u SLURM_ARRAY_TASK_ID arbiter tournament run-shard "$folder" --workers 1 --wait-lock 2m --quiet
  arbiter tournament merge "$folder"
  code=$?
  # 75: shards are not finished, or the next block of deals can begin.
  [ "$code" -eq 75 ] || break
  sleep 2
done
exit "$code"
