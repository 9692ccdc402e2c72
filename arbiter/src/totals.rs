//! What the games of a match add up to.

use std::cmp::Reverse;

use rules::{Answered, GameRecord, Score, Verdict};
use serde::Serialize;

/// What one player has over all games of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Total {
    /// Its name.
    pub name: String,
    /// Its points over all games.
    pub points: Score,
    /// How many games it won alone.
    pub won: u64,
    /// How many games it won along with others.
    pub drawn: u64,
    /// How many games somebody else won.
    pub lost: u64,
    /// In how many games it was out by a fault; these are among the games lost.
    pub faults: u64,
    /// The first of these faults.
    pub first_fault: Option<Fault>,
}

/// What put a player out of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The number of the game, from 0.
    pub game: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// The details, one line.
    pub detail: String,
}

/// The totals of a match, in the order of its players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Totals(Vec<Total>);

impl Totals {
    /// No game yet.
    pub fn new(names: &[String]) -> Totals {
        let zero = |name: &String| Total {
            name: name.clone(),
            points: Score::ZERO,
            won: 0,
            drawn: 0,
            lost: 0,
            faults: 0,
            first_fault: None,
        };
        Totals(names.iter().map(zero).collect())
    }

    /// Adds a game, unless it is void.
    ///
    /// A seat that is out cannot have won, even where everybody scores 0.
    pub fn add(&mut self, game: &GameRecord) {
        let Some(scores) = game.result.scores() else { return };
        let faults = game.result.faults();
        let is_out = |seat| faults.iter().any(|(out, _)| *out == seat);
        let contenders = || scores.iter().filter(|(seat, _)| !is_out(*seat));
        let best = contenders().map(|(_, score)| *score).max();
        let winners = contenders().filter(|(_, score)| Some(**score) == best).count();
        for (seat, score) in scores.iter() {
            let name = game.seats.get(seat.index());
            let Some(total) = self.0.iter_mut().find(|total| Some(&total.name) == name) else {
                continue;
            };
            total.points += *score;
            total.faults += u64::from(is_out(seat));
            if total.first_fault.is_none() {
                total.first_fault = game.faults().find(|fault| fault.seat == seat).map(|fault| {
                    let Answered { verdict, detail, .. } = fault;
                    Fault { game: game.game, verdict: *verdict, detail: detail.clone() }
                });
            }
            match Some(*score) == best && !is_out(seat) {
                true if winners == 1 => total.won += 1,
                true => total.drawn += 1,
                false => total.lost += 1,
            }
        }
    }

    /// The totals, in the order of the players.
    pub fn players(&self) -> &[Total] {
        &self.0
    }

    /// The points, in the order of the players.
    pub fn points(&self) -> Vec<Score> {
        self.0.iter().map(|total| total.points).collect()
    }

    /// The totals with the most points first.
    pub fn standings(&self) -> Vec<&Total> {
        let mut standings: Vec<&Total> = self.0.iter().collect();
        standings.sort_by_key(|total| Reverse(total.points));
        standings
    }

    /// The player with the most points, if there is only one.
    pub fn winner(&self) -> Option<&Total> {
        match self.standings()[..] {
            [first, second, ..] if first.points == second.points => None,
            [first, ..] => Some(first),
            [] => None,
        }
    }
}
