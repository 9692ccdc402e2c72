#!/usr/bin/env bash
# Every machine plays every n-th shard of a tournament, one after another, in a copy of its folder.
# Nothing is shared; `arbiter` and the interpreters of the bots are on every machine.
#
#   arbiter tournament plan cup --game tablic --deals 1000 --shards 64 random greedy
#   ssh.sh cup 64 one.example two.example
#   arbiter tournament status cup
#
# The bots lie where the plan names them, from the home folder of each machine. Where a machine has gone, the
# same command with other machines goes on: what was copied back is not played again. A seed kept apart is in
# the file that SEED_FILE names, on every machine. A shard that is damaged is removed here and there.
set -u
folder=$1
shards=$2
shift 2
machines=("$@")
seed=(${SEED_FILE:+"--seed-file=$SEED_FILE"})
copy="arbiter-$(basename "$folder")"
# As any shell reads it on the other side.
quoted() { for word; do printf "'%s' " "${word//"'"/"'\''"}"; done; }
run=$(quoted arbiter tournament run-shard "$copy" ${seed[@]+"${seed[@]}"} --wait-lock 2m --quiet)
mkdir -p "$folder/shards"

for index in "${!machines[@]}"; do
  machine=${machines[index]}
  (
    # What is newer on the other side stays.
    rsync --archive --update "$folder/" "$machine:$copy/" || exit
    for ((shard = index; shard < shards; shard += ${#machines[@]})); do
      ssh -n "$machine" "$run --shard $shard"
      code=$?
      rsync --archive --update "$machine:$copy/shards/" "$folder/shards/"
      # What is wrong with the command or a bot on this machine is wrong for its other shards too.
      case $code in 2 | 4) break ;; esac
    done
  ) &
done
wait
arbiter tournament merge "$folder" ${seed[@]+"${seed[@]}"}
