"""Tests of arbiter_bot.py on sample.txt, and on all requests of a folder that is named:
`python3 test_arbiter_bot.py ../../requests`.

What is read is written again from the typed parts alone, and must be the same text.
"""

from __future__ import annotations

import contextlib
import io
import pathlib
import sys
import unittest
import unittest.mock
from collections.abc import Iterable

import arbiter_bot
from arbiter_bot import CoupMove, CoupRequest, DurakMove, DurakRequest, TablicMove, TablicRequest

REQUESTS = [pathlib.Path(__file__).with_name("sample.txt")]


def line(key: str, *values: object) -> str:
    """A line of these values, which are cards or numbers, or several of them; None is `none`."""
    words = [key]
    for value in values:
        if isinstance(value, tuple):
            words += [str(item) for item in value]
        else:
            words.append("none" if value is None else str(value))
    return " ".join(words)


def view_of(request: arbiter_bot.Request) -> list[str]:
    """The lines of a view, made of its fields."""
    if isinstance(request, TablicRequest):
        view = request.view
        keys = ("hand", "table", "taken", "talon", "hands", "cards", "points", "tablas", "last")
        return [line(key, getattr(view, key)) for key in keys]
    if isinstance(request, CoupRequest):
        coup = request.view
        return [
            *[line(key, getattr(coup, key)) for key in ("hand", "hands", "coins")],
            *[line("lost", seat, lost) for seat, lost in enumerate(coup.lost)],
            *[line(key, getattr(coup, key)) for key in ("turn", "action", "claim")],
            line("owed", ", ".join(coup.owed)),
            line("decisions", coup.decisions),
        ]
    assert isinstance(request, DurakRequest)
    durak = request.view
    table = ", ".join(attack if beat is None else f"{attack} {beat}" for attack, beat in durak.table)
    return [
        *[line(key, getattr(durak, key)) for key in ("hand", "trump", "talon", "hands")],
        *[line("known", seat, known) for seat, known in enumerate(durak.known)],
        *[line(key, getattr(durak, key)) for key in ("gone", "discards", "first")],
        *[line(key, getattr(durak, key)) for key in ("attacker", "defender")],
        f"table {table}".strip(),
        line("left", durak.left),
        line("taking", "yes" if durak.is_taking else "no"),
        line("turn", durak.turn, durak.asked),
        line("decisions", durak.decisions),
    ]


def move_of(move: str) -> str:
    """A move, made of its parts."""
    if isinstance(move, TablicMove):
        return TablicMove.of(move.card, reversed(move.captured))
    if isinstance(move, CoupMove):
        return CoupMove.of(move.kind, move.target, move.cards)
    assert isinstance(move, DurakMove)
    return DurakMove.of(move.kind, move.card)


def event_of(event: str, request: arbiter_bot.Request) -> str:
    """A line of the history, made of its parts."""
    assert isinstance(
        event, (arbiter_bot.TablicEvent, arbiter_bot.CoupEvent, arbiter_bot.DurakEvent)
    )
    hidden = (arbiter_bot.HIDDEN,) * event.hidden
    if event.move is not None:
        moved = event.move if event.hidden else move_of(event.move)
        return line(str(event.seat), moved)
    seat: tuple[object, ...] = () if event.seat is None else (event.seat,)
    if event.kind == "deal" and isinstance(request, TablicRequest) and event.seat is None:
        seat = ("table",)
    if event.kind == "first" and not event.cards:
        seat += ("none",)
    if event.kind == "out":
        return line("out", *seat, event.verdict)
    return line(event.kind, *seat, event.cards, hidden)


def check(request: arbiter_bot.Request) -> None:
    """Fails if anything of a request is lost or has the wrong type."""
    assert type(request) is not arbiter_bot.Request, request.game
    assert view_of(request) == list(request.view_lines), view_of(request)
    for event in request.history:
        assert event_of(event, request) == event, event
    for move in request.legal:
        assert move_of(move) == move, move
    assert request.legal and request.seat < request.seats
    assert request.pick(request.legal) in request.legal


