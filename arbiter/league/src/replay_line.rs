//! Void games of a league that are played again.
//!
//! A deal of a table is replayed as a whole, in every rotation of its seats, so that deals stay balanced. A line
//! `replay` of the league's log names games of a round. A later round plays their tables again with cards of its own,
//! and each of its tables names the game from which on it stands for the void ones. All of it follows from the log:
//! which deals wait, and which round has played them.

use crate::correction::{Correction, Corrections, ReplayState, check_reason, games_in_words};
use crate::line::{PairingReason, ReplayLine, RoundLine};
use crate::version::BotVersion;

/// A line of the log by which void games are played again.
#[derive(Debug, Clone, PartialEq)]
struct Replay {
    line: ReplayLine,
    /// The round with the void games.
    round: RoundLine,
    /// Their deals, in order.
    deals: Vec<ReplayedDeal>,
}

/// A deal of a table that is played again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ReplayedDeal {
    /// Its number within the round.
    deal: u64,
    table: usize,
    /// The round that plays it again, and the first of its games there.
    by: Option<(u64, u64)>,
}

/// Deals of a table that wait to be played again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingTable {
    pub round: u64,
    /// The first game of the first of the deals.
    pub game: u64,
    /// Its bots, in the order of the table.
    pub bots: Vec<BotVersion>,
    /// Number of its deals that wait.
    pub deals: u64,
}

/// A game in another round that stands for a void one, or for which one stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedGame {
    pub round: u64,
    pub game: u64,
    pub reason: String,
}

/// All replays of a league, in the order of their lines, and the number of seats of its games.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Replays {
    all: Vec<Replay>,
    seats: usize,
}

impl Replays {
    pub(crate) fn new(seats: usize) -> Replays {
        Replays { all: Vec::new(), seats }
    }

    /// Adds a line about a finished round, of which this number of games were played.
    pub(crate) fn add(
        &mut self,
        line: ReplayLine,
        round: &RoundLine,
        played: u64,
        corrections: &Corrections,
    ) -> Result<(), String> {
        check_reason(&line.reason)?;
        round.check_games(&line.games, self.seats)?;
        let deals = match line.games.is_empty() {
            true => {
                let mut deals = self.deals(round, 0..played.min(round.games(self.seats)));
                deals.retain(|it| !self.has(round, it) && self.is_void(round, it, corrections));
                deals
            }
            false => self.deals(round, line.games.iter().copied()),
        };
        if deals.is_empty() {
            return Err(format!("no game of round {} is void and not replayed", line.round));
        }
        for it in &deals {
            let games = round.games_of(it.deal, it.table, self.seats);
            let game = games.start;
            if game >= played {
                return Err(format!("it replays game {game}, which was not played"));
            }
            if self.has(round, it) {
                return Err(format!("it replays game {game}, which has a replay"));
            }
            if !self.is_void(round, it, corrections) {
                let last = games.end - 1;
                return Err(format!("it replays games {game} to {last}, which are not all void"));
            }
        }
        self.all.push(Replay { line, round: round.clone(), deals });
        Ok(())
    }

    /// Returns the deals that wait, table by table, where all bots of a table play.
    pub(crate) fn pending(
        &self,
        corrections: &Corrections,
        plays: &dyn Fn(&BotVersion) -> bool,
    ) -> Vec<PendingTable> {
        let mut pending: Vec<PendingTable> = Vec::new();
        for replay in &self.all {
            let mut tables: Vec<(usize, PendingTable)> = Vec::new();
            let round = &replay.round;
            for it in self.waiting(replay, corrections) {
                if let Some((_, there)) = tables.iter_mut().find(|(table, _)| *table == it.table) {
                    there.deals += 1;
                    continue;
                }
                let bots: Vec<BotVersion> = round.bots_of(it.table).into_iter().cloned().collect();
                if bots.iter().all(plays) {
                    let game = round.games_of(it.deal, it.table, self.seats).start;
                    let first = PendingTable { round: round.round, game, bots, deals: 1 };
                    tables.push((it.table, first));
                }
            }
            pending.extend(tables.into_iter().map(|(_, table)| table));
        }
        pending
    }

    /// Notes that a round begins, if it replays games.
    pub(crate) fn begin(
        &mut self,
        line: &RoundLine,
        corrections: &Corrections,
    ) -> Result<(), String> {
        if !line.is_replay() {
            return Ok(());
        }
        let mut next = self.clone();
        for (place, table) in line.tables.iter().enumerate() {
            let PairingReason::Replay { round, game } = table.why else {
                return Err("only some of its tables are replayed".to_owned());
            };
            let wrong =
                |what: &str| Err(format!("a table replays game {game} of round {round}, {what}"));
            let found = next.all.iter().enumerate().find_map(|(number, replay)| {
                let (deal, of) = replay.round.place_of(game, self.seats);
                let waiting = next.waiting(replay, corrections).filter(|it| it.table == of);
                let waiting: Vec<ReplayedDeal> = waiting.collect();
                let is_first = replay.round.round == round
                    && waiting.first().is_some_and(|it| it.deal == deal)
                    && replay.round.games_of(deal, of, self.seats).start == game;
                is_first.then_some((number, of, waiting))
            });
            let Some((number, of, waiting)) = found else {
                return wrong("which is not waiting for a replay");
            };
            if next.all[number].round.bots_of(of) != line.bots_of(place) {
                return wrong("whose bots differ");
            }
            if (waiting.len() as u64) < line.deals {
                return wrong(&format!(
                    "of which only {} deals are waiting for a replay",
                    waiting.len()
                ));
            }
            for (deal, played) in (0..line.deals).zip(&waiting) {
                let by = line.games_of(deal, place, self.seats).start;
                let own = next.all[number].deals.iter_mut().find(|it| *it == played);
                own.into_iter().for_each(|it| it.by = Some((line.round, by)));
            }
        }
        *self = next;
        Ok(())
    }

