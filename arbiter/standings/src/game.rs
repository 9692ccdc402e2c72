//! A game of a tournament, as its statistics see it, and games of two bots in pairs.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use rules::{PerSeat, Score, Seat, Verdict};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A bot of the tournament, by its place in the list of names, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Entrant(pub usize);

/// A game that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    deal: u64,
    seats: PerSeat<Entrant>,
    scores: PerSeat<Score>,
    out: PerSeat<Option<Verdict>>,
}

/// Something that games, standings, rounds and stages cannot be made from; the text says why, in one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct StandingsError(pub String);

pub(crate) fn refused(text: impl fmt::Display) -> StandingsError {
    StandingsError(text.to_string())
}

impl Game {
    /// A game of the deal with this number: who sat where, what they had in the end, and which
    /// seats forfeited it by which fault.
    ///
    /// # Errors
    ///
    /// [`StandingsError`] if these do not fit together.
    pub fn new(
        deal: u64,
        seats: PerSeat<Entrant>,
        scores: PerSeat<Score>,
        faults: &[(Seat, Verdict)],
    ) -> Result<Game, StandingsError> {
        if seats.count() < 2 {
            let seats = seats.count();
            return Err(refused(format_args!("a game has {seats} seats, expected 2 or more")));
        }
        if seats.count() != scores.count() {
            let (seats, scores) = (seats.count(), scores.count());
            return Err(refused(format_args!("a game of {seats} seats has {scores} scores")));
        }
        let mut seated = seats.values().to_vec();
        seated.sort();
        if let Some(twice) = seated.windows(2).find(|two| two[0] == two[1]) {
            // Its result would be no result.
            let bot = twice[0].0;
            return Err(refused(format_args!("bot {bot} sits at two seats of one game")));
        }
        if let Some((seat, _)) = faults.iter().find(|(seat, _)| !seats.has(*seat)) {
            let text =
                format_args!("a fault is recorded for seat {seat}, which the game does not have");
            return Err(refused(text));
        }
        let fault = |seat| faults.iter().find(|(out, _)| *out == seat).map(|(_, fault)| *fault);
        let out = PerSeat::new(seats.count(), fault);
        Ok(Game { deal, seats, scores, out })
    }

    /// The number of its deal: games with the same cards have the same.
    pub fn deal(&self) -> u64 {
        self.deal
    }

    /// The bot in each seat.
    pub fn seats(&self) -> &PerSeat<Entrant> {
        &self.seats
    }

    /// The final score of each seat.
    pub fn scores(&self) -> &PerSeat<Score> {
        &self.scores
    }

    /// The fault by which a seat forfeited the game.
    pub fn fault(&self, seat: Seat) -> Option<Verdict> {
        self.out[seat]
    }

    /// Returns true if any seat forfeited it.
    pub fn is_forfeited(&self) -> bool {
        self.out.values().iter().any(Option::is_some)
    }

    /// Compares the results of two seats: more points are better, and a bot that forfeited the game
    /// did worse than all that did not, as in the totals of a match.
    pub fn compare(&self, one: Seat, other: Seat) -> Ordering {
        let standing = |seat| (self.out[seat].is_none(), self.scores[seat]);
        standing(one).cmp(&standing(other))
    }

    /// The place of each seat: 1 for the best, and the same for those that did as well.
    pub fn places(&self) -> PerSeat<usize> {
        let is_better = |other, seat| self.compare(other, seat) == Ordering::Greater;
        let better = |seat| self.seats.seats().filter(|other| is_better(*other, seat)).count();
        PerSeat::new(self.seats.count(), |seat| 1 + better(seat))
    }

    /// Compares a seat with all others: greater if it won alone, equal if others won along with it,
    /// less if another did better.
    pub fn compare_to_all(&self, seat: Seat) -> Ordering {
        let others = self.seats.seats().filter(|other| *other != seat);
        others.map(|other| self.compare(seat, other)).min().unwrap_or(Ordering::Equal)
    }
}

/// Numbers of pairs that the first bot ended with 0, ½, 1, 1½ and 2 points, with 1 for a win and ½
/// for a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PentanomialCounts(pub [u64; 5]);

impl PentanomialCounts {
    /// The points of each count, as text.
    pub const POINTS: [&'static str; 5] = ["0", "½", "1", "1½", "2"];

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn add(&mut self, [one, other]: [PairedGame; 2]) {
        self.0[one.half_points() + other.half_points()] += 1;
    }
}

/// One of the two games of a deal, with the seats exchanged.
///
/// The luck of the cards favours one bot in one game and the other bot in the other, so the results of a pair are
/// correlated, and only pairs are independent of each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairedGame {
    /// Of the first bot.
    result: Ordering,
    pub(super) forfeited: bool,
}

impl PairedGame {
    fn half_points(self) -> usize {
        match self.result {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        }
    }
}

/// Games whose pair is not complete, as many as deals are under way.
#[derive(Debug, Clone, Default)]
pub(super) struct UnpairedGames {
    /// By the deal, and by who had the first seat.
    games: BTreeMap<(u64, Entrant), Vec<PairedGame>>,
}

impl UnpairedGames {
    /// Takes a game of two bots, and gives the pair that it completes.
    pub(super) fn add(&mut self, game: &Game) -> Option<[PairedGame; 2]> {
        let mut seats = game.seats().iter();
        let ((one, first), (other, second)) = (seats.next()?, seats.next()?);
        let result = game.compare(one, other);
        let result = if *first == Entrant(0) { result } else { result.reverse() };
        let half = PairedGame { result, forfeited: game.is_forfeited() };
        let exchanged = (game.deal(), *second);
        match self.games.get_mut(&exchanged).and_then(Vec::pop) {
            Some(other) => {
                if self.games.get(&exchanged).is_some_and(Vec::is_empty) {
                    self.games.remove(&exchanged);
                }
                Some([half, other])
            }
            None => {
                self.games.entry((game.deal(), *first)).or_default().push(half);
                None
            }
        }
    }
}
