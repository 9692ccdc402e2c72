#!/usr/bin/env lua
-- Plays any game: a legal move at random. A start for your own bot.
--
-- A bot reads a request from standard input and prints one move. These are its lines:
--
--   arbiter 1          the version of the protocol, always the first line
--   game NAME OPTIONS  the game and its options
--   match ID           a name of this game, the same in all its requests
--   seat S             your seat; seats count from 0 in the order of turns
--   move K             the number of moves before this one in the game
--   time T             milliseconds for this answer
--   seed X             16 hexadecimal digits for your randomness, new in every request
--   retry K            your last answer broke a rule, and this is retry K
--   reason TEXT        the rule that it broke
--   view N             N lines follow: all you can see of the current state, KEY VALUE...
--   history N          N lines follow: the events so far, one per line
--   legal N            N lines follow: legal moves; `legal N more` means that there are others
--   end                the last line; another request may follow
--
-- Lines with other keys are skipped, because later versions may add some.

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
  -- YOUR BOT GOES HERE. All your seat knows is in request.view and request.history.
  -- If a bot uses only this seed for randomness, it plays the same in a repeated match.
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
