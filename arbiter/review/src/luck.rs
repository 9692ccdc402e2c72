//! Luck and skill in results, and results without luck.
//!
//! A result is a half, luck, skill and a rest. Luck is what the cards gave, skill what the opponent gave away minus what
//! the seat itself did (Zare, "Luck versus Skill"; GNU Backgammon has the same parts). Both are estimates, so that a
//! rest stays. It is shown.
//!
//! A result minus its luck has the same mean as the result, and a smaller variance (control variates; in poker: Zinkevich
//! et al., "Optimal Unbiased Estimators for Evaluating Agent Performance", 2006). The weight of luck is fixed here: one
//! that is fitted to the same games would also choose the result.

use bots::review::DealLuck;
use rules::{GameRecord, Seat};
use serde::{Deserialize, Serialize};

/// The weight of luck where a part of a win is adjusted: luck moves a game less that is already decided by skill.
pub const WIN_WEIGHT: f64 = 0.8;

/// The weight of luck where points are adjusted.
pub const POINTS_WEIGHT: f64 = 1.0;

/// More points than any deal gives.
const MOST_POINTS: f64 = 1_000.0;

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
            && self.points.iter().all(|points| points.abs() <= MOST_POINTS)
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
    pub(crate) fn both(
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
