//! What statistics count beside points, and the order of players that a seed gives.

use rules::conformance::conform;
use rules::tablic::{Event, Options, Tablic};
use rules::{Game, GameKind, Nature, Seed};

#[test]
fn tablic_counts_what_its_scores_say() {
    let mut with_most = 0;
    for seed in 0..20 {
        let played = conform::<Tablic>(&Options::default(), seed).unwrap();
        let scores = played.events.iter().filter_map(|event| match event {
            Event::Score { seat, tally } => Some((*seat, *tally)),
            _ => None,
        });
        for (seat, tally) in scores {
            assert_eq!(played.game.counts(seat), [tally.tablas, u32::from(tally.most)]);
            with_most += u32::from(tally.most);
        }
    }
    assert!((10..=20).contains(&with_most), "{with_most} of 20 games");
    assert_eq!(GameKind::of::<Tablic>().about().counts, ["tablas", "most cards"]);
}

#[test]
fn orders_of_players_have_a_stream_of_their_own() {
    let seed = Seed([5; 32]);
    let bound = 1_000_000.try_into().unwrap();
    let drawn = |mut nature: Nature| -> Vec<u32> { (0..4).map(|_| nature.below(bound)).collect() };
    assert_eq!(drawn(seed.order(3)), drawn(seed.order(3)));
    assert_ne!(drawn(seed.order(3)), drawn(seed.order(4)));
    assert_ne!(drawn(seed.order(3)), drawn(seed.nature(3)));
}
