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
# If the folder is a league, its next round is planned first, in at most as many shards, and taken at the end.
# A seed kept apart is in the file that SEED_FILE names. Three rounds in which nothing was played are the end.
set -u
folder=$1
shards=$2
seed=(${SEED_FILE:+"--seed-file=$SEED_FILE"})
end=(tournament merge "$folder" ${seed[@]+"${seed[@]}"})
before=

if [ -e "$folder/league.jsonl" ]; then
  planned=$(arbiter league plan-round "$folder" --shards "$shards" --plain) || exit
  end=(league take-round "$folder")
  shards=${planned%% *}
  folder=${planned#* }
  seed=()
fi

for ((vain = 0; vain < 3; vain++)); do
  hq submit --name arbiter --array "0-$((shards - 1))" --cpus 1 --crash-limit unlimited --wait \
    -- env -u SLURM_ARRAY_TASK_ID arbiter tournament run-shard "$folder" ${seed[@]+"${seed[@]}"} \
    --workers 1 --wait-lock 2m --quiet
  told=$(arbiter "${end[@]}" 2>&1)
  code=$?
  # 75: shards are not finished, or the next block of deals can begin.
  [ "$code" -eq 75 ] || break
  [ "$told" = "$before" ] || vain=-1
  before=$told
  sleep 2
done
printf '%s\n' "$told"
exit "$code"
