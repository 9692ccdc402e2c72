//! Figures of bots besides standings: faults, points by seat, times, notes; and the signs of numbers on pages.

use std::collections::BTreeMap;

use rules::{GameRecord, Host, Score, Verdict};
use series::Series;

use crate::game_line::{BotNotes, MeasurementLine, StepLine};

/// The most faults of a bot that are listed.
const LISTED: usize = 50;

/// The figures of all bots, in the order of the log.
#[derive(Debug, Clone)]
pub(super) struct FigureTable {
    pub(super) bots: Vec<BotFigures>,
    /// True if an answer has notes, in any game.
    pub(super) has_notes: bool,
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

impl FigureTable {
    /// The figures before the first game.
    pub(super) fn new(series: &Series) -> FigureTable {
        let seats = series.seating(0).players.count();
        let bot = |_: &_| BotFigures::new(seats);
        FigureTable { bots: series.header().players.iter().map(bot).collect(), has_notes: false }
    }

    /// Looks for notes in a game, which need not count.
    pub(super) fn find_notes(&mut self, steps: &[StepLine]) {
        let mut answers = steps.iter().filter_map(|step| step.answer.as_ref()?.measured.as_ref());
        self.has_notes |= answers.any(MeasurementLine::has_notes);
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
            let bot = &mut self.bots[seating[answer.output.seat()]];
            let verdict = answer.verdict;
            *bot.verdicts.entry(verdict).or_default() += 1;
            let ms = answer.measured.as_ref().map_or(0.0, MeasurementLine::ms);
            bot.times.add((ms * 1000.0) as u64);
            if let Some(measured) = &answer.measured {
                bot.noted.add(measured);
            }
            if verdict != Verdict::Ok && bot.faults.len() < LISTED {
                let detail = answer.detail.clone();
                let (number, step) = (answer.number, Some(step));
                let GameRecord { game, deal, attempt, .. } = *game;
                bot.faults.push(BotFault { game, deal, attempt, step, number, verdict, detail });
            }
        }
    }

    /// Hides the details of faults, which tell of cards, in the games of this deal and of later ones.
    pub(super) fn covered_from(mut self, deal: u64) -> FigureTable {
        let faults = self.bots.iter_mut().flat_map(|bot| &mut bot.faults);
        for fault in faults.filter(|fault| fault.deal >= deal) {
            fault.step = None;
            fault.detail = "hidden until the deal is finished".to_owned();
        }
        self
    }

    /// The figures as they are without standard error.
    pub(super) fn without_notes(mut self) -> FigureTable {
        self.has_notes = false;
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

/// The bits of a number that are kept, so that it is right to one part in 128.
const BITS: u32 = 8;

/// How often numbers occur.
#[derive(Debug, Clone, Default)]
pub(super) struct Histogram {
    /// By the greatest of the numbers that are counted together.
    counts: BTreeMap<u64, u64>,
}

impl Histogram {
    pub(super) fn add(&mut self, number: u64) {
        *self.counts.entry(number | beyond_digits(number)).or_default() += 1;
    }

    /// The numbers that occur, each the greatest of those that it stands for, and how often they do.
    pub(super) fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.counts.iter().map(|(number, count)| (*number, *count))
    }

    /// The least number, rounded down, and the greatest one, rounded up; none without numbers.
    pub(super) fn range(&self) -> Option<(u64, u64)> {
        let (least, _) = self.counts.first_key_value()?;
        let (greatest, _) = self.counts.last_key_value()?;
        Some((least & !beyond_digits(*least), *greatest))
    }

    /// The number, rounded up, that at least this share of all does not exceed; none without numbers.
    pub(super) fn quantile(&self, share: f64) -> Option<u64> {
        let all: u64 = self.counts.values().sum();
        let wanted = ((share * all as f64).ceil() as u64).max(1);
        let mut sum = 0;
        let mut reaches = |count: &u64| {
            sum += count;
            sum >= wanted
        };
        self.counts.iter().find(|(_, count)| reaches(count)).map(|(number, _)| *number)
    }
}

/// The bits of a number that are not kept.
fn beyond_digits(number: u64) -> u64 {
    let dropped = (u64::BITS - number.leading_zeros()).saturating_sub(BITS);
    (1 << dropped) - 1
}

/// The least answers of a bot on a machine that say something of its times there.
const LEAST_ANSWERS: u64 = 20;

/// The most machines that are told apart.
const MOST: usize = 500;

/// The ratio of mean times on two machines from which on there is a warning.
const SLOW: f64 = 2.0;

/// The times of answers by machine and by bot, in the order of the log.
#[derive(Debug, Clone, Default)]
pub(super) struct MachineTable {
    all: BTreeMap<Host, MachineGames>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct MachineGames {
    pub(super) games: u64,
    /// The number of answers of each bot, and all of their times together, in milliseconds.
    bots: BTreeMap<usize, (u64, f64)>,
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
                let (answers, ms) = on.bots.entry(seating[answer.seat]).or_default();
                *answers += 1;
                *ms += measured.ms;
            }
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&Host, &MachineGames)> {
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
            let (answers, ms) =
                on.bots.get(&bot).filter(|(answers, _)| *answers >= LEAST_ANSWERS)?;
            Some((machine.name.clone(), ms / *answers as f64))
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
        let (answers, ms) = self.bots.get(&bot)?;
        (*answers > 0).then(|| ms / *answers as f64)
    }
}

