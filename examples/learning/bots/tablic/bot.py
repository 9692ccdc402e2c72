"""Plays tablic by `choose` in `policy.py`."""

import observing
import policy

if __name__ == "__main__":
    observing.play(policy.choose)
