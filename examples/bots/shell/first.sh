#!/bin/sh
# Plays any game: answers with the first of the listed legal moves.
#
# A bot reads a request from standard input and prints one move, and that is all.

# Passes over so many lines.
skip() {
    left=$1
    while [ "$left" -gt 0 ] && read -r _; do
        left=$((left - 1))
    done
}

# Every line is a key and its value. Keys that are not known here are passed over, so that the
# bot still plays when a later version of the protocol has more of them.
while read -r key count _; do
    case $key in
    view | history)
        # So many lines follow: what the seat knows now, or what has happened.
        skip "$count"
        ;;
    legal)
        # So many moves follow; `legal 1000 more` says that there are others not listed.
        read -r move
        printf '%s\n' "$move"
        # The rest is read too, in case that another request comes after it.
        skip $((count - 1))
        ;;
    esac
done
