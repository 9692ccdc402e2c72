//! The habits by which the expert of Durak plays its trials.

use bots::durak::expert::features::{FEATURES, STAGES, Scene, Shape};
use bots::durak::expert::habits::{Habits, KINDS, Kind, Weights};
use bots::durak::search::playout::PlayOutPolicy;
use bots::durak::search::position::Play;
use bots::durak::search::start::Start;
use bots::search::Determinise;
use rules::Seed;

use crate::durak::in_process::{Deal, OPTIONS};

/// Weights without a pattern.
fn some_weights() -> Weights {
    let mut nature = Seed([4; 32]).nature(0);
    let mut weights = [[[0; FEATURES]; STAGES]; KINDS];
    let bound = std::num::NonZeroU32::MIN.saturating_add(400);
    for weight in weights.as_flattened_mut().as_flattened_mut() {
        *weight = nature.below(bound) as i16 - 200;
    }
    weights
}

#[test]
fn they_play_what_the_features_weigh_most() {
    let weights = some_weights();
    let mut seen = 0;
    for options in OPTIONS {
        Deal::new(options, 5).play_on(|deal, seat| {
            let request = deal.request(seat);
            let start = Start::read(&request).expect("a request that fits");
            let (position, world) =
                start.draw(&mut request.heading.seed.nature()).expect("a world");
            let (habits, shape) =
                (Habits::new(&weights, &request.options), Shape::new(request.options.deck()));
            let scene = Scene::new(&position, &world);
            let score = |play: Play| {
                let row = &weights[Kind::of(play, &position) as usize][scene.stage];
                let features = scene.features(&position, &world, &shape, play)?;
                Some(row.iter().zip(features).map(|(w, x)| i32::from(*w) * x).sum::<i32>())
            };
            let best = |play: Play| score(play).unwrap_or(0);
            let chosen = habits.choose(&position, &world);
            let choices = position.choices(&world);
            assert!(choices.contain(chosen), "{options}: {chosen:?} of {choices:?}");
            assert_eq!(Some(best(chosen)), choices.plays().map(best).max());
            seen += 1;
        });
    }
    assert!(seen > 500);
}

/// The hidden cards change nothing as long as the seat that chooses cannot tell.
#[test]
fn they_see_only_what_the_seat_can_know() {
    for options in OPTIONS {
        Deal::new(options, 6).play_on(|deal, seat| {
            let request = deal.request(seat);
            let start = Start::read(&request).expect("a request that fits");
            let habits = Habits::learned(&request.options);
            let mut nature = request.heading.seed.nature();
            let mut chosen = start
                .worlds(5, &mut nature)
                .map(|(position, world)| habits.choose(&position, &world));
            let first = chosen.next();
            assert!(chosen.all(|other| Some(other) == first), "{options}");
        });
    }
}
