//! Reviewed decisions and games.
//!
//! A result is a half, luck, skill and a rest. Luck is what the cards gave, skill what the opponent gave away minus what
//! the seat itself did (Zare, "Luck versus Skill"; GNU Backgammon has the same parts). Both are estimates, so that a
//! rest stays. It is shown.
//!
//! A result minus its luck has the same mean as the result, and a smaller variance (control variates; in poker: Zinkevich
//! et al., "Optimal Unbiased Estimators for Evaluating Agent Performance", 2006). The weight of luck is fixed here: one
//! that is fitted to the same games would also choose the result.

use std::fmt;

use bots::review::{Certainty, DealLuck, ReviewText};
use rules::{GameRecord, Seat, Verdict};
use serde::{Deserialize, Serialize};
use standings::StudentT;

/// The chance to call a move a mistake where no move leads by more than half of the mark.
const ERROR: f64 = 0.05;

/// The standard errors that are taken off a lead before it is called a mistake. The best of several leads is too great on
/// average, so without this more than one mark in ten does not stand in more worlds.
const CAUTION: f64 = 0.5;

/// A game with the decisions that were reviewed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewedGame {
    /// The log, by its place in the list.
    #[serde(skip)]
    pub log: usize,
    /// Its number, from 0.
    pub number: u64,
    /// The number of its deal, from 0.
    pub deal: u64,
    /// The names of the bots, by seat.
    pub seats: Vec<String>,
    /// The faults by which seats are out: they, and no move, decided the game for them.
    pub faults: Vec<SeatFault>,
    /// The reviewed decisions, in the order of the game.
    pub decisions: Vec<Decision>,
    /// The decisions for which a program of the user gave no values, in the order of the game.
    pub left_out: Vec<UnvaluedDecision>,
    /// The luck of each deal, in a game of two seats whose luck is measured.
    pub luck: Vec<StoredDealLuck>,
    /// Luck, skill and rest in the result of each seat, in the same games.
    pub accounts: Vec<ResultBreakdown>,
}

impl ReviewedGame {
    /// A game of the log at this place, without anything that was reviewed yet.
    pub(crate) fn new(log: usize, game: &GameRecord) -> ReviewedGame {
        ReviewedGame {
            log,
            number: game.game,
            deal: game.deal,
            seats: game.seats.clone(),
            faults: SeatFault::all(game),
            decisions: Vec::new(),
            left_out: Vec::new(),
            luck: Vec::new(),
            accounts: Vec::new(),
        }
    }
}

/// A fault by which a seat is out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatFault {
    pub seat: usize,
    /// The verdict on its last answer.
    pub verdict: Verdict,
    pub detail: String,
}

impl SeatFault {
    fn all(game: &GameRecord) -> Vec<SeatFault> {
        let fault = |(seat, verdict): (Seat, Verdict)| {
            let detail = game.fault_of(seat).map(|(answer, _)| answer.detail.clone());
            SeatFault { seat: seat.index(), verdict, detail: detail.unwrap_or_default() }
        };
        game.result.faults().into_iter().map(fault).collect()
    }
}

/// A decision for which a program gave no values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnvaluedDecision {
    /// The number of the move in the game, from 0.
    #[serde(rename = "move")]
    pub number: u32,
    pub seat: usize,
    /// The reason, in one line that a terminal can show.
    pub why: String,
}

/// A decision between different moves, with what each is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// The number of the move in the game, from 0, as `arbiter request --move` takes it.
    #[serde(rename = "move")]
    pub number: u32,
    pub seat: usize,
    /// The phase of the game; empty in a game whose phases no reviewer knows.
    pub phase: String,
    /// The different moves, in the order of the request.
    pub moves: Vec<MoveValue>,
    /// The place of the move played among them.
    pub played: usize,
    /// The source of the values. It is written as the number of worlds: 0 for exact values, none for stated ones.
    #[serde(rename = "worlds", with = "worlds")]
    pub certainty: Certainty,
    /// The part of a win that the move played gave away. If values are sampled, it is crossed between halves of the
    /// worlds: the mean over many decisions is right, and a single value may be below 0.
    pub given_away: f64,
    /// How the move played differs from the best one, in words that other decisions share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
}

