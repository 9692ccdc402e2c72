"""A request of the referee as the numbers that a model was trained on. One file that needs no packages.

`read` makes an `Observation` of the text of a request: the same columns as `State.observation()` and `State.moves()`
tell in training, and the numbers of the legal actions. `play` answers every request by the action that a policy
chooses. `arbiter_games.bot` puts a copy of this file into the folder of a bot.
"""

from __future__ import annotations

import sys
from functools import lru_cache

# Importing `typing` would take longer than reading a request, at every start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: The version of the columns and actions, as in `State.version`.
VERSION = 0
#: The most legal moves that a request lists, which are the actions of a game without numbers for its moves.
LISTED = 1000
#: The greatest value of a column.
MOST = 127
#: The most lines of a list in a request.
LINES = 1_000_000

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK = tuple(rank + suit for rank in RANKS for suit in "CDHS")
PLACES = {card: place for place, card in enumerate(PACK)}
CHARACTERS = ("ambassador", "assassin", "captain", "contessa", "duke")
TURNS = ("income", "foreign-aid", "coup", "tax", "assassinate", "steal", "exchange")
#: The character that each action of a turn claims.
CLAIMS = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}
DEBTS = (
    "deal", "act", "answer", "accept", "prove", "replace", "draw", "keep", "lose", "pay", "end",
    "block", "stand", "doubt", "effect",
)  # fmt: skip
ASKED = ("lead", "defend", "throw")
VERBS = ("lead", "beat", "transfer", "throw")


class Observation:
    """What a seat is asked, as numbers."""

    def __init__(self, request: Request) -> None:
        columns, actions, moves = GAMES.get(request.game, (_seat_alone, _places, _no_columns))
        #: The name of the game and its options.
        self.game = request.game
        self.options = request.options
        #: The seat that is asked.
        self.player = request.seat
        #: A number for the bot's own randomness.
        self.seed = request.seed
        #: The columns, as in `State.observation()`.
        self.row: list[int] = [min(value, MOST) for value in columns(request)]
        #: The number of all actions, as in `State.num_distinct_actions()`.
        self.num_actions, number = actions(request)
        #: The legal moves as texts, in the order of the request.
        self.legal_moves: list[str] = request.legal
        #: Their numbers, as in `State.legal_actions()`.
        self.legal_actions: list[int] = [number(place, move) for place, move in enumerate(request.legal)]
        #: A row for each of them, as in `State.moves()`.
        self.moves: list[list[int]] = moves(request)
        #: All that the seat knows, as in `State.information_state_string()`.
        self.information_state = "\n".join([*request.view, "history", *request.history])

    def move(self, action: int) -> str:
        """The move that a legal action is. `ValueError` for another one."""
        return self.legal_moves[self.legal_actions.index(action)]


class Request:
    """The lines of a request."""

    def __init__(self, head: dict[str, str], lists: dict[str, list[str]]) -> None:
        self.game, _, self.options = head["game"].partition(" ")
        self.seat = int(head["seat"])
        self.seed = int(head["seed"], 16)
        self.view = lists["view"]
        self.history = lists["history"]
        self.legal = lists["legal"]

    def lines(self) -> dict[str, str]:
        """The values of the view by their keys."""
        return {key: value for key, _, value in (line.partition(" ") for line in self.view)}

    def numbered(self, key: str, seats: int) -> list[list[str]]:
        """The words of a list that each seat has, from the own seat on."""
        words: list[list[str]] = [[]] * seats
        for line in self.view:
            first, _, rest = line.partition(" ")
            if first == key:
                seat, *values = rest.split()
                words[int(seat)] = values
        return words[self.seat :] + words[: self.seat]

    def counts(self, text: str) -> list[int]:
        """A number of each seat, from the own seat on."""
        numbers = [int(word) for word in text.split()]
        return numbers[self.seat :] + numbers[: self.seat]