class TestArbiterBot(unittest.TestCase):
    def test_nothing_of_a_request_is_lost(self) -> None:
        for path in REQUESTS:
            with self.subTest(path.name), path.open() as lines:
                request = arbiter_bot.read_request(lines)
                assert request is not None
                check(request)
                self.assertIsNone(arbiter_bot.read_request(lines), "no other one follows")

    def read(self, *lines: str) -> arbiter_bot.Request:
        with REQUESTS[0].open() as sample:
            text = sample.read().splitlines()
        request = arbiter_bot.read_request(iter([*text[:2], *lines, *text[2:]]))
        assert request is not None
        return request

    def test_the_head_of_a_request(self) -> None:
        request = self.read()
        self.assertEqual((request.game, request.options), ("tablic", {"seats": "2"}))
        self.assertEqual((request.seat, request.move, request.time), (0, 0, 5000))
        self.assertEqual((request.seed, request.is_complete), (0x0BAD1375233BD8F2, True))
        self.assertEqual((request.retry, request.reason), (0, None))

    def test_a_second_chance_and_unknown_lines(self) -> None:
        request = self.read("weather fair", "retry 1", "reason not on the table: 9C")
        self.assertEqual((request.retry, request.reason), (1, "not on the table: 9C"))
        check(request)

    def test_a_game_that_is_not_known_has_texts(self) -> None:
        lines = "arbiter 1/game nim heaps=2/match 00/seat 0/move 0/time 9/seed ff/view 1/legal 7/"
        lines += "history 0/legal 2 more/take 1/take 2/end"
        request = arbiter_bot.read_request(iter(lines.split("/")))
        assert isinstance(request, arbiter_bot.OtherRequest)
        self.assertEqual(request.view, {"legal": "7"})
        self.assertEqual((request.view_lines, request.legal), (("legal 7",), ("take 1", "take 2")))
        self.assertFalse(request.is_complete)
        self.assertEqual(request.pick(request.legal), "take 2")

    def test_another_version_is_refused(self) -> None:
        with self.assertRaisesRegex(SystemExit, "expected version 1 of the protocol, found `2`"):
            arbiter_bot.read_request(iter(["arbiter 2"]))

    def test_a_request_that_breaks_off_is_none(self) -> None:
        self.assertIsNone(arbiter_bot.read_request(iter(["arbiter 1", "view 3", "hand"])))

    def test_a_note_is_one_line_of_standard_error(self) -> None:
        for value, text in ((0.61, "0.61"), (-3, "-3"), ("4H 4C", "4H 4C"), ("a\n  b", "a b")):
            with contextlib.redirect_stderr(io.StringIO()) as stderr:
                arbiter_bot.note("eval", value)
            self.assertEqual(stderr.getvalue(), f"note eval {text}\n")

    def test_the_marked_function_answers_all_requests_and_stays_a_function(self) -> None:
        @arbiter_bot.bot
        def first(request: arbiter_bot.Request) -> str:
            return request.legal[0]

        text = REQUESTS[0].read_text()
        with unittest.mock.patch("sys.stdin", io.StringIO(text + text)):
            with contextlib.redirect_stdout(io.StringIO()) as stdout:
                arbiter_bot.run()
        self.assertEqual(stdout.getvalue(), "4H\n4H\n")
        self.assertEqual(first(self.read()), "4H")

    def test_a_program_without_a_bot_says_so(self) -> None:
        with unittest.mock.patch.object(arbiter_bot, "_bots", []):
            with self.assertRaisesRegex(SystemExit, "no function is the bot, expected @arbiter_bot.bot"):
                arbiter_bot.run()

    def test_the_pack_is_in_order(self) -> None:
        self.assertEqual([card.place for card in arbiter_bot.PACK], list(range(52)))
        some: Iterable[str] = ("2C", "2D", "10S", "AS")
        self.assertEqual(sorted(arbiter_bot.cards("AS 10S 2D 2C"), key=lambda it: it.place), list(some))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        REQUESTS += sorted(pathlib.Path(sys.argv.pop()).glob("*/*.txt"))
        print(len(REQUESTS), "requests")
    unittest.main()
