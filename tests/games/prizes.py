"""A game of prizes that nature draws, in a way that the first argument names: honest, burns or own."""

import sys
way = sys.argv[1]
class Game:
    def __init__(self):
        self.left, self.own = [1, 2, 3, 4, 5, 6], [3, 6, 1, 5, 2, 4]
        self.phase, self.prize, self.points = self.first(), 0, [0, 0]
    def first(self):
        return "burn" if way == "burns" else "prize"
    def lines(self):
        yield "view * points {} {}".format(*self.points)
        if not self.left and self.phase != "move":
            yield "over {} {}".format(*self.points)
        elif self.phase == "move":
            yield from ["turn 0", "move take", "move leave", "fallback take", f"view * prize {self.prize}"]
        else:
            yield "chance " + " ".join(map(str, self.left))
    def happen(self, word):
        self.left.remove(int(word))
        if self.phase == "burn":
            self.phase = "prize"
            return []
        self.phase, self.prize = "move", self.own.pop() if way == "own" else int(word)
        return [f"event prize {self.prize}"]
    def play(self, move):
        self.points[move == "leave"] += self.prize
        self.phase = self.first()
        return [f"event {move}"]
game = None
for call in sys.stdin:
    call, _, rest = call.strip().partition(" ")
    answer = ["refused no"]
    if call == "about":
        answer = ["rules 1", "name prizes", "about prizes", "seats 2"]
    elif call == "new":
        game = Game()
        answer = game.lines()
    elif call == "happen" and game and game.phase != "move" and rest in map(str, game.left):
        answer = [*game.happen(rest), *game.lines()]
    elif call == "play" and game and game.phase == "move" and rest in ("take", "leave"):
        answer = [*game.play(rest), *game.lines()]
    print("\n".join([*answer, ""]), flush=True)