def read(request: str | bytes) -> Observation:
    """The numbers of one request. `ValueError` for a text that is none."""
    text = request.decode("ascii") if isinstance(request, bytes) else request
    try:
        found = read_next(iter(text.splitlines()))
    except (KeyError, IndexError, StopIteration) as error:
        raise ValueError(f"no request: {error!r}, expected a text such as State.request() gives") from None
    if found is None:
        raise ValueError("no request: no line `end`, expected a text such as State.request() gives")
    return found


def read_next(lines: Iterator[str]) -> Observation | None:
    """The numbers of the next request of several; `None` if there is no other."""
    head: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    for line in lines:
        key, _, value = line.strip().partition(" ")
        if key == "end":
            return Observation(Request(head, lists))
        head[key] = value
        if key in ("view", "history", "legal"):
            count = min(int(value.split()[0]), LINES)
            lists[key] = [next(lines, "").rstrip("\r\n") for _ in range(count)]
    return None


def play(choose: Callable[[Observation], int]) -> None:
    """Answers every request on standard input by the legal action that is chosen."""
    while observation := read_next(sys.stdin):
        # Flushed at once: the next request comes only after this answer.
        print(observation.move(choose(observation)), flush=True)


# The parts of rows.


def _cards(text: str) -> list[int]:
    """A column for each card of the pack: 1 if it is there."""
    row = [0] * len(PACK)
    for word in text.split():
        row[PLACES[word]] = 1
    return row


def _listed(cards: Iterable[str]) -> list[int]:
    """A column for each card of the pack: its place in a list, from 1."""
    row = [0] * len(PACK)
    for place, card in enumerate(cards, 1):
        row[PLACES[card]] = place
    return row


def _one_of(names: tuple[str, ...], chosen: str | None) -> list[int]:
    """A column for each name: 1 for the chosen one."""
    return [int(name == chosen) for name in names]


def _one_seat(own: int, seats: int, chosen: str | None) -> list[int]:
    """A column for each seat from the own one on: 1 for the chosen one."""
    row = [0] * seats
    if chosen is not None and chosen.isdigit():
        row[(int(chosen) - own) % seats] = 1
    return row


