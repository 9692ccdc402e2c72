#!/bin/sh
# A bot of Tablić that takes two cards of the table with one of its own where they add up, and plays
# the first legal move otherwise. It lost a game by an illegal move: see the README of the project.

value() {
    case $1 in
        A*) echo 11 ;;
        J*) echo 11 ;;
        Q*) echo 13 ;;
        K*) echo 14 ;;
        *) echo "${1%?}" ;;
    esac
}

hand='' table='' first='' listed=no
while read -r key rest; do
    case $key in
        hand) hand=$rest ;;
        table) table=$rest ;;
        legal) listed=yes ;;
        *)
            if [ "$listed" = yes ]; then
                first="$key $rest"
                break
            fi
            ;;
    esac
done

for card in $hand; do
    for one in $table; do
        for other in $table; do
            if [ "$one" != "$other" ] && [ $(($(value "$one") + $(value "$other"))) = "$(value "$card")" ]; then
                echo "$card $one $other"
                exit
            fi
        done
    done
done
echo "$first"
