"""Plays coup by the network in `weights.json`."""

import network
import observing

if __name__ == "__main__":
    observing.play(network.beside(__file__).choose)
