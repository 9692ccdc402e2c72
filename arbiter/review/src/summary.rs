//! What bots give away, added up over games.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;
use standings::StudentT;
use text::spreadsheet_cell;

use crate::decision::{Decision, MistakeGrade, ResultBreakdown, ReviewedGame};

/// The positions that are named for each kind of mistake.
const EXAMPLES: usize = 3;

/// The dearest decisions that are named for each bot.
const DEAREST: usize = 3;

/// The most kinds of mistakes that are told apart for each bot.
const MOST_KINDS: usize = 10_000;

/// What all bots give away.
#[derive(Debug, Clone, Default)]
pub struct ReviewSummary {
    pub games: u64,
    bots: BTreeMap<String, BotReview>,
}

#[derive(Debug, Clone, Serialize)]
pub struct BotReview {
    pub name: String,
    pub games: u64,
    /// The number of games that it lost by a fault.
    pub faults: u64,
    /// The first of them: the log, by its place in the list, and the game.
    #[serde(skip)]
    pub first_fault: Option<(usize, u64)>,
    /// The number of its decisions between different moves.
    pub decisions: u64,
    /// How often no move led the one that was played beyond chance.
    pub best: u64,
    /// The sum of what it gave away, in parts of a win.
    pub given_away: f64,
    /// The parts of a win that it gave away, by deal.
    #[serde(skip)]
    deals: MeanByDeal,
    /// Luck, skill and rest in its results, in games between two seats whose luck is measured.
    #[serde(skip)]
    pub accounts: MeanBreakdown,
    /// The number of inaccuracies, mistakes and blunders.
    pub marks: [u64; 3],
    /// Each phase of the game, by its name.
    pub phases: BTreeMap<String, PhaseFigures>,
    #[serde(skip)]
    kinds: BTreeMap<String, MistakeGroup>,
    /// The decisions that gave away most, beyond chance.
    pub dearest: Vec<MistakePosition>,
}

/// Luck, skill and rest in the results of a bot, as means over its games.
#[derive(Debug, Clone, Default)]
pub struct MeanBreakdown {
    /// The part of a win.
    pub result: MeanByDeal,
    /// The luck of all deals.
    pub luck: MeanByDeal,
    /// The opponents' mistakes minus its own, where the decisions of both are reviewed.
    pub skill: MeanByDeal,
    /// The part of a win without its luck.
    pub adjusted: MeanByDeal,
    /// The points ahead.
    pub points: MeanByDeal,
    /// The points ahead without their luck, in a game that counts points.
    pub adjusted_points: MeanByDeal,
}

impl MeanBreakdown {
    fn add(&mut self, deal: (usize, u64), account: &ResultBreakdown) {
        self.result.add(deal, account.result);
        self.luck.add(deal, account.luck);
        self.adjusted.add(deal, account.adjusted());
        self.points.add(deal, account.points);
        if let Some(skill) = account.skill {
            self.skill.add(deal, skill);
        }
        if let Some(points) = account.adjusted_points() {
            self.adjusted_points.add(deal, points);
        }
    }

    fn append(&mut self, other: &MeanBreakdown) {
        let MeanBreakdown { result, luck, skill, adjusted, points, adjusted_points } = other;
        self.result.append(result);
        self.luck.append(luck);
        self.skill.append(skill);
        self.adjusted.append(adjusted);
        self.points.append(points);
        self.adjusted_points.append(adjusted_points);
    }

    /// Returns true without a game.
    pub fn is_empty(&self) -> bool {
        self.result.games() == 0.0
    }

    /// The mean skill, if it is known of all games.
    pub fn mean_skill(&self) -> Option<f64> {
        (self.skill.games() == self.result.games()).then(|| self.skill.mean())
    }

    /// The mean rest, which neither luck nor skill explains.
    pub fn rest(&self) -> Option<f64> {
        Some(self.result.mean() - 0.5 - self.luck.mean() - self.mean_skill()?)
    }
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct PhaseFigures {
    pub decisions: u64,
    /// The sum of what was given away.
    pub given_away: f64,
    /// The number of inaccuracies, mistakes and blunders.
    pub marks: [u64; 3],
}

#[derive(Debug, Clone, Serialize)]
pub struct MistakeGroup {
    /// How the moves played differ from better ones.
    pub difference: String,
    /// How often it was made.
    pub times: u64,
    /// The sum of what it gave away.
    pub given_away: f64,
    /// Some of the positions, the dearest first.
    pub positions: Vec<MistakePosition>,
}

/// A decision in a log that was a mistake.
#[derive(Debug, Clone, Serialize)]
pub struct MistakePosition {
    /// The log, by its place in the list.
    #[serde(skip)]
    pub log: usize,
    pub game: u64,
    pub decision: Decision,
    /// What it is called.
    pub mark: Option<MistakeGrade>,
}

impl ReviewSummary {
    /// Adds the decisions of a game, of which only these bots are counted.
    pub fn add(&mut self, game: &ReviewedGame, of: Option<&str>) {
        self.games += 1;
        let names: BTreeSet<&String> = game.seats.iter().collect();
        for name in names.into_iter().filter(|name| of.is_none_or(|of| of == name.as_str())) {
            let bot = self.bots.entry(name.clone()).or_insert_with(|| BotReview::new(name));
            bot.games += 1;
            if game.faults.iter().any(|fault| game.seats.get(fault.seat) == Some(name)) {
                bot.faults += 1;
                bot.first_fault.get_or_insert((game.log, game.number));
            }
            let mut given_away = 0.0;
            let own = game.decisions.iter().filter(|it| game.seats.get(it.seat) == Some(name));
            for decision in own {
                given_away += decision.given_away;
                bot.count(game, decision);
            }
            bot.given_away += given_away;
            let deal = (game.log, game.deal);
            bot.deals.add(deal, given_away);
            // Against itself, a bot has no result of its own.
            if game.seats.iter().filter(|seat| *seat == name).count() == 1 {
                let account = game.accounts.iter().zip(&game.seats).find(|(_, seat)| *seat == name);
                account.into_iter().for_each(|(account, _)| bot.accounts.add(deal, account));
            }
        }
    }