def _large(number: int) -> list[int]:
    """A number that may be large, as two columns: the rest after division by 128, and the quotient."""
    return [number % (MOST + 1), number // (MOST + 1)]


# Tablić, and games that are not built in, where an action is a place in the list of legal moves.


def _tablic(request: Request) -> list[int]:
    view = request.lines()
    row = [request.seat]
    for key in ("hand", "table", "taken"):
        row += _cards(view[key])
    row.append(int(view["talon"]))
    for key in ("hands", "cards", "points", "tablas"):
        row += request.counts(view[key])
    return row + _one_seat(request.seat, len(view["hands"].split()), view["last"])


def _captures(request: Request) -> list[list[int]]:
    """The columns of each legal move of Tablić."""
    table = set(request.lines()["table"].split())
    rows = []
    for move in request.legal:
        plays, *takes = move.split()
        gained = [plays, *takes] if takes else []
        points = sum(card[:-1] in ("10", "J", "Q", "K", "A") for card in gained)
        points += ("2C" in gained) + ("10D" in gained)
        is_tabla = bool(takes) and table == set(takes)
        rows.append([*_cards(plays), *_cards(" ".join(takes)), points, len(gained), int(is_tabla)])
    return rows


def _seat_alone(request: Request) -> list[int]:
    return [request.seat]


def _places(_: Request) -> tuple[int, Callable[[int, str], int]]:
    return LISTED, lambda place, move: place


def _no_columns(request: Request) -> list[list[int]]:
    return [[] for _ in request.legal]


# Coup.


def _coup(request: Request) -> list[int]:
    view = request.lines()
    own, seats = request.seat, len(view["hands"].split())
    row = [own, *_characters(view["hand"].split(), 4)]
    row += request.counts(view["hands"]) + request.counts(view["coins"])
    for lost in request.numbered("lost", seats):
        row += _characters(lost, 2)
    action, *target = view["action"].split()
    row += _one_of(TURNS, action) + _one_seat(own, seats, target[0] if target else None)
    owed = [] if view["owed"] == "none" else view["owed"].split(", ")
    # Every seat beyond two may owe one more thing.
    for slot in range(5 + seats - 2):
        debt = owed[slot].split() if slot < len(owed) else []
        verb, debtor, card = (*debt, None, None, None)[:3]
        row += _one_of(DEBTS, verb) + _one_seat(own, seats, debtor) + _one_of(CHARACTERS, card)
    row += _large(int(view["decisions"]))
    claims = [[0] * len(CHARACTERS) for _ in range(seats)]
    for event in request.history:
        mover, *move = event.split()
        if mover.isdigit():
            claimed = move[1] if move[0] == "block" else CLAIMS.get(move[0])
            if claimed is not None:
                claims[int(mover)][CHARACTERS.index(claimed)] += 1
    for counts in claims[own:] + claims[:own]:
        row += counts
    return row


def _characters(cards: list[str], slots: int) -> list[int]:
    """The cards of a hand in order, a slot each."""
    filled = [*cards, *[None] * slots][:slots]
    return [value for card in filled for value in _one_of(CHARACTERS, card)]


def _deeds(request: Request) -> tuple[int, Callable[[int, str], int]]:
    """The actions of Coup."""
    own, seats = request.seat, len(request.lines()["hands"].split())
    numbers = _numbers_of_deeds(seats)

    def number(place: int, move: str) -> int:
        verb, _, target = move.partition(" ")
        return numbers[f"{verb} +{(int(target) - own) % seats}" if target.isdigit() else move]

    return len(numbers), number


@lru_cache(maxsize=8)
def _numbers_of_deeds(seats: int) -> dict[str, int]:
    def at(verb: str) -> list[str]:
        return [f"{verb} +{seat}" for seat in range(1, seats)]

    def of(verb: str) -> list[str]:
        return [f"{verb} {card}" for card in CHARACTERS]

    two = [f"keep {first} {second}" for first in CHARACTERS for second in CHARACTERS]
    names = ["income", "foreign-aid", *at("coup"), "tax", *at("assassinate"), *at("steal"), "exchange"]
    names += ["pass", "challenge", *of("block"), *of("show"), *of("lose"), *of("keep"), *two, "end"]
    return {name: number for number, name in enumerate(names)}


# Durak.


def _durak(request: Request) -> list[int]:
    view = request.lines()
    own, seats = request.seat, len(view["hands"].split())
    trump = "" if view["trump"] == "none" else view["trump"]
    row = [own, *_cards(view["hand"]), *_cards(trump), int(view["talon"]), *request.counts(view["hands"])]
    for known in request.numbered("known", seats):
        row += _cards(" ".join(known))
    gone = [int(seat) for seat in view["gone"].split()]
    for distance in range(seats):
        seat = (own + distance) % seats
        row.append(gone.index(seat) + 1 if seat in gone else 0)
    row += _cards(view["discards"])
    turn, *asked = view["turn"].split()
    for role in (view["first"], view["attacker"], view["defender"], turn):
        row += _one_seat(own, seats, role)
    row += _one_of(ASKED, asked[0] if asked else None)
    row.append(int(turn == "nature"))
    pairs = [pair.split() for pair in view["table"].split(", ") if pair]
    row += _listed(pair[0] for pair in pairs) + _listed(pair[1] for pair in pairs if len(pair) > 1)
    return [*row, int(view["left"]), int(view["taking"] == "yes"), *_large(int(view["decisions"]))]


def _cards_played(_: Request) -> tuple[int, Callable[[int, str], int]]:
    """The actions of Durak."""
    with_cards = len(VERBS) * len(PACK)

    def number(place: int, move: str) -> int:
        verb, _, card = move.partition(" ")
        if not card:
            return with_cards + ("take", "done").index(verb)
        return VERBS.index(verb) * len(PACK) + PLACES[card]

    return with_cards + 2, number


#: For each built-in game: its columns, its actions, and the columns of its moves.
GAMES = {
    "tablic": (_tablic, _places, _captures),
    "coup": (_coup, _deeds, _no_columns),
    "durak": (_durak, _cards_played, _no_columns),
}
