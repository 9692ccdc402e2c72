//! Strengths of bots, fitted to all games at once.
//!
//! The models are logistic: a bot of strength θ has `exp(θ)` in the formulas of Bradley, Terry,
//! Plackett and Luce. The strengths are the most likely ones under a mild prior, found by Newton's
//! method (see [`newton`]); since the logarithm of the likelihood is concave they are the
//! only ones. How far they may be from that follows from the likelihood, too (see [`newton`]).
//!
//! The *prior* is what is believed about strengths before the first game. Each bot has played one
//! game more, half won and half lost, against a bot of strength 0. This keeps the strength of a bot
//! that won or lost everything finite, and that of bots that no chain of games connects; against as
//! many games as a tournament has, it weighs nothing. The same holds for the seats, and for draws
//! if there are any: one game between equals, half of it won by the first seat, and half of it
//! drawn. In Bayes' terms it is a beta prior of ½ and ½ on the result of that game (Jeffreys 1946).

mod newton;

pub(super) use newton::{IntervalEnd, LikelihoodPeak};

use crate::column::{MeetingSums, WeightedSums};
use crate::game::Entrant;
use crate::setup::{Model, PARTS};
use newton::{ConcaveFunction, Derivatives};

/// The logarithm of how likely games are; the first parameters are the strengths of bots.
#[derive(Debug)]
pub(crate) enum Likelihood<'a> {
    /// Of games of two seats.
    BradleyTerry(BradleyTerry),
    Rankings(PlackettLuce<'a>),
    /// Of rankings that were taken apart into pairs.
    Pairs(PlackettLuce<'a>),
}

impl<'a> Likelihood<'a> {
    /// Likelihood of the games of this number of bots, by their strengths.
    pub(crate) fn of_bots(
        model: Model,
        entrants: usize,
        games: &WeightedSums<'a>,
    ) -> Likelihood<'a> {
        match model {
            Model::BradleyTerry => {
                Likelihood::BradleyTerry(BradleyTerry::of_bots(entrants, &games.meetings))
            }
            Model::PlackettLuce => Likelihood::Rankings(of_rankings(entrants, games)),
            Model::PlackettLucePairs => Likelihood::Pairs(of_pairs(entrants, games)),
        }
    }

    /// Likelihood of games of two seats, by the advantage of the first one, too.
    pub(crate) fn of_seats(entrants: usize, games: &WeightedSums<'a>) -> Likelihood<'a> {
        Likelihood::BradleyTerry(BradleyTerry::of_bots_and_seats(entrants, &games.meetings))
    }

    /// Likelihood of some of the games, by the same parameters.
    pub(crate) fn of_some(&self, games: &WeightedSums<'a>) -> Likelihood<'a> {
        match self {
            Likelihood::BradleyTerry(all) => Likelihood::BradleyTerry(all.of_some(&games.meetings)),
            Likelihood::Rankings(all) => Likelihood::Rankings(of_rankings(all.chosen.len(), games)),
            Likelihood::Pairs(all) => Likelihood::Pairs(of_pairs(all.chosen.len(), games)),
        }
    }

    /// Place of the advantage of the first seat, if there is one.
    pub(crate) fn seat(&self) -> Option<usize> {
        match self {
            Likelihood::BradleyTerry(games) => Some(games.seat()),
            Likelihood::Rankings(_) | Likelihood::Pairs(_) => None,
        }
    }

    /// Davidson's ν: how many draws there are between equals, for each win of the geometric mean
    /// of both sides.
    pub(crate) fn draws(&self, at: &[f64]) -> Option<f64> {
        match self {
            Likelihood::BradleyTerry(games) => Some(games.draws(at)),
            Likelihood::Rankings(_) | Likelihood::Pairs(_) => None,
        }
    }
}

impl ConcaveFunction for Likelihood<'_> {
    fn parameters(&self) -> usize {
        match self {
            Likelihood::BradleyTerry(games) => games.parameters(),
            Likelihood::Rankings(games) | Likelihood::Pairs(games) => games.parameters(),
        }
    }

    fn evaluate(&self, at: &[f64], slope: &mut Derivatives) {
        match self {
            Likelihood::BradleyTerry(games) => games.evaluate(at, slope),
            Likelihood::Rankings(games) | Likelihood::Pairs(games) => games.evaluate(at, slope),
        }
    }
}

fn of_rankings<'a>(entrants: usize, games: &WeightedSums<'a>) -> PlackettLuce<'a> {
    let parts = PARTS as f64;
    let mut chosen = vec![0.0; entrants];
    for (bot, times) in &games.chosen {
        chosen[bot.0] += times / parts;
    }
    let choice = |(among, times): &(&'a [Entrant], f64)| ChoiceSetCount::Many(among, times / parts);
    PlackettLuce { chosen, choices: games.among.iter().map(choice).collect() }
}

