#!/bin/sh
# Plays any game: a legal move at random. A start for your own bot.
#
# A bot reads a request from standard input and prints one move. These are its lines:
#
#   arbiter 1          the version of the protocol, always the first line
#   game NAME OPTIONS  the game and its options
#   match ID           a name of this game, the same in all its requests
#   seat S             your seat; seats count from 0 in the order of turns
#   move K             the number of moves before this one in the game
#   time T             milliseconds for this answer
#   seed X             16 hexadecimal digits for your randomness, new in every request
#   retry K            your last answer broke a rule, and this is retry K
#   reason TEXT        the rule that it broke
#   view N             N lines follow: all you can see of the current state, KEY VALUE...
#   history N          N lines follow: the events so far, one per line
#   legal N            N lines follow: legal moves; `legal N more` means that there are others
#   end                the last line; another request may follow
#
# Lines with other keys are skipped, because later versions may add some.

# Reads so many lines, and keeps them in $lines.
read_lines() {
    left=$1 lines=
    while [ "$left" -gt 0 ] && read -r line; do
        left=$((left - 1)) lines="$lines$line
"
    done
}

# Prints the move to play.
choose() {
    # YOUR BOT GOES HERE. All your seat knows is in $view and $history, a line each; `move` is
    # in $move_number. If a bot uses only this seed for randomness, it plays the same in a
    # repeated match. The seed has 64 bits, one more than a shell may count with: so use halves.
    high=0x${seed%????????} low=0x${seed#????????}
    chosen=$(((high % count * (4294967296 % count) + low) % count))
    printf '%s' "$legal" | while read -r move; do
        [ "$chosen" -eq 0 ] && printf '%s\n' "$move"
        chosen=$((chosen - 1))
    done
}

while read -r key value rest; do
    case $key in
    arbiter)
        [ "$value" = 1 ] && continue
        echo "expected version 1 of the protocol, found \`$value\`" >&2
        exit 1
        ;;
    game) game=$value options=$rest ;;
    seat) seat=$value ;;
    move) move_number=$value ;;
    time) time=$value ;;
    seed) seed=$value ;;
    view) read_lines "$value" && view=$lines ;;
    history) read_lines "$value" && history=$lines ;;
    legal) read_lines "$value" && legal=$lines count=$value ;;
    end) choose ;;
    esac
done
