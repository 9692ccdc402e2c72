//! Figures of bots besides standings: faults, points by seat, times, notes.

use std::collections::BTreeMap;

use rules::{GameRecord, Score, Verdict};

use crate::game_line::StepLine;
use crate::histogram::Histogram;
use crate::notes::{BotNotes, MeasuredLine};
use series::Series;

/// The most faults of a bot that are listed.
const LISTED: usize = 50;

/// The figures of all bots, in the order of the log.
#[derive(Debug, Clone)]
pub(super) struct BotsFigures {
    pub(super) bots: Vec<BotFigures>,
}

#[derive(Debug, Clone)]
pub(super) struct BotFigures {
    /// The number of answers by verdict.
    pub(super) verdicts: BTreeMap<Verdict, u64>,
    /// The first of its faults.
    pub(super) faults: Vec<BotFault>,
    pub(super) seats: Vec<SeatTotals>,
    /// The times of its answers, in microseconds.
    pub(super) times: Histogram,
    pub(super) noted: BotNotes,
}

/// A fault, and its place.
#[derive(Debug, Clone)]
pub(super) struct BotFault {
    pub(super) game: u64,
    pub(super) deal: u64,
    pub(super) attempt: u32,
    /// The step with it; none where the steps of its game are hidden.
    pub(super) step: Option<usize>,
    pub(super) number: u32,
    pub(super) verdict: Verdict,
    pub(super) detail: String,
}

/// The games and points at one seat.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SeatTotals {
    pub(super) games: u64,
    pub(super) points: Score,
}

impl SeatTotals {
    /// The mean points of a game.
    pub(super) fn mean(self) -> Option<f64> {
        (self.games > 0).then(|| self.points.as_f64() / self.games as f64)
    }
}

/// The shares of times that are shown, with their names.
pub(super) const QUANTILES: [(&str, f64); 4] =
    [("median", 0.5), ("95%", 0.95), ("99%", 0.99), ("longest", 1.0)];

impl BotsFigures {
    /// The figures before the first game.
    pub(super) fn new(series: &Series) -> BotsFigures {
        let seats = series.seating(0).players.count();
        let bot = |_: &_| BotFigures::new(seats);
        BotsFigures { bots: series.header().players.iter().map(bot).collect() }
    }

    /// Adds a game that counts.
    pub(super) fn add(&mut self, series: &Series, game: &GameRecord, steps: &[StepLine]) {
        let seating = series.seating(game.game).players;
        if let Some(scores) = game.result.scores() {
            for (seat, place) in seating.iter() {
                let at = &mut self.bots[*place].seats[seat.index()];
                at.games += 1;
                at.points += scores[seat];
            }
        }
        for (step, line) in steps.iter().enumerate() {
            let Some(answer) = &line.answer else { continue };
            let bot = &mut self.bots[seating[answer.answered.seat]];
            let verdict = answer.answered.verdict;
            *bot.verdicts.entry(verdict).or_default() += 1;
            let ms = answer.measured.as_ref().map_or(0.0, MeasuredLine::ms);
            bot.times.add((ms * 1000.0) as u64);
            if let Some(measured) = &answer.measured {
                bot.noted.add(measured);
            }
            if verdict != Verdict::Ok && bot.faults.len() < LISTED {
                let detail = answer.answered.detail.clone();
                let (number, step) = (answer.number, Some(step));
                let GameRecord { game, deal, attempt, .. } = *game;
                bot.faults.push(BotFault { game, deal, attempt, step, number, verdict, detail });
            }
        }
    }

    /// Hides the details of faults, which tell of cards, in the games of this deal and of later ones.
    pub(super) fn covered_from(mut self, deal: u64) -> BotsFigures {
        let faults = self.bots.iter_mut().flat_map(|bot| &mut bot.faults);
        for fault in faults.filter(|fault| fault.deal >= deal) {
            fault.step = None;
            fault.detail = "hidden until the deal is finished".to_owned();
        }
        self
    }

    /// The figures as they are without standard error.
    pub(super) fn without_notes(mut self) -> BotsFigures {
        for bot in &mut self.bots {
            bot.noted = BotNotes::default();
        }
        self
    }

    /// The points of all bots together, by seat.
    pub(super) fn by_seat(&self) -> Vec<SeatTotals> {
        let seats = self.bots.first().map_or(0, |bot| bot.seats.len());
        let mut all = vec![SeatTotals::default(); seats];
        for bot in &self.bots {
            for (sum, at) in all.iter_mut().zip(&bot.seats) {
                sum.games += at.games;
                sum.points += at.points;
            }
        }
        all
    }

    /// The verdicts that were given for faults.
    pub(super) fn kinds(&self) -> Vec<Verdict> {
        let is_given = |verdict: &Verdict| self.bots.iter().any(|bot| bot.count(*verdict) > 0);
        Verdict::ALL.into_iter().filter(|it| *it != Verdict::Ok).filter(is_given).collect()
    }
}

impl BotFigures {
    fn new(seats: usize) -> BotFigures {
        BotFigures {
            verdicts: BTreeMap::new(),
            faults: Vec::new(),
            seats: vec![SeatTotals::default(); seats],
            times: Histogram::default(),
            noted: BotNotes::default(),
        }
    }

    pub(super) fn count(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    pub(super) fn answers(&self) -> u64 {
        self.verdicts.values().sum()
    }

    /// The time below which this share of its answers lies, in milliseconds, to two digits.
    pub(super) fn quantile(&self, share: f64) -> Option<f64> {
        self.times.quantile(share).map(|time| time as f64 / 1000.0)
    }
}