/// The value of a move to the seat that was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MoveValue {
    #[serde(rename = "move")]
    pub mv: String,
    /// The chance to win, a tie counting half.
    pub win: f64,
    /// Its standard error.
    pub error: f64,
    /// The points ahead that are expected, in games that count points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Its chance to win minus the chance of the move played.
    pub lead: f64,
    /// The standard error of the lead, over the same worlds.
    pub lead_error: f64,
    /// The chance to win against the habits of this opponent, where something is known of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub habits: Option<f64>,
}

impl Decision {
    /// A decision from what a reviewer says; none if all moves come to the same.
    pub fn new(number: u32, seat: usize, opinion: ReviewText) -> Option<Decision> {
        let ReviewText { reviewed, by_habits, phase, difference } = opinion;
        if reviewed.moves.len() < 2 {
            return None;
        }
        let certainty = reviewed.certainty;
        let habits = |place: usize| {
            by_habits.as_ref().and_then(|habits| Some(habits.moves.get(place)?.share))
        };
        let (played, given_away) = (reviewed.played, reviewed.given_away);
        let value = |(place, rated): (usize, bots::review::RatedMove<String>)| MoveValue {
            mv: rated.mv,
            win: rated.share,
            error: rated.error,
            points: rated.points,
            lead: rated.lead,
            lead_error: rated.lead_error,
            habits: habits(place),
        };
        let moves = reviewed.moves.into_iter().enumerate().map(value).collect();
        let phase = phase.to_owned();
        Some(Decision { number, seat, phase, moves, played, certainty, given_away, difference })
    }

    /// The number of worlds: 0 for exact values, none for stated ones.
    pub fn worlds(&self) -> Option<u32> {
        worlds::number(self.certainty)
    }

    /// The place of the move with the greatest chance; of equals the move played, else the first.
    pub fn best(&self) -> usize {
        let better =
            |best: usize, place: usize| match self.moves[place].lead > self.moves[best].lead {
                true => place,
                false => best,
            };
        (0..self.moves.len()).fold(self.played, better)
    }

    /// The plain lead of the best move.
    pub fn loss(&self) -> f64 {
        self.moves[self.best()].lead
    }

    /// Returns true if no move leads the one that was played beyond chance.
    pub fn played_a_best_move(&self) -> bool {
        sure_lead(self) <= 0.0
    }

    /// Returns true if the best move leads all others by what would be a mistake.
    pub(crate) fn has_a_clear_best(&self) -> bool {
        let best = self.best();
        let others = self.moves.iter().enumerate().filter(|(place, _)| *place != best);
        let lead = self.moves[best].lead;
        others.map(|(_, mv)| lead - mv.lead).all(|ahead| ahead >= MistakeGrade::Mistake.threshold())
    }

    /// Returns true if the move played leads all others by what would be a mistake, and by half of it beyond chance.
    pub(crate) fn played_clearly_best(&self) -> bool {
        let mut others = self.moves.iter().enumerate().filter(|(place, _)| *place != self.played);
        let least = MistakeGrade::Mistake.threshold();
        others.all(|(_, mv)| -mv.lead >= least && -mv.lead - margin(self, mv) > least / 2.0)
    }

    /// The mark, if the move played was a mistake beyond chance.
    ///
    /// A move must lead by the threshold and half a standard error, and some move by half of the threshold beyond chance.
    /// Leads that a program states count as they are.
    pub fn mark(&self) -> Option<MistakeGrade> {
        let cautious = |mv: &MoveValue| mv.lead - CAUTION * mv.lead_error;
        let best = self.moves.iter().map(cautious).fold(0.0, f64::max);
        let surely = sure_lead(self);
        let is_it =
            |mark: &MistakeGrade| best >= mark.threshold() && surely > mark.threshold() / 2.0;
        MistakeGrade::ALL.into_iter().rev().find(is_it)
    }