/// A text of which negative numbers begin with a minus sign. Hyphens in words and between numbers stay.
pub(crate) fn with_minus(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    let mut signed = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_sign = letter == '-'
            && !before.is_alphanumeric()
            && letters.peek().is_some_and(char::is_ascii_digit);
        signed.push(if is_sign { '−' } else { letter });
        before = letter;
    }
    signed
}

/// The content of a cell of a table; a dash stands for none.
pub(crate) fn cell(text: impl AsRef<str>) -> String {
    match text.as_ref() {
        "-" => "–".to_owned(),
        text => with_minus(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(numbers: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        numbers.into_iter().for_each(|number| histogram.add(number));
        histogram
    }

    #[test]
    fn small_numbers_are_exact() {
        let histogram = histogram((0..256).chain([7, 7]));
        assert_eq!(histogram.range(), Some((0, 255)));
        assert_eq!(histogram.counts().count(), 256);
        assert_eq!(histogram.counts().nth(7), Some((7, 3)));
        assert_eq!([0.0, 0.5, 1.0].map(|share| histogram.quantile(share)), [0, 126, 255].map(Some));
    }

    #[test]
    fn large_numbers_are_right_to_two_digits() {
        let histogram = histogram([1_000, 1_001, 86_399_999_999, 1_004, u64::MAX]);
        let counts: Vec<_> = histogram.counts().collect();
        let day = 86_436_216_831;
        assert_eq!(counts, [(1_003, 2), (1_007, 1), (day, 1), (u64::MAX, 1)]);
        assert_eq!(histogram.range(), Some((1_000, u64::MAX)));
        let quantiles = [0.2, 0.4, 0.41, 0.6, 0.8, 1.0].map(|share| histogram.quantile(share));
        assert_eq!(quantiles, [1_003, 1_003, 1_007, 1_007, day, u64::MAX].map(Some));
    }

    #[test]
    fn without_numbers_there_is_nothing() {
        let none = Histogram::default();
        assert_eq!((none.range(), none.quantile(0.5), none.counts().next()), (None, None, None));
    }

    #[test]
    fn negative_numbers_alone_have_a_minus_sign() {
        assert_eq!(with_minus("-400"), "−400");
        assert_eq!(with_minus("-12 (-30 to 6)"), "−12 (−30 to 6)");
        assert_eq!(
            with_minus("first-move, ranks 1-3, illegal-move 2, p-7"),
            "first-move, ranks 1-3, illegal-move 2, p-7"
        );
        assert_eq!(with_minus("-1.5e-7"), "−1.5e-7");
        assert_eq!((cell("-"), cell("-3")), ("–".to_owned(), "−3".to_owned()));
    }
}
