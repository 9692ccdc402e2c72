#!/usr/bin/env bash
# Each job of GNU parallel plays a shard of a tournament, one job per processor.
#
#   arbiter tournament plan cup --game tablic --deals 1000 --shards 64 random greedy
#   parallel.sh cup 64
#   arbiter tournament status cup
#
# Further arguments go to `parallel`, such as `--jobs 4`, or `--sshlogin one,two --workdir .` for machines that
# share the folder. After an interruption, the same command continues: a finished shard ends at once.
# If the folder is a league, the script first plans its next round, in at most that many shards, and finishes it
# at the end. SEED_FILE names the file of a separate seed. After three rounds without a new game, the script ends.
set -u
folder=$1
shards=$2
shift 2
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
  seq "$shards" | parallel --quote --max-replace-args 0 --retries 3 --delay 0.1 \
    --termseq TERM,30000,KILL,25 "$@" \
    arbiter tournament run-shard "$folder" ${seed[@]+"${seed[@]}"} --workers 1 --wait-lock 2m --quiet
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
