"""Tests of the bot: `python3 -m unittest` in this folder runs them."""

from __future__ import annotations

import pathlib
import unittest

import arbiter_bot
import bot


def sample() -> arbiter_bot.Request:
    # A path that begins at this file, and not at the folder that happens to be the current one.
    with pathlib.Path(__file__).with_name("sample.txt").open() as lines:
        request = arbiter_bot.read_request(lines)
    assert request is not None
    return request


class TestBot(unittest.TestCase):
    def test_reads_a_request(self) -> None:
        request = sample()
        assert isinstance(request, arbiter_bot.TablicRequest)
        self.assertEqual(request.view.hand, arbiter_bot.cards("4H 5D 9H 9S QC KD"))
        self.assertEqual(request.legal[-1].captured, arbiter_bot.cards("2D JH"))

    def test_plays_a_legal_move(self) -> None:
        request = sample()
        self.assertIn(bot.choose(request), request.legal)


if __name__ == "__main__":
    unittest.main()
