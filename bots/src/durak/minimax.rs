//! The player that looks ahead. It is no minimax, but where all hands are known: before, it samples
//! worlds and plays them out. It has its name since every game has a `minimax`.
//!
//! # The algorithm
//!
//! Once nothing is left to draw and two seats remain, each knows the hand of the other. Then the
//! game is searched to its end ([`endgame`]): alpha-beta with a memory of positions, the pass that
//! looks to the end after some that look a few bouts ahead, so that there is a good move whenever
//! time is up. Without transfers every bout brings the end nearer, since the attacker gives cards
//! away or cards leave the game. Endings of up to 14 cards take some ten thousand positions, one
//! of 20 may take more than a hundred million; where the positions run out, the move of the
//! deepest pass is played, and one of the next decisions is exact.
//!
//! Before that it samples:
//!
//! - It draws *worlds*, hands and talons that fit what the seat knows ([`search`]), as many as its
//!   options say, from the seed of the request. Every legal move is tried in the same worlds
//!   (`try_all`), so that the luck of the cards weighs on all of them alike.
//! - In a world a move is followed by a [`policy`], by which all seats play from their own hand alone
//!   to the end of the game. So no seat uses in it what only the world knows. Where two seats with
//!   few cards are left, that end is searched exactly. The move that loses least in the mean of all
//!   worlds is played, the cheapest of equals.
//!
//! This is perfect-information Monte Carlo sampling (M. Ginsberg, "GIB: Imperfect Information in a
//! Computationally Challenging Game", Journal of Artificial Intelligence Research 14, 2001), whose
//! worlds have the same information for all moves; when that does well is shown by J. Long,
//! N. Sturtevant, M. Buro and T. Furtak, "Understanding the Success of Perfect Information Monte Carlo
//! Sampling in Game Tree Search", AAAI 2010. Playing a world out by a policy in place of searching it
//! avoids its best-known fault, that moves differ by what only the world knows.
//!
//! A request whose search is not cut is always answered the same.
//!
//! [`search`]: crate::durak::search
//! [`endgame`]: crate::durak::search::endgame
//! [`policy`]: crate::durak::search::policy

use search::{Clock, WorldSampler};

use crate::durak::search::decision::{SampledDecision, SamplingPlayer, Settings, TrialResult};
use crate::durak::search::endgame::PlayoutRunner;
use crate::options::{BadOption, SearchSettings, TimeLimit, options_in};
use crate::player::CutOff;

const DEPTH: u32 = 16;

/// The options as lines of a help text.
pub const HELP: &str = "
  --depth N        Durak: search effort [default: 16]: 100 N sampled worlds, or at most N million
                   positions once all hands are known
  --worlds N       Durak: sampled worlds per move [default: from --depth]
  --positions N    Durak: maximum positions to search, or `none` [default: from --depth]";

/// Limits in hundreds of worlds and millions of positions.
fn of_depth(depth: u32) -> Settings {
    let (worlds, positions) = (depth.saturating_mul(100), u64::from(depth) * 1_000_000);
    Settings { worlds, positions, time: TimeLimit::HalfOfRequest }
}

/// Reads the words of a command line: `--depth 3` or `--depth=3`.
pub fn read(words: &[String]) -> Result<Settings, BadOption> {
    let (mut worlds, mut positions) = (None, None);
    let mut common = SearchSettings::of_depth(DEPTH);
    for given in options_in(words) {
        match given.name {
            "--worlds" => worlds = Some(given.number(u32::MAX)?),
            "--positions" => positions = Some(given.number_or_none(u64::MAX)?),
            _ => common = common.with(given)?,
        }
    }
    let of_depth = of_depth(common.depth);
    Ok(Settings {
        worlds: worlds.unwrap_or(of_depth.worlds),
        positions: positions.map_or(of_depth.positions, |most| most.unwrap_or(u64::MAX)),
        time: common.time,
    })
}

/// A player that tries every move in many sampled worlds, which is no minimax, or searches where all hands are known,
/// which is one.
pub fn player(settings: Settings) -> SamplingPlayer {
    SamplingPlayer::new(settings, try_all)
}

/// Tries every move in the same worlds that fit.
fn try_all(hidden: SampledDecision<'_>, worlds: u32, clock: &mut dyn Clock) -> TrialResult {
    let SampledDecision { request, start, plays, beyond, ends } = hidden;
    let mut trial = PlayoutRunner { start, policy: beyond, beyond, endgame: ends };
    let mut nature = request.heading.seed.nature();
    // Points of each move in all worlds together.
    let mut points = vec![0; plays.len()];
    let mut in_world = vec![0; plays.len()];
    let (mut done, mut cut) = (0, None);
    'worlds: for (position, world) in start.worlds(worlds, &mut nature) {
        for (points, play) in in_world.iter_mut().zip(plays) {
            if clock.is_up() {
                cut = Some(CutOff { what: "worlds", number: done });
                break 'worlds;
            }
            let mut next = position;
            next.play(*play, &world);
            *points = trial.play_out(next, &world);
        }
        done += 1;
        points.iter_mut().zip(&in_world).for_each(|(points, more)| *points += more);
    }
    let best = (0..plays.len()).rev().max_by_key(|place| points[*place]);
    TrialResult { best: best.filter(|_| done > 0), cut }
}
