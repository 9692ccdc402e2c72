//! What bots do in other games of a log, for values against their habits.
//!
//! A game is reviewed by what its bots did in games of other deals: those of even deals by those of odd ones, and the
//! other way round. So no decision is valued by what followed from it, and the number of threads changes nothing.

use std::collections::BTreeMap;

use bots::review::learns;
use record::Games;
use rules::{Digest, GameRecord};
use series::Series;
use series::game_status::GameStatus;
use text::terminal::say;

use crate::log_review::{ReviewedLog, questions};

/// The most games of a bot that are learnt from, of even and of odd deals each.
const GAMES: usize = 50;

/// The most games of a log that are looked at.
const LOOKED_AT: usize = 4_000;

/// The decisions of the bots of a log.
#[derive(Debug, Default)]
pub(crate) struct Habits(BTreeMap<(String, bool), BotHabits>);

/// The decisions of a bot in games of even or odd deals.
#[derive(Debug, Default)]
pub(crate) struct BotHabits {
    games: usize,
    /// Its requests, and what it played.
    pub(crate) decisions: Vec<(String, String)>,
}

impl Habits {
    /// Collects the decisions of the bots, if the reviewer of the game can learn from them. It does not check the log.
    pub(crate) fn read(log: &ReviewedLog) -> Habits {
        let mut habits = Habits::default();
        if !learns(log.games.series().kind()) {
            return habits;
        }
        if !log.path.is_file() {
            let name = &log.name;
            say(format!(
                "note: {name} is a stream and can be read only once: no habits are learned from it"
            ));
            return habits;
        }
        let Ok(mut games) = Games::open(&log.path) else { return habits };
        for _ in 0..LOOKED_AT {
            // A log that is wrong is reported where its games are reviewed.
            let Ok(Some(folded)) = games.next_game() else { break };
            if folded.status == GameStatus::Counts {
                habits.add(games.series(), &folded.game);
            }
        }
        habits
    }

    fn add(&mut self, series: &Series, game: &GameRecord) {
        let wanted: Vec<usize> = (0..game.seats.len())
            .filter(|seat| self.0.get(&key(game, *seat)).is_none_or(|habit| habit.games < GAMES))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let Ok(asked) = questions(series, game, &wanted) else { return };
        for seat in wanted {
            let habit = self.0.entry(key(game, seat)).or_default();
            habit.games += 1;
            let own = asked.iter().filter(|it| it.seat == seat);
            habit.decisions.extend(own.map(|it| (it.request.clone(), it.played.clone())));
        }
    }

    /// The decisions of a seat's opponent in games of other deals; none with several opponents.
    pub(crate) fn of_opponent(&self, game: &GameRecord, seat: usize) -> Option<&BotHabits> {
        let other = match (game.seats.len(), seat) {
            (2, 0) => 1,
            (2, 1) => 0,
            _ => return None,
        };
        let (name, is_odd) = key(game, other);
        self.0.get(&(name, !is_odd))
    }
}

impl BotHabits {
    pub(crate) fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        for (request, played) in &self.decisions {
            digest = Digest::hash(format!("{digest}\n{request}{played}").as_bytes());
        }
        digest
    }
}

fn key(game: &GameRecord, seat: usize) -> (String, bool) {
    (game.seats[seat].clone(), game.deal % 2 == 1)
}