    /// Checks that texts and numbers are in range, since the file may come from a stranger. What a program states is
    /// not kept.
    pub(crate) fn is_sound(&self) -> bool {
        let is_text = |text: &str| text.len() <= LONGEST_TEXT && text.chars().all(is_plain);
        let is_part = |number: f64| (0.0..=1.0).contains(&number);
        let is_lead = |number: f64| (-1.0..=1.0).contains(&number);
        let is_value = |mv: &MoveValue| {
            is_text(&mv.mv)
                && [mv.win, mv.error, mv.lead_error, mv.habits.unwrap_or(0.0)]
                    .into_iter()
                    .all(is_part)
                && is_lead(mv.lead)
                && mv.points.is_none_or(|points| points.abs() <= MOST_POINTS)
        };
        self.played < self.moves.len()
            && self.certainty != Certainty::Stated
            && self.moves.iter().all(is_value)
            && is_lead(self.given_away)
            && is_text(&self.phase)
            && self.difference.as_deref().is_none_or(is_text)
    }
}

/// The greatest lead over the move played that is beyond chance, at least 0.
///
/// Each lead counts less as many standard errors as leave an error of 5% to all leads together (one-sided, by Student's t
/// and Bonferroni).
fn sure_lead(decision: &Decision) -> f64 {
    let moves = decision.moves.iter().map(|mv| mv.lead - margin(decision, mv));
    moves.fold(0.0, f64::max)
}

/// Returns the part of a lead that may be chance: nothing where values are exact, and where a program states
/// them, whose errors are not known.
fn margin(decision: &Decision, mv: &MoveValue) -> f64 {
    let Certainty::Sampled { worlds } = decision.certainty else { return 0.0 };
    let worlds = f64::from(worlds);
    let leads = decision.moves.len().saturating_sub(1).max(1) as f64;
    // Two worlds are needed to know of an error.
    let Some(student) = StudentT::new((worlds - 1.0).max(1.0)) else { return 0.0 };
    // A few worlds that agree by chance do not make a lead certain.
    student.quantile(1.0 - ERROR / leads) * mv.lead_error.max(1.0 / worlds)
}

/// The longest text of a decision, in bytes.
const LONGEST_TEXT: usize = 1_000;

/// More points than any game has.
const MOST_POINTS: f64 = 1e6;

fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~')
}

/// Writes and reads the source of values as a number of worlds.
mod worlds {
    use bots::review::Certainty;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn number(certainty: Certainty) -> Option<u32> {
        match certainty {
            Certainty::Exact => Some(0),
            Certainty::Sampled { worlds } => Some(worlds),
            Certainty::Stated => None,
        }
    }

    pub(super) fn serialize<S: Serializer>(
        certainty: &Certainty,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        number(*certainty).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Certainty, D::Error> {
        Ok(match Option::<u32>::deserialize(deserializer)? {
            None => Certainty::Stated,
            Some(0) => Certainty::Exact,
            Some(worlds) => Certainty::Sampled { worlds },
        })
    }
}

/// A mistake, by what it cost.
///
/// The parts of a win are those of lichess: 0.1, 0.2 and 0.3 on a scale from -1 to 1
/// (`modules/tree/src/main/Advice.scala`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MistakeGrade {
    /// At least 5% of a win.
    Inaccuracy,
    /// At least 10%.
    Mistake,
    /// At least 15%.
    Blunder,
}

impl MistakeGrade {
    /// Every mark, the smallest first.
    pub const ALL: [MistakeGrade; 3] =
        [MistakeGrade::Inaccuracy, MistakeGrade::Mistake, MistakeGrade::Blunder];

    /// The part of a win at which it begins.
    pub fn threshold(self) -> f64 {
        match self {
            MistakeGrade::Inaccuracy => 0.05,
            MistakeGrade::Mistake => 0.10,
            MistakeGrade::Blunder => 0.15,
        }
    }

    /// Its place in [`MistakeGrade::ALL`].
    pub fn place(self) -> usize {
        self as usize
    }
}

impl fmt::Display for MistakeGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MistakeGrade::Inaccuracy => "inaccuracy",
            MistakeGrade::Mistake => "mistake",
            MistakeGrade::Blunder => "blunder",
        })
    }
}

/// The weight of luck where a part of a win is adjusted: luck moves a game less that is already decided by skill.
pub const WIN_WEIGHT: f64 = 0.8;

