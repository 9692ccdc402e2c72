// Plays any game: a legal move at random. A start for your own bot.
//
// A bot reads a request from standard input and prints one move. These are its lines:
//
//	arbiter 1          the version of the protocol, always the first line
//	game NAME OPTIONS  the game and its options
//	match ID           a name of this game, the same in all its requests
//	seat S             your seat; seats count from 0 in the order of turns
//	move K             the number of moves before this one in the game
//	time T             milliseconds for this answer
//	seed X             16 hexadecimal digits for your randomness, new in every request
//	retry K            your last answer broke a rule, and this is retry K
//	reason TEXT        the rule that it broke
//	view N             N lines follow: all you can see of the current state, KEY VALUE...
//	history N          N lines follow: the events so far, one per line
//	legal N            N lines follow: legal moves; `legal N more` means that there are others
//	end                the last line; another request may follow
//
// Lines with other keys are skipped, because later versions may add some.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// request holds the text behind each key, and the lines of view, history and legal.
type request struct {
	values map[string]string
	lists  map[string][]string
}

// nextLine returns the next line without its end; false where there is no more.
func nextLine(input *bufio.Reader) (string, bool) {
	line, err := input.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err == nil || (err == io.EOF && line != "")
}

// readRequest returns the next request; nil where no other comes.
func readRequest(input *bufio.Reader) *request {
	read := &request{map[string]string{}, map[string][]string{}}
	for line, ok := nextLine(input); ok; line, ok = nextLine(input) {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "end":
			return read
		case "view", "history", "legal":
			count, err := strconv.Atoi(strings.Split(value, " ")[0])
			for ; err == nil && count > 0; count-- {
				line, _ := nextLine(input)
				read.lists[key] = append(read.lists[key], line)
			}
		case "arbiter":
			if value != "1" {
				fmt.Fprintf(os.Stderr, "expected version 1 of the protocol, found `%s`\n", value)
				os.Exit(1)
			}
		default:
			read.values[key] = value
		}
	}
	return nil
}

// choose returns the move to play.
func choose(asked *request) string {
	// YOUR BOT GOES HERE. All your seat knows is in the lists `view` and `history`.
	// If a bot uses only this seed for randomness, it plays the same in a repeated match.
	moves := asked.lists["legal"]
	seed, err := strconv.ParseUint(asked.values["seed"], 16, 64)
	if err != nil || len(moves) == 0 {
		fmt.Fprintln(os.Stderr, "expected a seed and legal moves")
		os.Exit(1)
	}
	return moves[seed%uint64(len(moves))]
}

func main() {
	input := bufio.NewReader(os.Stdin)
	for asked := readRequest(input); asked != nil; asked = readRequest(input) {
		fmt.Println(choose(asked))
	}
}