fn of_pairs<'a>(entrants: usize, games: &WeightedSums<'_>) -> PlackettLuce<'a> {
    let mut chosen = vec![0.0; entrants];
    for meeting in &games.meetings {
        chosen[meeting.first.0] += meeting.won + meeting.drawn / 2.0;
        chosen[meeting.second.0] += meeting.lost + meeting.drawn / 2.0;
    }
    let pairs = games.meetings.iter();
    let choices =
        pairs.map(|meeting| ChoiceSetCount::Two([meeting.first, meeting.second], meeting.games()));
    PlackettLuce { chosen, choices: choices.collect() }
}

/// Choices among several bots, in proportion to their strengths.
///
/// This is the model of Luce (1959) and Plackett (1975) as Hunter (2004, "MM algorithms for generalized Bradley–Terry
/// models", section 5) fits it; [`choices`](crate::choices) says how rankings become choices. The parameters are the
/// logarithms of the strengths. There is none for seats: their number is often greater than games can tell, and the
/// bots of a tournament change seats, which balances them.
#[derive(Debug)]
pub(crate) struct PlackettLuce<'a> {
    /// Number of times each bot was chosen.
    pub(super) chosen: Vec<f64>,
    /// From which bots, and how often.
    pub(super) choices: Vec<ChoiceSetCount<'a>>,
}

/// Some bots and how often one of them was chosen.
#[derive(Debug, Clone, Copy)]
pub(super) enum ChoiceSetCount<'a> {
    Two([Entrant; 2], f64),
    /// Any number.
    Many(&'a [Entrant], f64),
}

impl ChoiceSetCount<'_> {
    fn among(&self) -> (&[Entrant], f64) {
        match self {
            ChoiceSetCount::Two(among, times) => (among, *times),
            ChoiceSetCount::Many(among, times) => (among, *times),
        }
    }
}

impl ConcaveFunction for PlackettLuce<'_> {
    fn parameters(&self) -> usize {
        self.chosen.len()
    }

    fn evaluate(&self, at: &[f64], slope: &mut Derivatives) {
        for (place, (strength, chosen)) in at.iter().zip(&self.chosen).enumerate() {
            slope.value += strength * chosen;
            slope.gradient[place] += chosen;
            add_prior(at, place, 1.0, slope);
        }
        let greatest = at.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let strengths: Vec<f64> = at.iter().map(|strength| (strength - greatest).exp()).collect();
        for (among, times) in self.choices.iter().map(ChoiceSetCount::among) {
            if times <= 0.0 {
                continue;
            }
            let all: f64 = among.iter().map(|bot| strengths[bot.0]).sum();
            slope.value -= times * (all.ln() + greatest);
            for (place, bot) in among.iter().enumerate() {
                let share = strengths[bot.0] / all;
                slope.gradient[bot.0] -= times * share;
                slope.curvature.add(bot.0, bot.0, times * share);
                for other in &among[..=place] {
                    let other_share = strengths[other.0] / all;
                    slope.curvature.add(bot.0, other.0, -times * share * other_share);
                }
            }
        }
    }
}

