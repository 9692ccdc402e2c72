#!/usr/bin/env bash
# Every machine plays every n-th shard of a tournament, one after another, in a copy of its folder.
# Nothing is shared: every machine needs `arbiter` and the interpreters of the bots.
#
#   arbiter tournament plan cup --game tablic --deals 1000 --shards 64 random greedy
#   ssh.sh cup 64 one.example two.example
#   arbiter tournament status cup
#
# The paths of bots in the plan are relative to the home folder of each machine. If a machine dies, run the same
# command with other machines: shards that were copied back are not played again. SEED_FILE names the file of a
# separate seed, on every machine. A damaged shard is removed on both sides.
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
