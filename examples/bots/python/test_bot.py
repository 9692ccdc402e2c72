"""Tests of the bot: `python3 -m unittest` in this folder runs them."""
import pathlib
import unittest

import bot


class TestBot(unittest.TestCase):
    def setUp(self):
        # A path that begins at this file, and not at the folder that happens to be the current one.
        with pathlib.Path(__file__).with_name("sample.txt").open() as lines:
            self.request = bot.read_request(lines)

    def test_reads_a_request(self):
        self.assertEqual(self.request["seat"], "0")
        self.assertIn("hand 4H 5D 9H 9S QC KD", self.request["view"])
        self.assertEqual(len(self.request["legal"]), 8)

    def test_plays_a_legal_move(self):
        self.assertIn(bot.choose(self.request), self.request["legal"])


if __name__ == "__main__":
    unittest.main()
