#!/usr/bin/env lua
-- Plays any game: a legal move at random. A bot to start from.
--
-- A bot reads a request from standard input and prints one move. These are its lines:
--
--   arbiter 1          the version of the protocol, always the first line
--   game NAME OPTIONS  the game and how it is set up
--   match ID           a name of this game, the same in all its requests
--   seat S             your seat; seats count from 0 in the order of turns
--   move K             how many moves were made before in the game
--   time T             milliseconds for this answer
--   seed X             16 hexadecimal digits for your own chance, new in every request
--   retry K            your last answer broke a rule, and this is another chance
--   reason TEXT        the rule that it broke
--   view N             N lines follow: what you may know of the state now, KEY VALUE...
--   history N          N lines follow: what has happened, an event a line
--   legal N            N lines follow: legal moves; behind `legal N more` there are others
--   end                the last line; another request may follow
--
-- Lines with another key are skipped, for later versions may have more of them.

-- The next request, with a list of lines behind `view`, `history` and `legal`, and else the text
-- behind the key; nil where no other request comes.
local function read_request()
  local request = {}
  for line in io.lines() do
    local key, value = line:match("^(%S+)%s*(.-)%s*$")
    if key == "end" then
      return request
    elseif key == "view" or key == "history" or key == "legal" then
      request[key] = {}
      for place = 1, tonumber(value:match("%d+")) do
        request[key][place] = io.read()
      end
    elseif key then
      request[key] = value
    end
    if key == "arbiter" and value ~= "1" then
      io.stderr:write("expected version 1 of the protocol, found `", value, "`\n")
      os.exit(1)
    end
  end
end

-- The move to play.
local function choose(request)
  -- YOUR BOT GOES HERE. All that your seat knows is in request.view and request.history.
  -- A bot that takes all chance from the seed plays the same again when a match is repeated.
  -- The remainder is taken digit by digit, whatever size numbers have.
  local moves = request.legal
  local chosen = 0
  for digit in request.seed:gmatch("%x") do
    chosen = (chosen * 16 + tonumber(digit, 16)) % #moves
  end
  return moves[chosen + 1]
end

for request in read_request do
  print(choose(request))
  -- A bot that is kept alive gets its next request only after its answer.
  io.flush()
end
