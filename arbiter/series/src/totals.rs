//! The totals of the games of a match.

use std::cmp::Reverse;
use std::sync::Arc;

use rules::{AnswerRecord, GameRecord, Measured, Score};
use standings::{LeadClarity, Leads, OutsideHelp};

use crate::game_status::{GameStatus, is_suspect};
use crate::header::PlayerLine;
use crate::series::Series;

/// Totals of one player over all games of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Total {
    pub name: String,
    /// The way in which it may have received help from outside.
    pub help: Option<OutsideHelp>,
    /// Its points over all games.
    pub points: Score,
    /// The number of games it won alone.
    pub won: u64,
    /// The number of games it won along with others.
    pub drawn: u64,
    /// The number of games another player won.
    pub lost: u64,
    /// The number of games in which it was out by a fault; these are among the games lost.
    pub faults: u64,
    /// The first of these faults, which can hold much text; copies of the totals share it.
    pub first_fault: Option<Arc<Fault>>,
    /// The number of its processes that escaped from their group, and were killed afterwards.
    pub escaped: u64,
}

/// A fault that put a player out of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    pub game: u64,
    /// The answer that did it.
    pub answer: AnswerRecord,
    pub measured: Measured,
}

/// The totals of the games of a match.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Totals {
    players: Vec<Total>,
    played_again: u64,
    given_up: u64,
    suspect: Vec<u64>,
    /// The leads of the players over each other; none where not all of them play every game.
    leads: Leads,
}

/// Players of whom the games do not show which one is best.
#[derive(Debug, Clone, PartialEq)]
pub struct Undecided<'a> {
    /// The player with the most points, and after it those that the games do not show to be worse, most points first.
    pub players: Vec<&'a Total>,
    /// About so many more games would show it, if players differ by as much as it seems; none where some have the same
    /// points.
    pub more_games: Option<u64>,
}

impl Totals {
    /// No game yet.
    pub fn new(series: &Series) -> Totals {
        let zero = |player: &PlayerLine| Total {
            name: player.name.clone(),
            help: player.outside_help(),
            points: Score::ZERO,
            won: 0,
            drawn: 0,
            lost: 0,
            faults: 0,
            first_fault: None,
            escaped: 0,
        };
        let players: Vec<Total> = series.header().players.iter().map(zero).collect();
        let all_play = series.seats() == players.len();
        let leads = Leads::new(if all_play { players.len() } else { 0 });
        Totals { players, leads, ..Totals::default() }
    }

    /// Adds a game of the series with what becomes of it; one that is played again counts for nothing
    /// but that.
    ///
    /// A seat that is out cannot have won, even where everyone scores 0.
    pub fn add(&mut self, game: &GameRecord, status: GameStatus, series: &Series) {
        let seating = series.seating(game.game);
        let places = seating.players.values();
        self.add_escaped(game, places);
        let Some(scores) = game.result.scores().filter(|_| status == GameStatus::Counts) else {
            match status {
                GameStatus::GivenUp => self.given_up += 1,
                GameStatus::Again | GameStatus::Counts => self.played_again += 1,
                // Nothing is played after it.
                GameStatus::Stops => {}
            }
            return;
        };
        if is_suspect(game, &series.times(game.game)) {
            self.suspect.push(game.game);
        }
        let faults = game.result.faults();
        let is_out = |seat| faults.iter().any(|(out, _)| *out == seat);
        let contenders = || scores.iter().filter(|(seat, _)| !is_out(*seat));
        let best = contenders().map(|(_, score)| *score).max();
        let winners = contenders().filter(|(_, score)| Some(**score) == best).count();
        for (seat, score) in scores.iter() {
            let place = places.get(seat.index()).copied();
            let Some(total) = place.and_then(|place| self.players.get_mut(place)) else { continue };
            total.points += *score;
            total.faults += u64::from(is_out(seat));
            if total.first_fault.is_none() {
                let fault = |(answer, measured): (&AnswerRecord, &Measured)| Fault {
                    game: game.game,
                    answer: answer.clone(),
                    measured: measured.clone(),
                };
                total.first_fault = game.fault_of(seat).map(fault).map(Arc::new);
            }
            match Some(*score) == best && !is_out(seat) {
                true if winners == 1 => total.won += 1,
                true => total.drawn += 1,
                false => total.lost += 1,
            }
        }
        let mut points = vec![0.0; self.players.len()];
        for (place, score) in places.iter().zip(scores.values()) {
            if let Some(points) = points.get_mut(*place) {
                *points = score.as_f64();
            }
        }
        self.leads.add(game.deal, &points);
    }

    fn add_escaped(&mut self, game: &GameRecord, places: &[usize]) {
        for (answer, measured) in game.answers() {
            let place = places.get(answer.seat.index()).copied();
            if let Some(total) = place.and_then(|place| self.players.get_mut(place)) {
                total.escaped += u64::from(measured.escaped);
            }
        }
    }

    /// The totals, in the order of the players.
    pub fn players(&self) -> &[Total] {
        &self.players
    }

    /// Number of games that do not count because they were void or suspect and were played again.
    pub fn played_again(&self) -> u64 {
        self.played_again
    }

    /// Number of games that are left out because they were void too often.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// The numbers of the games, from 0, that count although an overloaded machine may have
    /// decided them.
    pub fn suspect(&self) -> &[u64] {
        &self.suspect
    }

    /// The points, in the order of the players.
    pub fn points(&self) -> Vec<Score> {
        self.players.iter().map(|total| total.points).collect()
    }

    /// The totals with the most points first.
    pub fn standings(&self) -> Vec<&Total> {
        self.ranked().into_iter().map(|(_, total)| total).collect()
    }

    /// Likewise, each with its place in the order of the players.
    fn ranked(&self) -> Vec<(usize, &Total)> {
        let mut ranked: Vec<(usize, &Total)> = self.players.iter().enumerate().collect();
        ranked.sort_by_key(|(_, total)| Reverse(total.points));
        ranked
    }

    /// The players of whom the games of a match do not show which one is best; nothing if they show it.
    pub fn undecided(&self) -> Option<Undecided<'_>> {
        let ranked = self.ranked();
        let ((leader, first), others) = ranked.split_first()?;
        let mut undecided = Undecided { players: vec![*first], more_games: Some(0) };
        for (other, total) in others {
            if let LeadClarity::Open { more_games } = self.leads.clarity(*leader, *other) {
                undecided.players.push(*total);
                // The most that one of them needs, and none if one of them has none.
                let most = undecided.more_games.zip(more_games);
                undecided.more_games = most.map(|(one, other)| one.max(other));
            }
        }
        (undecided.players.len() > 1).then_some(undecided)
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
