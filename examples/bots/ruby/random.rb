#!/usr/bin/env ruby
# Plays any game: a legal move at random. A bot to start from.
#
# A bot reads a request from standard input and prints one move. These are its lines:
#
#   arbiter 1          the version of the protocol, always the first line
#   game NAME OPTIONS  the game and how it is set up
#   match ID           a name of this game, the same in all its requests
#   seat S             your seat; seats count from 0 in the order of turns
#   move K             how many moves were made before in the game
#   time T             milliseconds for this answer
#   seed X             16 hexadecimal digits for your own chance, new in every request
#   retry K            your last answer broke a rule, and this is another chance
#   reason TEXT        the rule that it broke
#   view N             N lines follow: what you may know of the state now, KEY VALUE...
#   history N          N lines follow: what has happened, an event a line
#   legal N            N lines follow: legal moves; behind `legal N more` there are others
#   end                the last line; another request may follow
#
# Lines with another key are skipped, for later versions may have more of them.

# The next request, with a list of lines behind `view`, `history` and `legal`, and else the text
# behind the key; nil where no other request comes.
def read_request(input)
  request = {}
  while (line = input.gets)
    key, value = line.strip.split(" ", 2)
    case key
    when "end" then return request
    when "view", "history", "legal" then request[key] = Array.new(value.to_i) { input.gets.strip }
    else request[key] = value
    end
    if key == "arbiter" && value != "1"
      abort "expected version 1 of the protocol, found `#{value}`"
    end
  end
end

# The move to play.
def choose(request)
  # YOUR BOT GOES HERE. All that your seat knows is in request["view"] and request["history"].
  # A bot that takes all chance from the seed plays the same again when a match is repeated.
  moves = request["legal"]
  moves[request["seed"].to_i(16) % moves.length]
end

# A bot that is kept alive gets its next request only after its answer.
$stdout.sync = true
while (request = read_request($stdin))
  puts choose(request)
end
