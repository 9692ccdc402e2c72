//! The input of Tablić's expert: for each class of cards in the hand the features of the best move with
//! it, and for each seat the features of the value at the end of a deal.

use bots::tablic::classes::ClassMove;
use bots::tablic::expert::beliefs::{self, MoveFeatures};
use bots::tablic::expert::position::{self, DealPosition, deals};
use bots::tablic::minimax::SeatKnowledge;
use rules::Request;
use rules::tablic::{Move, Tablic};

use super::{ChoiceFeatures, DecisionReader, ExpertFeatures, named};
use crate::export::rows::Cell;

impl ExpertFeatures for Tablic {
    fn columns(seats: usize) -> Vec<String> {
        let of_seats = (0..seats).flat_map(|seat| named(format!("value_{seat}"), &position::NAMES));
        let of_deal = ["deals_left".to_owned()].into_iter().chain(of_seats);
        of_deal.chain(named("move", &beliefs::NAMES)).collect()
    }

    /// The best move with each class of cards, but with the class that was played the move that was made.
    fn choices(
        request: &Request<Tablic>,
        mv: &Move,
        reader: &mut DecisionReader,
    ) -> Option<Vec<ChoiceFeatures>> {
        let start = SeatKnowledge::read(request)?;
        let made = ClassMove::new(*mv, start.table);
        let unseen = start.unseen.plus(start.hand);
        let inclinations = MoveFeatures::of_table(start.table, unseen, made, &mut reader.greed);
        let seats = start.points.len();
        let position = DealPosition::from_start(&start);
        let mut of_deal = vec![Cell::from(deals(request.view.talon as usize, seats))];
        of_deal.extend(
            (0..seats).flat_map(|seat| position::features(&position, seat)).map(Cell::Real),
        );
        let choice = |class| {
            let was_made = class == made.played;
            let choice = match was_made {
                true => *mv,
                false => {
                    let best = reader.greed.with(class, start.table);
                    best.with_cards(request.view.hand, request.view.table)?
                }
            };
            let own = inclinations.features(class, start.hand).map(Cell::Real);
            let features = of_deal.iter().cloned().chain(own).collect();
            Some(ChoiceFeatures { text: choice.to_string(), was_made, features })
        };
        start.hand.classes().iter().map(choice).collect()
    }
}