    /// Notes that a round was aborted after this number of games: the deals that were not begun wait again.
    pub(crate) fn abort(&mut self, round: u64, games: u64) {
        for it in self.all.iter_mut().flat_map(|replay| &mut replay.deals) {
            if it.by.is_some_and(|(by, first)| by == round && first >= games) {
                it.by = None;
            }
        }
    }

    /// Checks that all games for which others stand are void by these corrections.
    pub(crate) fn check_void(&self, corrections: &Corrections) -> Result<(), String> {
        for replay in &self.all {
            let replayed = |it: &&ReplayedDeal| it.by.is_some();
            let counts = |it: &&ReplayedDeal| !self.is_void(&replay.round, it, corrections);
            if let Some(it) = replay.deals.iter().filter(replayed).find(counts) {
                let game = replay.round.games_of(it.deal, it.table, self.seats).start;
                let round = replay.line.round;
                return Err(format!(
                    "it reinstates game {game} of round {round}, which was replayed"
                ));
            }
        }
        Ok(())
    }

    /// Returns how far the games of a correction are played again.
    pub(crate) fn state(&self, correction: &Correction) -> ReplayState {
        let mut state = ReplayState::default();
        for replay in &self.all {
            let round = &replay.round;
            for it in &replay.deals {
                let bots = round.bots_of(it.table);
                let covers = |game: &u64| correction.covers(round.round, *game, &bots);
                let games = round.games_of(it.deal, it.table, self.seats).filter(covers).count();
                match it.by {
                    Some((by, _)) if games > 0 => {
                        state.rounds.insert(by);
                    }
                    Some(_) => {}
                    None => state.waiting += games as u64,
                }
            }
        }
        state
    }

    /// Returns true if a line has this game played again, whether that has happened or not.
    pub(crate) fn has_game(&self, round: &RoundLine, game: u64) -> bool {
        let (deal, table) = round.place_of(game, self.seats);
        self.has(round, &ReplayedDeal { deal, table, by: None })
    }

    /// Returns the game that stands for a game of a round.
    pub(crate) fn instead_of(&self, round: u64, game: u64) -> Option<ReplayedGame> {
        self.all.iter().filter(|replay| replay.line.round == round).find_map(|replay| {
            let (deal, table) = replay.round.place_of(game, self.seats);
            let it = replay.deals.iter().find(|it| (it.deal, it.table) == (deal, table))?;
            let (by, first) = it.by?;
            let start = replay.round.games_of(deal, table, self.seats).start;
            let reason = replay.line.reason.clone();
            Some(ReplayedGame { round: by, game: first + (game - start), reason })
        })
    }

    pub(crate) fn stands_for(&self, round: u64, game: u64) -> Option<ReplayedGame> {
        self.all.iter().find_map(|replay| {
            let there = |it: &&ReplayedDeal| {
                it.by.is_some_and(|(by, first)| {
                    by == round && (first..first + self.seats as u64).contains(&game)
                })
            };
            let it = replay.deals.iter().find(there)?;
            let (_, first) = it.by?;
            let start = replay.round.games_of(it.deal, it.table, self.seats).start;
            let (round, reason) = (replay.line.round, replay.line.reason.clone());
            Some(ReplayedGame { round, game: start + (game - first), reason })
        })
    }

    /// The deals of these games, in order.
    fn deals(&self, round: &RoundLine, games: impl Iterator<Item = u64>) -> Vec<ReplayedDeal> {
        let mut deals: Vec<ReplayedDeal> = games
            .map(|game| {
                let (deal, table) = round.place_of(game, self.seats);
                ReplayedDeal { deal, table, by: None }
            })
            .collect();
        deals.dedup();
        deals
    }

    fn waiting<'a>(
        &'a self,
        replay: &'a Replay,
        corrections: &'a Corrections,
    ) -> impl Iterator<Item = ReplayedDeal> + 'a {
        let waits =
            |it: &ReplayedDeal| it.by.is_none() && self.is_void(&replay.round, it, corrections);
        replay.deals.iter().copied().filter(waits)
    }

    fn has(&self, round: &RoundLine, deal: &ReplayedDeal) -> bool {
        let of_round = self.all.iter().filter(|replay| replay.line.round == round.round);
        let mut deals = of_round.flat_map(|replay| &replay.deals);
        deals.any(|it| (it.deal, it.table) == (deal.deal, deal.table))
    }

    fn is_void(&self, round: &RoundLine, it: &ReplayedDeal, corrections: &Corrections) -> bool {
        let bots = round.bots_of(it.table);
        let mut games = round.games_of(it.deal, it.table, self.seats);
        games.all(|game| corrections.of_game(round.round, game, &bots).is_some())
    }
}

impl ReplayLine {
    /// Returns what is played again, in words.
    pub fn games_in_words(&self) -> String {
        format!("{} in round {}", games_in_words(&self.games), self.round)
    }
}
