#!/usr/bin/env python3
"""Plays any game: a legal move at random. A start for your own bot.

A bot reads a request from standard input and prints one move. These are its lines, which
`arbiter_bot.py` reads:

  arbiter 1          the version of the protocol, always the first line
  game NAME OPTIONS  the game and its options
  match ID           a name of this game, the same in all its requests
  seat S             your seat; seats count from 0 in the order of turns
  move K             the number of moves before this one in the game
  time T             milliseconds for this answer
  seed X             16 hexadecimal digits for your randomness, new in every request
  retry K            your last answer broke a rule, and this is retry K
  reason TEXT        the rule that it broke
  view N             N lines follow: all you can see of the current state, KEY VALUE...
  history N          N lines follow: the events so far, one per line
  legal N            N lines follow: legal moves; `legal N more` means that there are others
  end                the last line; another request may follow

Lines with other keys are skipped, because later versions may add some.
"""

import arbiter_bot


@arbiter_bot.bot
def choose(request: arbiter_bot.Request) -> str:
    """The move to play."""
    # YOUR BOT GOES HERE. All your seat knows is in the view and the history, which have types:
    # after `if isinstance(request, arbiter_bot.TablicRequest):`, `request.view.table` has cards.
    # If a bot uses only this seed for randomness, it plays the same in a repeated match.
    return request.pick(request.legal)


if __name__ == "__main__":
    arbiter_bot.run()
