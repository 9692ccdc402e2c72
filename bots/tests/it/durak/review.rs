//! Reviews of Durak.

use std::time::{Duration, Instant};

use bots::durak::DurakReviewer;
use bots::review::{Certainty, NotReviewed, Reviewer, reviewer, usual_worlds};
use bots::{AnyPlayer, NoMove, Player};
use rules::durak::{Durak, Move};
use rules::{Card, GameKind, Request};

use crate::decisions::{Decision, costliest, given_away, in_game, in_games, makes_sense, player};
use crate::durak::in_process::{Deal, OPTIONS};

const EXPERT: &str = "expert --worlds 200 --positions 100000 --time none";
const MINIMAX: &str = "minimax --worlds 50 --positions 100000 --time none";

#[test]
fn equal_requests_have_equal_reviews_whether_the_reviewer_was_kept_or_not() {
    let mut kept = DurakReviewer::default();
    for options in ["seats=2 transfer=on", "seats=3 deck=24"] {
        Deal::new(options, 3).play_on(|deal, seat| {
            let request = deal.request(seat);
            let played = request.legal[0];
            let fresh = DurakReviewer::default().review(&request, &played, 20);
            assert_eq!(kept.review(&request, &played, 20), fresh);
            assert_eq!(kept.review(&request, &played, 20), fresh);
        });
    }
}

#[test]
fn games_with_all_options_are_reviewed() {
    let mut review = DurakReviewer::default();
    let mut phases = Vec::new();
    for options in OPTIONS {
        Deal::new(options, 5).play_on(|deal, seat| {
            let request = deal.request(seat);
            let played = request.legal[request.legal.len() / 2];
            let reviewed = review.review(&request, &played, 10).unwrap();
            makes_sense(&reviewed, &played);
            let moves: Vec<Move> = reviewed.moves.iter().map(|rated| rated.mv).collect();
            assert_eq!(moves, request.legal, "{options}");
            for better in moves.iter().filter(|mv| **mv != played) {
                let words = review.difference(&request, &played, better);
                assert!(words.len() <= 80, "{words}");
            }
            phases.push(review.phase(&request));
        });
    }
    phases.sort_unstable();
    phases.dedup();
    assert_eq!(phases, ["attack", "defence", "endgame", "throwing in"]);
}

#[test]
fn worse_players_give_more_away() {
    let mut review = DurakReviewer::default();
    let players = ["random", "greedy", MINIMAX, EXPERT];
    let mut decisions = in_games("seats=2", &[players[0], players[1]], 6);
    decisions.extend(in_games("seats=2", &[players[2], players[1]], 8));
    decisions.extend(in_games("seats=2", &[players[2], players[3]], 10));
    let means = given_away(&mut review, &decisions, 100);
    println!("{means:?}");
    let order = players.map(|name| means[name]);
    assert!(order.is_sorted_by(|one, other| one > other), "{means:?}");
}

/// Plays as the expert, but takes the table rather than beat with a trump.
struct Miser(AnyPlayer<Durak>);

impl Player<Durak> for Miser {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let mv = self.0.choose(request)?;
        let trumps = request.view.trump.map(Card::suit);
        match mv {
            Move::Beat(card) if Some(card.suit()) == trumps => Ok(Move::Take),
            other => Ok(other),
        }
    }
}

#[test]
fn the_planted_mistake_is_the_costliest_difference() {
    let mut decisions = Vec::new();
    for deal in 0..12 {
        let mut players: Vec<(&str, AnyPlayer<Durak>)> =
            vec![("miser", Box::new(Miser(player(EXPERT)))), ("other", player("greedy"))];
        players.rotate_left(deal as usize % 2);
        decisions.extend(in_game("seats=2", deal, players));
    }
    decisions.retain(|decision| decision.name == "miser");
    let costs = costliest(&mut DurakReviewer::default(), &decisions, 200);
    println!("{costs:#?}");
    assert_eq!(costs[0].0, "takes the table instead of beating with a trump");
    assert!(costs[0].1 > 2.0 * costs[1].1, "{costs:?}");
}

