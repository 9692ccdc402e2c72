//! Whether games show that one of several players is better than all others.

use standings::{LeadClarity, Leads};

#[test]
fn each_pair_has_its_own_lead() {
    let mut leads = Leads::new(4);
    for deal in 0..8 {
        leads.add(deal, &[1.0, 5.0, 1.0, if deal == 0 { 6.0 } else { 2.0 }]);
    }
    assert_eq!(leads.clarity(1, 0), LeadClarity::Shown);
    assert_eq!(leads.clarity(2, 1), LeadClarity::Shown);
    assert_eq!(leads.clarity(0, 2), LeadClarity::Open { more_games: None });
    // One deal of eight differs: of nine, the interval counts.
    assert!(matches!(leads.clarity(1, 3), LeadClarity::Open { more_games: Some(1..) }));
    assert_eq!(leads.clarity(1, 7), LeadClarity::Open { more_games: None });
}

/// Returns a number that looks random, from 0 to below 1, by splitmix64.
fn drawn(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns the share of matches in which a leader is shown to be best, although the first players are equal and the
/// others have `behind` points less.
fn false_leaders(players: usize, equal: usize, behind: f64, deals: u64) -> f64 {
    const MATCHES: usize = 6000;
    let mut state = 7;
    let wrong = (0..MATCHES).filter(|_| {
        let mut leads = Leads::new(players);
        let mut totals = vec![0.0; players];
        for deal in 0..deals {
            let points: Vec<f64> = (0..players)
                .map(|player| {
                    let luck: f64 = (0..4).map(|_| drawn(&mut state)).sum();
                    luck - if player < equal { 0.0 } else { behind }
                })
                .collect();
            totals.iter_mut().zip(&points).for_each(|(total, points)| *total += points);
            leads.add(deal, &points);
        }
        let best = (0..players).max_by(|one, other| totals[*one].total_cmp(&totals[*other]));
        best.is_some_and(|best| {
            (0..players)
                .filter(|other| *other != best)
                .all(|other| leads.clarity(best, other) == LeadClarity::Shown)
        })
    });
    wrong.count() as f64 / MATCHES as f64
}

/// A best player was named in every match of three and more, by the sum of its points alone.
#[test]
fn equal_players_are_told_apart_in_one_match_of_twenty_at_most() {
    let two = false_leaders(2, 2, 0.0, 20);
    println!("two equal players: {two}");
    assert!((0.042..0.058).contains(&two), "{two}");
    for (players, equal, behind) in [(3, 2, 9.0), (3, 3, 0.0), (6, 6, 0.0), (4, 2, 0.3)] {
        let share = false_leaders(players, equal, behind, 20);
        println!("{players} players, {equal} of them equal: {share}");
        assert!(share < 0.058, "{players} players, {equal} of them equal: {share}");
    }
}
