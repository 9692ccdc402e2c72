//! Games of two seats, with draws and an advantage of the seat.
//!
//! With π and ρ the strengths of the bots in the first and in the second seat, and γ the advantage
//! of the first one, the first wins, draws and loses in proportion to `π√γ`, `ν√(πρ)` and `ρ/√γ`.
//! Wins are Bradley and Terry's (1952), draws Davidson's (1970, "On extending the Bradley–Terry model
//! to accommodate ties in paired comparison experiments"), the seat is Davidson and Beaver's (1977,
//! "On extending the Bradley–Terry model to incorporate within-pair order effects"), with γ shared
//! between both sides. The parameters here are the logarithms of the strengths, then of γ and of ν.
//!
//! Where nobody ever drew, ν is 0. Where each bot plays in either seat as often, as in all
//! tournaments with duplicate deals, the advantage of the seat and the strengths do not mix.

use super::newton::{Concave, Slope};
use super::prior;
use crate::standings::sums::Meeting;

/// The games to fit to.
#[derive(Debug)]
pub(super) struct BradleyTerry<'a> {
    entrants: usize,
    meetings: &'a [Meeting],
    draws: Draws,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Draws {
    None,
    Some,
}

impl<'a> BradleyTerry<'a> {
    /// Games of so many bots; in each the bot that comes first sat in the first seat.
    pub(super) fn new(entrants: usize, meetings: &'a [Meeting]) -> BradleyTerry<'a> {
        let drawn = meetings.iter().any(|meeting| meeting.drawn > 0.0);
        BradleyTerry { entrants, meetings, draws: if drawn { Draws::Some } else { Draws::None } }
    }

    /// The logarithm of γ.
    pub(super) fn seat(&self, at: &[f64]) -> f64 {
        at[self.entrants]
    }

    /// ν.
    pub(super) fn draws(&self, at: &[f64]) -> f64 {
        match self.draws {
            Draws::None => 0.0,
            Draws::Some => at[self.entrants + 1].exp(),
        }
    }
}

impl Concave for BradleyTerry<'_> {
    fn parameters(&self) -> usize {
        self.entrants + 2
    }

    fn evaluate(&self, at: &[f64], slope: &mut Slope) {
        let (seat, draw) = (self.entrants, self.entrants + 1);
        let draws = self.draws(at);
        for meeting in self.meetings.iter().filter(|meeting| meeting.games() > 0.0) {
            let (first, second) = (meeting.first.0, meeting.second.0);
            let ahead = at[first] - at[second] + at[seat];
            let win = (ahead / 2.0).exp();
            let loss = 1.0 / win;
            let all = win + draws + loss;
            let (even, odd) = ((win + loss) / all, (win - loss) / all);
            let (games, draw_share) = (meeting.games(), draws / all);
            let excess = (meeting.won - meeting.lost) / 2.0;
            slope.value += excess * ahead - games * all.ln();
            let by_ahead = excess - games * odd / 2.0;
            slope.gradient[first] += by_ahead;
            slope.gradient[second] -= by_ahead;
            slope.gradient[seat] += by_ahead;
            let bend = games * (even - odd * odd) / 4.0;
            let signs = [(first, 1.0), (second, -1.0), (seat, 1.0)];
            for (place, (one, sign)) in signs.into_iter().enumerate() {
                for (other, other_sign) in &signs[..=place] {
                    slope.curvature.add(one, *other, sign * other_sign * bend);
                }
            }
            if self.draws == Draws::Some {
                slope.value += meeting.drawn * at[draw];
                slope.gradient[draw] += meeting.drawn - games * draw_share;
                slope.curvature.add(draw, draw, games * draw_share * (1.0 - draw_share));
                let mixed = -games * odd * draw_share / 2.0;
                for (place, sign) in signs {
                    slope.curvature.add(draw, place, sign * mixed);
                }
            }
        }
        (0..=seat).for_each(|place| prior::add(at, place, 1.0, slope));
        match self.draws {
            Draws::Some => prior::add(at, draw, 0.5, slope),
            // A parameter of nothing stays where it is.
            Draws::None => slope.curvature.add(draw, draw, 1.0),
        }
    }
}
