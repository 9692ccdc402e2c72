//! The times of bots on each machine, if several have played.

use std::collections::BTreeMap;

use rules::{GameRecord, Machine};

use series::Series;

/// The least answers of a bot on a machine that say something of its times there.
const LEAST_ANSWERS: u64 = 20;

/// The most machines that are told apart.
const MOST: usize = 500;

/// The ratio of mean times on two machines from which on there is a warning.
const SLOW: f64 = 2.0;

/// The times of answers by machine and by bot, in the order of the log.
#[derive(Debug, Clone, Default)]
pub(super) struct MachineTable {
    all: BTreeMap<Machine, MachineGames>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct MachineGames {
    pub(super) games: u64,
    bots: BTreeMap<usize, AnswerTimes>,
}

/// The times of some answers.
#[derive(Debug, Clone, Copy, Default)]
struct AnswerTimes {
    answers: u64,
    /// All of them together, in milliseconds.
    ms: f64,
}

/// A bot that is slower on one machine than on another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MachineSlowdown {
    /// The place of the bot in the log.
    pub(super) bot: usize,
    /// The machine on which it is slowest, and its mean time there in milliseconds.
    pub(super) on: (String, f64),
    /// The machine on which it is fastest, and its mean time there in milliseconds.
    pub(super) than_on: (String, f64),
}

impl MachineTable {
    /// Adds a game that counts.
    pub(super) fn add(&mut self, series: &Series, game: &GameRecord) {
        let Some(machine) = &game.machine else { return };
        if self.all.len() >= MOST && !self.all.contains_key(machine) {
            return;
        }
        let on = self.all.entry(machine.clone()).or_default();
        on.games += 1;
        let seating = series.seating(game.game).players;
        for (answer, measured) in game.answers() {
            if seating.has(answer.seat) {
                let times = on.bots.entry(seating[answer.seat]).or_default();
                times.answers += 1;
                times.ms += measured.ms;
            }
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&Machine, &MachineGames)> {
        self.all.iter()
    }

    /// Returns true if no machine was named.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The bots that take more than twice as long on one machine as on another, each where it is
    /// slowest.
    pub(super) fn slower(&self, bots: usize) -> Vec<MachineSlowdown> {
        (0..bots).filter_map(|bot| self.slower_bot(bot)).collect()
    }

    fn slower_bot(&self, bot: usize) -> Option<MachineSlowdown> {
        let means = self.all.iter().filter_map(|(machine, on)| {
            let times = on.bots.get(&bot).filter(|times| times.answers >= LEAST_ANSWERS)?;
            Some((machine.name.clone(), times.ms / times.answers as f64))
        });
        let mut means: Vec<(String, f64)> = means.collect();
        means.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let (than_on, on) = (means.first()?.clone(), means.last()?.clone());
        (on.1 > SLOW * than_on.1).then_some(MachineSlowdown { bot, on, than_on })
    }
}

impl MachineGames {
    /// The mean time of the answers of a bot, in milliseconds.
    pub(super) fn mean(&self, bot: usize) -> Option<f64> {
        let times = self.bots.get(&bot)?;
        (times.answers > 0).then(|| times.ms / times.answers as f64)
    }
}