    /// A bot, if games of it were added.
    pub fn bot(&self, name: &str) -> Option<&BotReview> {
        self.bots.get(name)
    }

    /// The bots, those that give away least in a game first.
    pub fn bots(&self) -> Vec<&BotReview> {
        let mut bots: Vec<&BotReview> = self.bots.values().collect();
        bots.sort_by(|one, other| one.a_game().total_cmp(&other.a_game()));
        bots
    }
}

impl BotReview {
    fn new(name: &str) -> BotReview {
        BotReview {
            name: name.to_owned(),
            games: 0,
            faults: 0,
            first_fault: None,
            decisions: 0,
            best: 0,
            given_away: 0.0,
            deals: MeanByDeal::default(),
            accounts: MeanBreakdown::default(),
            marks: [0; 3],
            phases: BTreeMap::new(),
            kinds: BTreeMap::new(),
            dearest: Vec::new(),
        }
    }

    fn count(&mut self, game: &ReviewedGame, decision: &Decision) {
        let mark = decision.mark();
        self.decisions += 1;
        self.best += u64::from(decision.played_a_best_move());
        let phase = self.phases.entry(decision.phase.clone()).or_default();
        phase.decisions += 1;
        phase.given_away += decision.given_away;
        let Some(mark) = mark else { return };
        self.marks[mark.place()] += 1;
        phase.marks[mark.place()] += 1;
        let position = MistakePosition {
            log: game.log,
            game: game.number,
            decision: decision.clone(),
            mark: Some(mark),
        };
        if let Some(kind) = self.kind(decision.difference.as_deref().unwrap_or_default()) {
            kind.times += 1;
            kind.given_away += decision.given_away;
            insert(&mut kind.positions, position.clone(), EXAMPLES);
        }
        insert(&mut self.dearest, position, DEAREST);
    }

    /// The mistakes of a kind; none where there are too many kinds.
    fn kind(&mut self, difference: &str) -> Option<&mut MistakeGroup> {
        if self.kinds.len() >= MOST_KINDS && !self.kinds.contains_key(difference) {
            return None;
        }
        Some(self.kinds.entry(difference.to_owned()).or_insert_with(|| MistakeGroup {
            difference: difference.to_owned(),
            times: 0,
            given_away: 0.0,
            positions: Vec::new(),
        }))
    }

    /// Adds what the bot gives away in later logs.
    pub fn append(&mut self, other: &BotReview) {
        self.games += other.games;
        self.faults += other.faults;
        self.first_fault = self.first_fault.or(other.first_fault);
        self.decisions += other.decisions;
        self.best += other.best;
        self.given_away += other.given_away;
        self.deals.append(&other.deals);
        self.accounts.append(&other.accounts);
        add_marks(&mut self.marks, other.marks);
        for (name, phase) in &other.phases {
            let own = self.phases.entry(name.clone()).or_default();
            own.decisions += phase.decisions;
            own.given_away += phase.given_away;
            add_marks(&mut own.marks, phase.marks);
        }
        for kind in other.kinds.values() {
            if let Some(own) = self.kind(&kind.difference) {
                own.times += kind.times;
                own.given_away += kind.given_away;
                for position in &kind.positions {
                    insert(&mut own.positions, position.clone(), EXAMPLES);
                }
            }
        }
        for position in &other.dearest {
            insert(&mut self.dearest, position.clone(), DEAREST);
        }
    }

    /// What it gives away in a game, in parts of a win.
    pub fn a_game(&self) -> f64 {
        self.given_away / self.games.max(1) as f64
    }

    /// Half of the 95% interval of [`a_game`](Self::a_game); none for fewer than five deals.
    pub fn interval(&self) -> Option<f64> {
        self.deals.interval()
    }

    /// What it gives away in a decision, in parts of a win.
    pub fn a_decision(&self) -> f64 {
        self.given_away / self.decisions.max(1) as f64
    }