/// Games of two seats, with draws and perhaps an advantage of the seat.
///
/// With π and ρ the strengths of the bots in the first and in the second seat, and γ the advantage of the first one,
/// the first wins, draws and loses in proportion to `π√γ`, `ν√(πρ)` and `ρ/√γ`. Wins are Bradley and Terry's (1952),
/// draws Davidson's (1970, "On extending the Bradley–Terry model to accommodate ties in paired comparison
/// experiments"), the seat is Davidson and Beaver's (1977, "On extending the Bradley–Terry model to incorporate
/// within-pair order effects"), with γ shared between both sides. The parameters here are the logarithms of the
/// strengths, then of γ and of ν. If no game was drawn, ν is 0.
///
/// Ratings are fitted without the seat, because in a tournament each bot plays equally often in either seat. With the
/// seat, a strong bot that happened to lose in one seat only would be taken for invincible in the other.
#[derive(Debug)]
pub(crate) struct BradleyTerry {
    entrants: usize,
    meetings: Vec<MeetingSums>,
    draws: ParameterState,
    seat: ParameterState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ParameterState {
    Fitted,
    Fixed,
}

impl BradleyTerry {
    /// Games of this number of bots, at any seats.
    pub(super) fn of_bots(entrants: usize, meetings: &[MeetingSums]) -> BradleyTerry {
        BradleyTerry::new(entrants, without_seats(entrants, meetings), ParameterState::Fixed)
    }

    /// Games with the advantage of the seat; the bot that comes first sat in the first one.
    fn of_bots_and_seats(entrants: usize, meetings: &[MeetingSums]) -> BradleyTerry {
        BradleyTerry::new(entrants, meetings.to_vec(), ParameterState::Fitted)
    }

    fn new(entrants: usize, meetings: Vec<MeetingSums>, seat: ParameterState) -> BradleyTerry {
        let drawn = meetings.iter().any(|meeting| meeting.drawn > 0.0);
        let draws = if drawn { ParameterState::Fitted } else { ParameterState::Fixed };
        BradleyTerry { entrants, meetings, draws, seat }
    }

    /// Some of the games, with the same parameters.
    pub(super) fn of_some(&self, meetings: &[MeetingSums]) -> BradleyTerry {
        let meetings = match self.seat {
            ParameterState::Fitted => meetings.to_vec(),
            ParameterState::Fixed => without_seats(self.entrants, meetings),
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
            ParameterState::Fixed => 0.0,
            ParameterState::Fitted => at[self.entrants + 1].exp(),
        }
    }
}

/// The games of every two bots together, in both orders of seats.
fn without_seats(entrants: usize, meetings: &[MeetingSums]) -> Vec<MeetingSums> {
    // One more than the place of the sum, so that the system gives no memory for all that stays 0.
    let mut places = vec![0usize; entrants * entrants];
    let mut sums: Vec<MeetingSums> = Vec::new();
    for meeting in meetings {
        let meeting = if meeting.first < meeting.second { *meeting } else { meeting.reversed() };
        let place = &mut places[meeting.first.0 * entrants + meeting.second.0];
        match place.checked_sub(1).and_then(|place| sums.get_mut(place)) {
            Some(sum) => sum.add(&meeting),
            None => {
                sums.push(meeting);
                *place = sums.len();
            }
        }
    }
    sums
}

impl ConcaveFunction for BradleyTerry {
    fn parameters(&self) -> usize {
        self.entrants + 2
    }

    fn evaluate(&self, at: &[f64], slope: &mut Derivatives) {
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
                ParameterState::Fitted => {
                    slope.gradient[seat] += by_ahead;
                    &signs[..]
                }
                ParameterState::Fixed => &signs[..2],
            };
            for (place, (one, sign)) in signs.iter().copied().enumerate() {
                for (other, other_sign) in &signs[..=place] {
                    slope.curvature.add(one, *other, sign * other_sign * bend);
                }
            }
            if self.draws == ParameterState::Fitted {
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
                ParameterState::Fitted => add_prior(at, place, factor, slope),
                ParameterState::Fixed => slope.curvature.add(place, place, 1.0),
            }
        }
    }
}

/// Adds a game of the prior to the logarithm of the likelihood, for the parameter in this place: the
/// odds of half the game against the other half are its exponential, times `factor`.
fn add_prior(at: &[f64], place: usize, factor: f64, slope: &mut Derivatives) {
    // The smaller of the two odds, so that the exponential cannot overflow.
    let logarithm = at[place] + factor.ln();
    let odds = (-logarithm.abs()).exp();
    let likelier = 1.0 / (1.0 + odds);
    let half = if logarithm > 0.0 { likelier } else { 1.0 - likelier };
    slope.value -= logarithm.abs() / 2.0 + odds.ln_1p();
    slope.gradient[place] += 0.5 - half;
    slope.curvature.add(place, place, half * (1.0 - half));
}
