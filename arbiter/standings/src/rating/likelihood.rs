//! The likelihood of games by the strengths of bots, for every model.

use super::bradley_terry::BradleyTerry;
use super::newton::{Concave, Slope};
use super::plackett_luce::{Choice, PlackettLuce};
use crate::choices::PARTS;
use crate::column::Column;
use crate::game::Entrant;
use crate::setup::Model;

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
    pub(crate) fn of_bots(model: Model, entrants: usize, games: &Column<'a>) -> Likelihood<'a> {
        match model {
            Model::BradleyTerry => {
                Likelihood::BradleyTerry(BradleyTerry::of_bots(entrants, &games.meetings))
            }
            Model::PlackettLuce => Likelihood::Rankings(of_rankings(entrants, games)),
            Model::PlackettLucePairs => Likelihood::Pairs(of_pairs(entrants, games)),
        }
    }

    /// Likelihood of games of two seats, by the advantage of the first one, too.
    pub(crate) fn of_seats(entrants: usize, games: &Column<'a>) -> Likelihood<'a> {
        Likelihood::BradleyTerry(BradleyTerry::of_bots_and_seats(entrants, &games.meetings))
    }

    /// Likelihood of some of the games, by the same parameters.
    pub(crate) fn of_some(&self, games: &Column<'a>) -> Likelihood<'a> {
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

impl Concave for Likelihood<'_> {
    fn parameters(&self) -> usize {
        match self {
            Likelihood::BradleyTerry(games) => games.parameters(),
            Likelihood::Rankings(games) | Likelihood::Pairs(games) => games.parameters(),
        }
    }

    fn evaluate(&self, at: &[f64], slope: &mut Slope) {
        match self {
            Likelihood::BradleyTerry(games) => games.evaluate(at, slope),
            Likelihood::Rankings(games) | Likelihood::Pairs(games) => games.evaluate(at, slope),
        }
    }
}

fn of_rankings<'a>(entrants: usize, games: &Column<'a>) -> PlackettLuce<'a> {
    let parts = PARTS as f64;
    let mut chosen = vec![0.0; entrants];
    for (bot, times) in &games.chosen {
        chosen[bot.0] += times / parts;
    }
    let choice = |(among, times): &(&'a [Entrant], f64)| Choice::Many(among, times / parts);
    PlackettLuce { chosen, choices: games.among.iter().map(choice).collect() }
}

fn of_pairs<'a>(entrants: usize, games: &Column<'_>) -> PlackettLuce<'a> {
    let mut chosen = vec![0.0; entrants];
    for meeting in &games.meetings {
        chosen[meeting.first.0] += meeting.won + meeting.drawn / 2.0;
        chosen[meeting.second.0] += meeting.lost + meeting.drawn / 2.0;
    }
    let pairs = games.meetings.iter();
    let choices =
        pairs.map(|meeting| Choice::Two([meeting.first, meeting.second], meeting.games()));
    PlackettLuce { chosen, choices: choices.collect() }
}