    /// The kinds of its mistakes, those that give away most in all first.
    pub fn kinds(&self) -> Vec<&MistakeGroup> {
        let mut kinds: Vec<&MistakeGroup> = self.kinds.values().collect();
        kinds.sort_by(|one, other| other.given_away.total_cmp(&one.given_away));
        kinds
    }
}

fn add_marks(sums: &mut [u64; 3], marks: [u64; 3]) {
    for (sum, marks) in sums.iter_mut().zip(marks) {
        *sum += marks;
    }
}

/// Inserts a position among the dearest, of which this many are kept; of equals the earlier one stays first.
fn insert(positions: &mut Vec<MistakePosition>, position: MistakePosition, most: usize) {
    let loss = position.decision.loss();
    let place = positions.partition_point(|it| it.decision.loss() >= loss);
    positions.insert(place, position);
    positions.truncate(most);
}

/// The fewest deals of an interval, as in standings.
const LEAST_DEALS: usize = 5;

/// The quantile at the upper end of a 95% interval.
const UPPER: f64 = 0.975;

/// A mean over games. The games of a deal share their cards, so a deal counts as one observation.
#[derive(Debug, Clone, Default)]
pub struct MeanByDeal {
    /// The sum of the values in each deal, and its number of games.
    deals: BTreeMap<(usize, u64), (f64, f64)>,
}

impl MeanByDeal {
    /// Adds the value of a game of this deal of this log.
    pub(crate) fn add(&mut self, deal: (usize, u64), value: f64) {
        let (sum, games) = self.deals.entry(deal).or_default();
        *sum += value;
        *games += 1.0;
    }

    fn append(&mut self, other: &MeanByDeal) {
        for (deal, (value, number)) in &other.deals {
            let (sum, games) = self.deals.entry(*deal).or_default();
            *sum += value;
            *games += number;
        }
    }

    pub fn sum(&self) -> f64 {
        self.deals.values().map(|(sum, _)| sum).sum()
    }

    pub fn games(&self) -> f64 {
        self.deals.values().map(|(_, games)| games).sum()
    }

    /// The mean; 0 without games.
    pub fn mean(&self) -> f64 {
        self.sum() / self.games().max(1.0)
    }

    /// Half of the 95% interval of the mean, by Student's t over deals; none for fewer than five deals.
    ///
    /// The mean is a ratio of two sums over deals; its variance follows from the residuals (Cochran, Sampling
    /// Techniques, 6.4).
    pub fn interval(&self) -> Option<f64> {
        let deals = self.deals.len() as f64;
        let student = StudentT::new(deals - 1.0).filter(|_| self.deals.len() >= LEAST_DEALS)?;
        let mean = self.mean();
        let residuals = self.deals.values().map(|(sum, games)| (sum - mean * games).powi(2));
        let variance = residuals.sum::<f64>() * deals / (deals - 1.0);
        Some(student.quantile(UPPER) * variance.sqrt() / self.games())
    }
}

pub const COLUMNS: [&str; 18] = [
    "log",
    "game",
    "deal",
    "seat",
    "bot",
    "move",
    "phase",
    "text",
    "played",
    "win",
    "error",
    "points",
    "lead",
    "lead_error",
    "habits",
    "worlds",
    "given_away",
    "mark",
];

#[derive(Debug)]
pub struct ReviewTableWriter<W: Write> {
    rows: csv::Writer<W>,
}

impl<W: Write> ReviewTableWriter<W> {
    /// Begins with the names of the columns.
    pub fn begin(out: W) -> io::Result<ReviewTableWriter<W>> {
        let mut rows = csv::Writer::from_writer(out);
        rows.write_record(COLUMNS)?;
        Ok(ReviewTableWriter { rows })
    }

    /// Writes the rows of a game of a log with this name.
    pub fn write(&mut self, log: &str, game: &ReviewedGame) -> io::Result<()> {
        for decision in &game.decisions {
            let mark = decision.mark().map(|mark| mark.to_string()).unwrap_or_default();
            let bot = game.seats.get(decision.seat).cloned().unwrap_or_default();
            for (place, mv) in decision.moves.iter().enumerate() {
                let is_played = place == decision.played;
                let optional = |number: Option<f64>| number.map(rounded).unwrap_or_default();
                self.rows.write_record([
                    log.to_owned(),
                    game.number.to_string(),
                    game.deal.to_string(),
                    decision.seat.to_string(),
                    spreadsheet_cell(&bot).into_owned(),
                    decision.number.to_string(),
                    spreadsheet_cell(&decision.phase).into_owned(),
                    spreadsheet_cell(&mv.mv).into_owned(),
                    u8::from(is_played).to_string(),
                    rounded(mv.win),
                    rounded(mv.error),
                    optional(mv.points),
                    rounded(mv.lead),
                    rounded(mv.lead_error),
                    optional(mv.habits),
                    decision.worlds().map(|worlds| worlds.to_string()).unwrap_or_default(),
                    optional(is_played.then_some(decision.given_away)),
                    if is_played { mark.clone() } else { String::new() },
                ])?;
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.rows.flush()
    }
}

fn rounded(number: f64) -> String {
    format!("{number:.6}")
}