/// The weight of luck where points are adjusted.
pub const POINTS_WEIGHT: f64 = 1.0;

/// More points than any deal gives.
const MOST_POINTS_OF_A_DEAL: f64 = 1_000.0;

/// The most deals of a game, and the most seats.
const MOST: usize = 1_000;

/// The luck of a deal, as it is kept and shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredDealLuck {
    /// The line in the history of the game, from 0, after which the deal was complete.
    pub line: usize,
    /// The part of a win that the cards gave to each seat, from -1 to 1.
    pub win: Vec<f64>,
    /// Likewise in points ahead; empty in a game that counts none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<f64>,
}

impl From<DealLuck> for StoredDealLuck {
    fn from(DealLuck { line, win, points }: DealLuck) -> StoredDealLuck {
        StoredDealLuck { line, win, points }
    }
}

impl StoredDealLuck {
    /// Checks that numbers are in range, since the file may come from a stranger.
    pub(crate) fn is_sound(&self, deals: usize) -> bool {
        deals <= MOST
            && self.win.len() <= MOST
            && self.win.iter().all(|part| part.abs() <= 1.0)
            && (self.points.is_empty() || self.points.len() == self.win.len())
            && self.points.iter().all(|points| points.abs() <= MOST_POINTS_OF_A_DEAL)
    }

    /// Checks that it can be the luck of a deal of this game.
    pub(crate) fn is_of(&self, game: &GameRecord) -> bool {
        self.line < game.events.len() && self.win.len() == game.seats.len()
    }
}

/// Luck, skill and rest in the result of a seat, in a game between two seats.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ResultBreakdown {
    /// The part of a win: a draw counts half.
    pub result: f64,
    /// The luck of all deals.
    pub luck: f64,
    /// The opponent's mistakes minus its own, in parts of a win, if the decisions of both seats are reviewed.
    pub skill: Option<f64>,
    /// The points ahead.
    pub points: f64,
    /// The luck of all deals in points, in a game that counts points.
    pub points_luck: Option<f64>,
}

impl ResultBreakdown {
    /// The accounts of both seats; none of a game with more seats, without a result, or whose luck is not measured.
    ///
    /// `given_away` is what each seat gave away, if the decisions of both are reviewed.
    pub(crate) fn of_both_seats(
        game: &GameRecord,
        luck: &[StoredDealLuck],
        given_away: Option<[f64; 2]>,
    ) -> Option<[ResultBreakdown; 2]> {
        let scores = game.result.scores().filter(|scores| scores.count() == 2)?;
        if luck.is_empty() {
            return None;
        }
        let points: Vec<f64> = Seat::first(2).map(|seat| scores[seat].as_f64()).collect();
        let sum = |seat: usize, of: fn(&StoredDealLuck) -> &Vec<f64>| {
            luck.iter().filter_map(|deal| of(deal).get(seat)).sum::<f64>()
        };
        let counts_points = luck.iter().all(|deal| !deal.points.is_empty());
        Some([0, 1].map(|seat| {
            let ahead = points[seat] - points[1 - seat];
            let sign = if ahead == 0.0 { 0.0 } else { ahead.signum() };
            ResultBreakdown {
                result: f64::midpoint(sign, 1.0),
                luck: sum(seat, |deal| &deal.win),
                skill: given_away.map(|given_away| given_away[1 - seat] - given_away[seat]),
                points: ahead,
                points_luck: counts_points.then(|| sum(seat, |deal| &deal.points)),
            }
        }))
    }

    /// The rest of the result, which neither luck nor skill explains: errors of both, and the advantage of a seat.
    pub fn rest(&self) -> Option<f64> {
        Some(self.result - 0.5 - self.luck - self.skill?)
    }

    /// The part of a win without its luck. It may lie below 0 or above 1; its mean is the mean result.
    pub fn adjusted(&self) -> f64 {
        self.result - WIN_WEIGHT * self.luck
    }

