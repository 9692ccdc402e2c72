//! Games of two seats, with draws and perhaps an advantage of the seat.
//!
//! With π and ρ the strengths of the bots in the first and in the second seat, and γ the advantage
//! of the first one, the first wins, draws and loses in proportion to `π√γ`, `ν√(πρ)` and `ρ/√γ`.
//! Wins are Bradley and Terry's (1952), draws Davidson's (1970, "On extending the Bradley–Terry model
//! to accommodate ties in paired comparison experiments"), the seat is Davidson and Beaver's (1977,
//! "On extending the Bradley–Terry model to incorporate within-pair order effects"), with γ shared
//! between both sides. The parameters here are the logarithms of the strengths, then of γ and of ν.
//!
//! If no game was drawn, ν is 0. Ratings are fitted without the seat, because in a tournament each
//! bot plays equally often in either seat. With the seat, a strong bot that happened to lose in one
//! seat only would be taken for invincible in the other.

use super::add_prior;
use super::newton::{Concave, Slope};
use crate::column::Meeting;

#[derive(Debug)]
pub(crate) struct BradleyTerry {
    entrants: usize,
    meetings: Vec<Meeting>,
    draws: Parameter,
    seat: Parameter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parameter {
    Fitted,
    Fixed,
}

impl BradleyTerry {
    /// Games of this number of bots, at any seats.
    pub(super) fn of_bots(entrants: usize, meetings: &[Meeting]) -> BradleyTerry {
        BradleyTerry::new(entrants, whatever_the_seats(entrants, meetings), Parameter::Fixed)
    }

    /// Games with the advantage of the seat; the bot that comes first sat in the first one.
    pub(super) fn of_bots_and_seats(entrants: usize, meetings: &[Meeting]) -> BradleyTerry {
        BradleyTerry::new(entrants, meetings.to_vec(), Parameter::Fitted)
    }

    fn new(entrants: usize, meetings: Vec<Meeting>, seat: Parameter) -> BradleyTerry {
        let drawn = meetings.iter().any(|meeting| meeting.drawn > 0.0);
        let draws = if drawn { Parameter::Fitted } else { Parameter::Fixed };
        BradleyTerry { entrants, meetings, draws, seat }
    }

    /// Some of the games, with the same parameters.
    pub(super) fn of_some(&self, meetings: &[Meeting]) -> BradleyTerry {
        let meetings = match self.seat {
            Parameter::Fitted => meetings.to_vec(),
            Parameter::Fixed => whatever_the_seats(self.entrants, meetings),
        };
        BradleyTerry { meetings, ..*self }
    }

    /// Place of the logarithm of γ.
    pub(super) fn seat(&self) -> usize {
        self.entrants
    }

    /// ν.
    pub(super) fn draws(&self, at: &[f64]) -> f64 {
        match self.draws {
            Parameter::Fixed => 0.0,
            Parameter::Fitted => at[self.entrants + 1].exp(),
        }
    }
}

/// The games of every two bots together, in both orders of seats.
fn whatever_the_seats(entrants: usize, meetings: &[Meeting]) -> Vec<Meeting> {
    let mut places = vec![None; entrants * entrants];
    let mut sums: Vec<Meeting> = Vec::new();
    for meeting in meetings {
        let meeting = if meeting.first < meeting.second { *meeting } else { meeting.reversed() };
        let place = &mut places[meeting.first.0 * entrants + meeting.second.0];
        match place.and_then(|place: usize| sums.get_mut(place)) {
            Some(sum) => sum.add(&meeting),
            None => {
                *place = Some(sums.len());
                sums.push(meeting);
            }
        }
    }
    sums
}

impl Concave for BradleyTerry {
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
            let bend = games * (even - odd * odd) / 4.0;
            let signs = [(first, 1.0), (second, -1.0), (seat, 1.0)];
            let signs = match self.seat {
                Parameter::Fitted => {
                    slope.gradient[seat] += by_ahead;
                    &signs[..]
                }
                Parameter::Fixed => &signs[..2],
            };
            for (place, (one, sign)) in signs.iter().copied().enumerate() {
                for (other, other_sign) in &signs[..=place] {
                    slope.curvature.add(one, *other, sign * other_sign * bend);
                }
            }
            if self.draws == Parameter::Fitted {
                slope.value += meeting.drawn * at[draw];
                slope.gradient[draw] += meeting.drawn - games * draw_share;
                slope.curvature.add(draw, draw, games * draw_share * (1.0 - draw_share));
                let mixed = -games * odd * draw_share / 2.0;
                for (place, sign) in signs {
                    slope.curvature.add(draw, *place, sign * mixed);
                }
            }
        }
        (0..self.entrants).for_each(|place| add_prior(at, place, 1.0, slope));
        for (place, parameter, factor) in [(seat, self.seat, 1.0), (draw, self.draws, 0.5)] {
            match parameter {
                Parameter::Fitted => add_prior(at, place, factor, slope),
                Parameter::Fixed => slope.curvature.add(place, place, 1.0),
            }
        }
    }
}
