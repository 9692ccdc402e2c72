//! Bots that leave a stage: a match counts if its round was over before one of its bots left.

use serde::Serialize;

/// A bot that left a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaver {
    /// Its seed, from 0.
    pub seed: usize,
    /// Number of rounds of the stage that were over.
    pub over: usize,
    /// Number of rounds of the stage that were announced: one more if one was being played.
    pub(super) announced: usize,
    /// The way in which it left.
    pub how: LeavingMode,
    /// Reason of the organiser, or the problem with its files.
    pub reason: Option<String>,
}

/// The way in which a bot leaves a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LeavingMode {
    /// It left the league, or its files are gone.
    Withdrawn,
    /// The organiser disqualified it.
    Disqualified,
}

/// The bots that left a stage, in the order in which they left.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Leavers(Vec<Leaver>);

impl Leavers {
    /// Returns all of them.
    pub fn all(&self) -> &[Leaver] {
        &self.0
    }

    /// Returns true if this bot left.
    pub fn has(&self, seed: usize) -> bool {
        self.0.iter().any(|it| it.seed == seed)
    }

    /// Returns those that left before this round of the stage was announced, by its place from 0.
    pub(super) fn before(&self, round: usize) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().filter(move |it| it.announced <= round).map(|it| it.seed)
    }

    /// Returns true if a bot left before the end of this round.
    pub(super) fn is_gone(&self, seed: usize, round: usize) -> bool {
        self.0.iter().any(|it| it.seed == seed && it.over <= round)
    }

    /// Returns the side of a match that advances because the other one left; if both did, the one that left later.
    pub(super) fn side_left(
        &self,
        bots: [usize; 2],
        is_out: impl Fn(&Leaver) -> bool,
    ) -> Option<usize> {
        let place = |bot: usize| self.0.iter().position(|it| it.seed == bot && is_out(it));
        match bots.map(place) {
            [None, None] => None,
            [Some(_), None] => Some(1),
            [None, Some(_)] => Some(0),
            [Some(one), Some(other)] => Some(usize::from(one < other)),
        }
    }

    /// Adds a bot. One that left already may still be disqualified.
    pub(super) fn add(&mut self, leaver: Leaver) {
        match self.0.iter_mut().find(|it| it.seed == leaver.seed) {
            Some(known) => (known.how, known.reason) = (leaver.how, leaver.reason),
            None => self.0.push(leaver),
        }
    }

    /// Takes rounds after this number back: they are played again without those that have left.
    pub(super) fn take_back(&mut self, rounds: usize) {
        for leaver in &mut self.0 {
            leaver.over = leaver.over.min(rounds);
            leaver.announced = leaver.announced.min(rounds);
        }
    }
}