    /// The points ahead without their luck, in a game that counts points.
    pub fn adjusted_points(&self) -> Option<f64> {
        Some(self.points - POINTS_WEIGHT * self.points_luck?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(worlds: u32, leads: &[(f64, f64)]) -> Decision {
        match worlds {
            0 => decided(Certainty::Exact, leads),
            _ => decided(Certainty::Sampled { worlds }, leads),
        }
    }

    fn decided(certainty: Certainty, leads: &[(f64, f64)]) -> Decision {
        let value = |(lead, lead_error): &(f64, f64)| MoveValue {
            mv: String::new(),
            win: 0.5 + lead,
            error: 0.0,
            points: None,
            lead: *lead,
            lead_error: *lead_error,
            habits: None,
        };
        Decision {
            number: 0,
            seat: 0,
            phase: String::new(),
            moves: leads.iter().map(value).collect(),
            played: 0,
            certainty,
            given_away: 0.0,
            difference: None,
        }
    }

    #[test]
    fn a_mark_needs_its_threshold_and_half_of_it_beyond_chance() {
        let played = (0.0, 0.0);
        for (lead, mark) in [
            (0.049, None),
            (0.051, Some(MistakeGrade::Inaccuracy)),
            (0.11, Some(MistakeGrade::Mistake)),
            (0.16, Some(MistakeGrade::Blunder)),
        ] {
            assert_eq!(decision(0, &[played, (lead, 0.0)]).mark(), mark, "{lead}");
            assert_eq!(decided(Certainty::Stated, &[played, (lead, 0.0)]).mark(), mark);
            assert_eq!(decision(10_000, &[played, (lead, 0.001)]).mark(), mark, "{lead}");
        }
        // 16% ahead, of which 5.1% are beyond chance: no more than a mistake.
        let unsure = decision(1_000_000, &[played, (0.16, 0.109 / 1.645)]);
        assert_eq!(unsure.mark(), Some(MistakeGrade::Mistake));
        // More moves, more chances to be lucky.
        let lucky = (0.07, 0.02);
        assert_eq!(decision(400, &[played, lucky]).mark(), Some(MistakeGrade::Inaccuracy));
        assert_eq!(decision(400, &[[played].as_slice(), &[lucky; 9]].concat()).mark(), None);
        assert_eq!(decision(400, &[played]).mark(), None);
        assert_eq!(decision(400, &[]).mark(), None);
    }

    #[test]
    fn few_worlds_that_agree_by_chance_make_no_mistake() {
        let agreed = |worlds| decision(worlds, &[(0.0, 0.0), (1.0, 0.0)]).mark();
        assert_eq!(agreed(2), None);
        assert!(agreed(3) < Some(MistakeGrade::Mistake));
        assert_eq!(
            (agreed(100), agreed(0)),
            (Some(MistakeGrade::Blunder), Some(MistakeGrade::Blunder))
        );
    }

    #[test]
    fn the_parts_add_up_to_the_result() {
        let account = ResultBreakdown {
            result: 1.0,
            luck: 0.2,
            skill: Some(0.25),
            points: 3.0,
            points_luck: Some(4.5),
        };
        let rest = account.rest().expect("skill is known");
        assert!((0.5 + account.luck + 0.25 + rest - 1.0).abs() < 1e-12);
        assert!((account.adjusted() - (1.0 - WIN_WEIGHT * 0.2)).abs() < 1e-12);
        assert_eq!(account.adjusted_points(), Some(-1.5));
        assert_eq!(ResultBreakdown { skill: None, ..account }.rest(), None);
    }

    #[test]
    fn only_numbers_in_range_are_sound() {
        let luck = |win: &[f64], points: &[f64]| StoredDealLuck {
            line: 2,
            win: win.to_vec(),
            points: points.to_vec(),
        };
        assert!(luck(&[0.1, -0.1], &[2.0, -2.0]).is_sound(4));
        assert!(luck(&[0.1, -0.1], &[]).is_sound(4));
        assert!(!luck(&[0.1, -0.1], &[2.0]).is_sound(4));
        assert!(!luck(&[1.1, -0.1], &[]).is_sound(4));
        assert!(!luck(&[f64::NAN, 0.0], &[]).is_sound(4));
        assert!(!luck(&[0.0, 0.0], &[0.0, f64::INFINITY]).is_sound(4));
        assert!(!luck(&[0.0, 0.0], &[]).is_sound(MOST + 1));
    }
}