#[test]
fn ends_are_exact_and_the_best_move_keeps_its_value() {
    /// Plays the best move of a review.
    struct Perfect(DurakReviewer);
    impl Player<Durak> for Perfect {
        fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
            let reviewed = self.0.review(request, &request.legal[0], 5).map_err(|_| NoMove)?;
            Ok(reviewed.moves[reviewed.best()].mv)
        }
    }
    let mut review = DurakReviewer::default();
    let mut exact = 0;
    for (deal, options) in (0..3).flat_map(|deal| OPTIONS[..6].iter().map(move |it| (deal, it))) {
        let perfect = || Box::new(Perfect(DurakReviewer::default())) as AnyPlayer<Durak>;
        let mut value = None;
        for Decision { request, played, .. } in
            in_game(options, deal, vec![("one", perfect()), ("other", perfect())])
        {
            let reviewed = review.review(&request, &played, 5).unwrap();
            makes_sense(&reviewed, &played);
            if reviewed.certainty != Certainty::Exact {
                // With transfers a game may go back to where the search does not come to an end.
                assert!(value.is_none() || options.contains("transfer=on"), "{options}");
                value = None;
                continue;
            }
            exact += 1;
            assert!(request.view.talon < 2);
            assert_eq!(reviewed.given_away, 0.0);
            let share = reviewed.moves[reviewed.played].share;
            let for_first = if request.heading.seat.index() == 0 { share } else { 1.0 - share };
            assert_eq!(*value.get_or_insert(for_first), for_first, "{options}");
        }
    }
    assert!(exact > 100, "{exact}");
}

#[test]
fn large_packs_take_bounded_time() {
    let mut review = DurakReviewer::default();
    let mut most = Duration::ZERO;
    for options in ["seats=2 deck=52 transfer=on", "seats=6 deck=52 transfer=on first-limit=5"] {
        for Decision { request, played, .. } in in_games::<Durak>(
            options,
            &vec!["random"; Deal::new(options, 1).game.options().seats()],
            1,
        )
        .iter()
        .step_by(3)
        {
            let start = Instant::now();
            makes_sense(&review.review(request, played, 200).unwrap(), played);
            most = most.max(start.elapsed());
        }
    }
    println!("{most:.1?}");
    assert!(most < Duration::from_secs(60), "{most:.1?}");
}

#[test]
fn impossible_requests_are_refused_or_reviewed() {
    let mut review = DurakReviewer::default();
    for options in ["seats=2 transfer=on", "seats=4 deck=24"] {
        Deal::new(options, 4).play_on(|deal, seat| {
            let request = deal.request(seat);
            let mut wrong = vec![request.clone(); 9];
            wrong[0].history.clear();
            wrong[1].history.reverse();
            wrong[2].view.talon += 1;
            wrong[3].view.talon = u32::MAX;
            wrong[4].view.hands = vec![u32::MAX, 0].into();
            wrong[5].view.trump = None;
            wrong[6].view.gone = request.view.hands.seats().collect();
            wrong[7].view.hand = rules::CardSet::PACK;
            wrong[8].legal.clear();
            for changed in wrong {
                let played = request.legal[0];
                if let Ok(reviewed) = review.review(&changed, &played, 3) {
                    makes_sense(&reviewed, &played);
                }
                review.phase(&changed);
                review.difference(&changed, &played, &Move::Take);
            }
            // Listed moves that the rules do not allow.
            let mut other = request.clone();
            other.legal = request.options.deck().cards().iter().map(Move::Lead).collect();
            other.legal.extend([Move::Take, Move::Done]);
            for played in other.legal.clone() {
                let reviewed = review.review(&other, &played, 2);
                assert_eq!(reviewed.is_ok(), request.legal.contains(&played), "{played}");
            }
        });
    }
}

#[test]
fn a_move_that_is_listed_again_and_again_counts_once() {
    let (mut asked, mut review) = (0, DurakReviewer::default());
    Deal::new("seats=2", 5).play_on(|deal, seat| {
        let mut request = deal.request(seat);
        let listed = request.legal.clone();
        if listed.len() < 3 || asked == 3 {
            return;
        }
        asked += 1;
        request.legal = listed.iter().copied().cycle().take(50_000).collect();
        let reviewed = review.review(&request, &listed[1], 5).unwrap();
        assert_eq!(reviewed.moves.len(), listed.len());
    });
    assert_eq!(asked, 3);
}

#[test]
fn behind_text_only_legal_moves_are_reviewed() {
    let kind = GameKind::of::<Durak>();
    assert_eq!(usual_worlds(&kind), 2000);
    let mut reviews = reviewer(&kind).unwrap();
    Deal::new("seats=2", 6).play_on(|deal, seat| {
        let request = deal.request(seat);
        let (text, played) = (request.to_string(), request.legal[0].to_string());
        let opinion = reviews.review(&text, &played, 5).unwrap();
        let reviewed = &opinion.reviewed;
        assert_eq!(reviewed.moves[reviewed.played].mv, played);
        assert_eq!(opinion.difference.is_some(), reviewed.best() != reviewed.played);
        let unknown = reviews.review(&text, "nonsense", 5).err().unwrap().to_string();
        assert_eq!(unknown, NotReviewed::NotLegal.to_string());
    });
}
