#!/usr/bin/env bash
# Each task of this array plays a shard of a tournament. All workers must see the folder, and a HyperQueue
# server and its workers must be running.
#
#   arbiter tournament plan cup --game tablic --deals 1000 --shards 64 random greedy
#   hyperqueue.sh cup 64
#   arbiter tournament status cup
#
# HyperQueue restarts a task if its worker dies, but not if the task fails. So the script submits the rest again
# after all tasks have ended; a finished shard ends at once. Workers may be tasks of a Slurm array, whose index
# is not the index of the shard.
# If the folder is a league, the script first plans its next round, in at most that many shards, and finishes it
# at the end. SEED_FILE names the file of a separate seed. After three rounds without a new game, the script ends.
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
