//! The input of Durak's expert: the features of each legal move that its habits weigh.

use bots::durak::expert::habits::MoveKind;
use bots::durak::expert::weights::{CardHeights, FEATURES, NAMES, TurnView};
use bots::durak::search::knowledge::RootKnowledge;
use rules::Request;
use rules::durak::{Durak, Move};
use search::WorldSampler;

use super::{ChoiceFeatures, DecisionReader, ExpertFeatures};
use crate::export::rows::Cell;

impl ExpertFeatures for Durak {
    fn columns(_seats: usize) -> Vec<String> {
        ["kind", "stage"].into_iter().chain(NAMES).map(str::to_owned).collect()
    }

    /// Every legal move; one without a card has no features, and weighs nothing.
    fn choices(
        request: &Request<Durak>,
        made: &Move,
        _reader: &mut DecisionReader,
    ) -> Option<Vec<ChoiceFeatures>> {
        let start = RootKnowledge::read(request)?;
        // The seat sees the same in all worlds that fit, so any of them will do.
        let (position, world) = start.draw(&mut request.heading.seed.nature())?;
        let (scene, shape) =
            (TurnView::new(&position, &world), CardHeights::new(request.options.deck()));
        let choice = |mv: &Move| {
            let play = start.play(*mv);
            let features = scene.features(&position, &world, &shape, play);
            let kind = match features {
                Some(_) => MoveKind::classify(play, &position).name(),
                None => "pass",
            };
            let features = features.unwrap_or([0; FEATURES]).map(Cell::Whole);
            let before = [Cell::Text(kind.to_owned()), Cell::Number(scene.stage as u64)];
            let features = before.into_iter().chain(features).collect();
            ChoiceFeatures { text: mv.to_string(), was_made: mv == made, features }
        };
        Some(request.legal.iter().map(choice).collect())
    }
}
