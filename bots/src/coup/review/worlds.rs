//! Worlds of a review: the hands of the other seat that agree with all that it has done.

use rules::Request;
use rules::coup::{Counts, Coup, possible_hands};

use crate::coup::expert::decision::Decision;
use crate::coup::expert::position::Position;
use crate::coup::expert::suspicion::{Manner, Suspicion};
use crate::coup::minimax::belief::Weights;
use crate::coup::minimax::holding::Holding;

/// The hands that the other seat may hold, each with the probability of it and those before.
#[derive(Debug)]
pub(super) struct Worlds(Vec<(u8, f64)>);

impl Worlds {
    /// The hands of a seat that plays in this manner; `None` if it can hold none.
    pub(super) fn read(
        request: &Request<Coup>,
        decision: &Decision,
        manner: Manner<'_>,
    ) -> Option<Worlds> {
        let Request { heading, view, .. } = request;
        let mut suspicion = Suspicion::new(heading.seat, [(manner, 1.0)])?;
        suspicion.follow(request)?;
        let own: Counts = view.hand.into_iter().collect();
        if suspicion.own() != own {
            return None;
        }
        let mut weights = suspicion.hands();
        if weights.iter().sum::<f64>() <= 0.0 {
            // It has done what the table never does; its cards are what they can be.
            weights = all_possible(request)?;
        }
        let mut until = 0.0;
        let mut hands: Vec<(u8, f64)> = decision
            .hands(weights)
            .map(|(hand, weight)| {
                until += weight;
                (hand, until)
            })
            .collect();
        hands.iter_mut().for_each(|(_, sum)| *sum /= until);
        (!hands.is_empty()).then_some(Worlds(hands))
    }

    /// The state with the hand of the other seat that is at this point, from 0 to 1.
    pub(super) fn at(&self, point: f64, decision: &Decision) -> Option<Position> {
        let Worlds(hands) = self;
        let place = hands.partition_point(|(_, until)| *until <= point);
        let (hand, _) = hands.get(place).or(hands.last())?;
        Some(decision.with_hand(*hand))
    }
}

fn all_possible(request: &Request<Coup>) -> Option<Weights> {
    let mut weights = [0.0; Holding::COUNT];
    for (hand, chance) in possible_hands(request.heading.seat, &request.events()) {
        weights[Holding::new(hand)?.index()] += chance;
    }
    Some(weights)
}
