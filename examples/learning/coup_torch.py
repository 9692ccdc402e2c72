"""Trains a bot for Coup with PyTorch on a CPU: `python coup_torch.py`.

All games are against `greedy`. The method is PPO, as in `coup.py`, which needs numpy alone and also plays against
itself. The network becomes a bot that needs neither PyTorch nor numpy.
"""

from __future__ import annotations

import argparse
import copy
import pathlib
import time

import arbiter_games
import numpy as np
import torch
from torch import nn

from coup import OPTIONS, scale

GAME = "coup"
GAMES, STEPS = 512, 32
HIDDEN, EPOCHS, MINIBATCH = 96, 3, 4096
#: How far one round may change the chance of an action.
CLIP = 0.2
#: How much later estimates count beside the result of the game.
TRACE = 0.95


def networks(columns: int, actions: int) -> tuple[nn.Sequential, nn.Sequential]:
    """The policy, with a score for each action, and the estimate of the result."""

    def network(outputs: int) -> nn.Sequential:
        return nn.Sequential(nn.Linear(columns, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, outputs))

    return network(actions), network(1)


def rows_of(step: arbiter_games.Step, divisor: torch.Tensor) -> torch.Tensor:
    """What the players to move see, with all columns brought to about 1."""
    return torch.from_numpy(step.observation) / divisor


def chances(policy: nn.Sequential, rows: torch.Tensor, masks: torch.Tensor) -> torch.distributions.Categorical:
    """The chance of each action; illegal ones have none."""
    return torch.distributions.Categorical(logits=policy(rows).masked_fill(masks == 0, -1e9))


@torch.no_grad()
def play(
    batch: arbiter_games.Batch, policy: nn.Sequential, value: nn.Sequential, divisor: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    """Plays a round: rows, masks, actions, their logarithms of chances, results, and how much better those were."""
    step, games = batch.observe(), np.arange(len(batch))
    told, ends, rewards = [], [], []
    for _ in range(STEPS):
        rows, masks = rows_of(step, divisor), torch.from_numpy(step.action_mask)
        chosen = chances(policy, rows, masks)
        actions = chosen.sample()
        told.append((rows, masks, actions, chosen.log_prob(actions), value(rows)[:, 0]))
        seat, step = step.player, batch.step(actions.numpy())
        ends.append(torch.from_numpy(step.ended))
        rewards.append(torch.from_numpy(np.sign(step.rewards[games, seat])))
    expected = estimate = value(rows_of(step, divisor))[:, 0]
    targets = []
    for (*_, valued), ended, reward in zip(reversed(told), reversed(ends), reversed(rewards)):
        later = TRACE * expected + (1 - TRACE) * estimate
        expected, estimate = torch.where(ended, reward, later), valued
        targets.append(expected)
    rows, masks, actions, logs, values = (torch.cat(parts) for parts in zip(*told))
    results = torch.cat(targets[::-1])
    return rows, masks, actions, logs, results, results - values


def improve(
    policy: nn.Sequential,
    value: nn.Sequential,
    optimizer: torch.optim.Optimizer,
    told: tuple[torch.Tensor, ...],
    entropy: float,
) -> None:
    """Learns from the decisions of a round."""
    rows, masks, actions, logs, results, advantages = told
    advantages = advantages / (advantages.std() + 1e-6)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(rows)).split(MINIBATCH):
            chosen = chances(policy, rows[part], masks[part])
            ratio = (chosen.log_prob(actions[part]) - logs[part]).exp()
            gain = advantages[part]
            clipped = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            error = (value(rows[part])[:, 0] - results[part]) ** 2
            loss = error.mean() / 2 - clipped.mean() - entropy * chosen.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def exported(policy: nn.Sequential, divisor: torch.Tensor) -> nn.Sequential:
    """The policy for columns as they are."""
    policy = copy.deepcopy(policy)
    with torch.no_grad():
        policy[0].weight /= divisor
    return policy


def measure(policy: nn.Sequential, games: int, seed: int) -> arbiter_games.Share:
    """The share of a policy that plays its best action."""

    @torch.no_grad()
    def best(_: arbiter_games.Batch, step: arbiter_games.Step) -> np.ndarray:
        scores = policy(torch.from_numpy(step.observation).float())
        return scores.masked_fill(torch.from_numpy(step.action_mask) == 0, -1e9).argmax(1).numpy()

    return arbiter_games.measure(best, GAME, "greedy", OPTIONS, games=games, seed=seed)


def main() -> None:
    parser = argparse.ArgumentParser(description="Trains a bot for Coup with PyTorch.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=60, help="how long to train")
    parser.add_argument("--games", type=int, default=4000, help="games of the last measure")
    parser.add_argument("--bot", type=pathlib.Path, default="my-coup", help="the folder of the bot, a new one")
    given = parser.parse_args()
    if given.bot.exists():
        parser.error(f"{given.bot} exists, expected a new folder: name another one, or remove it")
    torch.manual_seed(given.seed)
    # Threads that wait for each other cost more than they bring for a network of this size.
    torch.set_num_threads(1)
    begun = time.monotonic()
    batch = arbiter_games.batch(GAME, GAMES, OPTIONS, seed=given.seed, opponent="greedy")
    divisor = torch.from_numpy(scale(batch.columns))
    policy, value = networks(len(batch.columns), len(batch.action_names))
    optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()])
    best, kept = -1.0, policy
    for done in range(1, given.rounds + 1):
        rest = 1 - done / (given.rounds + 1)
        optimizer.param_groups[0]["lr"] = 2e-3 * rest + 1e-4
        improve(policy, value, optimizer, play(batch, policy, value, divisor), 0.02 * rest + 0.002)
        if done * 10 // given.rounds > (done - 1) * 10 // given.rounds:
            share = measure(exported(policy, divisor), min(given.games, 1000), given.seed + 1_000_000)
            print(f"{time.monotonic() - begun:4.0f} s: {share} against greedy", flush=True)
            if share.mean > best:
                best, kept = share.mean, exported(policy, divisor)
    arbiter_games.bot(kept, given.bot, GAME, OPTIONS, name="learned-coup")
    print(f"{given.bot}: {measure(kept, given.games, given.seed + 2_000_000)} against greedy")


if __name__ == "__main__":
    main()
