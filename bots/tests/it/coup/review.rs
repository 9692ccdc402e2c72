//! Reviews of the decisions of Coup: their values, their words, and whom they blame for what.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bots::coup::{Coup, TableReviewer};
use bots::review::{Certainty, NotReviewed, ReviewedDecision, Reviewer, reviewing};
use bots::{AnyPlayer, NoMove, Player, Players};
use proptest::prelude::*;
use rules::coup::{Action, Character, Move, Options};
use rules::{BotSeed, GameTerms, Request, Seat, Seed};
use simulation::{TIME, play};

use crate::coup::sample_game::game_after;
use crate::samples;

const SEED: Seed = Seed([6; 32]);

type Decisions = Vec<(Request<Coup>, Move)>;

/// A player whose decisions are kept, and whose moves may be changed into others.
struct Kept {
    player: AnyPlayer<Coup>,
    change: fn(&Request<Coup>, Move) -> Move,
    decisions: Arc<Mutex<Decisions>>,
}

impl Player<Coup> for Kept {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        let mv = (self.change)(request, self.player.choose(request)?);
        let mut decisions = self.decisions.lock().expect("no panic in between");
        decisions.push((request.clone(), mv));
        Ok(mv)
    }
}

fn player(text: &str) -> AnyPlayer<Coup> {
    let mut words = text.split_ascii_whitespace().map(str::to_owned);
    let name = words.next().expect("a name");
    Coup::player(&name, &words.collect::<Vec<_>>()).expect("a player")
}

fn unchanged(_: &Request<Coup>, mv: Move) -> Move {
    mv
}

/// The decisions of a player, changed like this, in both games of some deals against another one.
fn decisions(
    name: &str,
    change: fn(&Request<Coup>, Move) -> Move,
    other: &str,
    deals: u64,
) -> Decisions {
    let decisions = Arc::new(Mutex::new(Vec::new()));
    for game in 0..deals * 2 {
        let deal = game / 2;
        let kept = Kept { player: player(name), change, decisions: Arc::clone(&decisions) };
        let mut players: Vec<AnyPlayer<Coup>> = vec![Box::new(kept), player(other)];
        if game % 2 == 1 {
            players.reverse();
        }
        let terms = GameTerms::even(SEED.name(game), 2, TIME, SEED.bots(deal));
        play(&Options::default(), &terms, &mut SEED.nature(deal), players).expect("a game");
    }
    std::mem::take(&mut *decisions.lock().expect("no panic in between"))
}

fn review(lines: &str, played: &str, worlds: u32) -> ReviewedDecision<Move> {
    let played = played.parse().expect("a move");
    let request = game_after(lines).request();
    TableReviewer::default().review(&request, &played, worlds).expect("a review")
}

/// The mean that was given away in a decision, in per cent.
fn given_away(decisions: &Decisions, worlds: u32) -> f64 {
    let mut reviewer = TableReviewer::default();
    let given = decisions.iter().map(|(request, played)| {
        reviewer.review(request, played, worlds).expect("a review").given_away
    });
    100.0 * given.sum::<f64>() / decisions.len() as f64
}

/// The difference that costs most in all decisions together.
fn most_costly(decisions: &Decisions, worlds: u32) -> String {
    let mut reviewer = TableReviewer::default();
    let mut costs: BTreeMap<String, f64> = BTreeMap::new();
    for (request, played) in decisions {
        let reviewed = reviewer.review(request, played, worlds).expect("a review");
        let best = reviewed.best();
        if best != reviewed.played {
            let words = reviewer.difference(request, played, &reviewed.moves[best].mv);
            *costs.entry(words).or_default() += reviewed.given_away;
        }
    }
    let mut costs: Vec<(String, f64)> = costs.into_iter().collect();
    costs.sort_by(|one, other| other.1.total_cmp(&one.1));
    costs.into_iter().next().expect("a difference").0
}

#[test]
fn equal_requests_have_equal_reviews_and_others_do_not() {
    let decisions = decisions("minimax --depth 1", unchanged, "greedy", 1);
    let mut reviewer = TableReviewer::default();
    let mut differ = 0;
    for (request, played) in &decisions {
        let reviewed = reviewer.review(request, played, 40);
        assert_eq!(TableReviewer::default().review(request, played, 40), reviewed);
        let mut other = request.clone();
        other.heading.seed = BotSeed([9; 8]);
        differ += usize::from(reviewer.review(&other, played, 40) != reviewed);
    }
    assert!(differ * 2 > decisions.len());
}

#[test]
fn the_move_played_is_always_there_and_values_are_parts_of_a_win() {
    let mut reviewer = TableReviewer::default();
    let pairs = [("random", "random"), ("challenger", "greedy"), ("greedy", "challenger")];
    let all = pairs.map(|(name, other)| decisions(name, unchanged, other, 40));
    for (request, played) in all.into_iter().flatten() {
        let reviewed = reviewer.review(&request, &played, 2).expect("a review");
        assert_eq!(reviewed.moves[reviewed.played].mv, played);
        assert_eq!(reviewed.moves[reviewed.played].lead, 0.0);
        assert_eq!(reviewed.moves[reviewed.played].lead_error, 0.0);
        for rated in &reviewed.moves {
            assert!((0.0..=1.0).contains(&rated.share), "{rated:?}");
            assert!(request.legal.contains(&rated.mv));
            let words = reviewer.difference(&request, &played, &rated.mv);
            assert!(words.len() <= 80 && words.is_ascii(), "{words}");
        }
    }
}

#[test]
fn hands_in_another_order_are_one_move() {
    let lines = "deal 0 duke captain; deal 1 duke captain; exchange; pass; draw 0 duke contessa";
    let legal = game_after(lines).request().legal;
    for played in ["keep captain contessa", "keep contessa captain"] {
        let reviewed = review(lines, played, 20);
        assert_eq!(reviewed.moves[reviewed.played].mv.to_string(), played);
        assert!(reviewed.moves.len() < legal.len());
        let mut kept: Vec<Vec<Character>> = Vec::new();
        for rated in &reviewed.moves {
            let Move::Keep(cards) = rated.mv else { unreachable!("an exchange") };
            let mut cards: Vec<Character> = cards.into_iter().collect();
            cards.sort();
            assert!(!kept.contains(&cards));
            kept.push(cards);
        }
    }
}

#[test]
fn what_is_certain_costs_what_it_must() {
    let last = "deal 0 duke assassin; deal 1 captain duke; tax; challenge; show duke; \
                draw 0 contessa; lose captain; end; income; assassinate 1";
    let reviewed = review(last, "lose duke", 100);
    assert_eq!(reviewed.moves[reviewed.played].share, 0.0, "its last card");
    let believed = reviewed.moves[reviewed.best()].share;
    assert!(believed > 0.0 && believed < 0.9, "{reviewed:?}");
    let rich = "deal 0 duke assassin; deal 1 captain duke; tax; challenge; show duke; \
                draw 0 contessa; lose captain; end; income; tax; pass; end; income";
    let reviewed = review(rich, "income", 100);
    assert_eq!(reviewed.moves[reviewed.best()].mv.to_string(), "coup 1");
    assert_eq!(reviewed.moves[reviewed.best()].share, 1.0);
    let mut request = game_after(rich).request();
    request.legal.retain(|mv| matches!(mv, Move::Act(Action::Coup(_))));
    let only = request.legal[0];
    let reviewed = TableReviewer::default().review(&request, &only, 0).expect("nothing to sample");
    assert_eq!((reviewed.certainty, reviewed.loss()), (Certainty::Exact, 0.0));
}

#[test]
fn phases_and_differences() {
    let reviewer = TableReviewer::default();
    let dealt = |lines: &str| format!("deal 0 duke captain; deal 1 duke assassin{lines}");
    for (lines, played, better, phase, difference) in [
        ("", "income", "tax", "action", "takes income where a tax would be better"),
        ("", "exchange", "tax", "action", "bluffs as ambassador"),
        (
            "",
            "tax",
            "exchange",
            "action",
            "takes a tax where a bluff as ambassador would be better",
        ),
        ("; tax", "challenge", "pass", "challenge", "challenges a duke"),
        ("; exchange", "pass", "challenge", "challenge", "does not challenge an ambassador"),
        (
            "; foreign-aid",
            "pass",
            "block duke",
            "block",
            "does not block foreign aid with the duke it holds",
        ),
        ("; steal 1", "block captain", "pass", "block", "blocks a theft as captain in a bluff"),
        (
            "; steal 1",
            "pass",
            "block ambassador",
            "block",
            "does not block a theft as ambassador in a bluff",
        ),
        (
            "; foreign-aid; block duke",
            "challenge",
            "pass",
            "challenge",
            "challenges a block by a duke",
        ),
        (
            "; exchange; challenge",
            "lose duke",
            "lose captain",
            "loss",
            "loses the duke and keeps the captain",
        ),
        (
            "; exchange; pass; draw 0 duke contessa",
            "keep duke captain",
            "keep contessa duke",
            "exchange",
            "keeps the captain, puts back the contessa",
        ),
    ] {
        let request = game_after(&dealt(lines)).request();
        let [played, better]: [Move; 2] = [played, better].map(|mv| mv.parse().expect("a move"));
        assert!([played, better].iter().all(|mv| request.legal.contains(mv)), "{lines}");
        assert_eq!(reviewer.phase(&request), phase);
        assert_eq!(reviewer.difference(&request, &played, &better), difference);
    }
}

#[test]
fn weaker_players_give_more_away() {
    let mean = |name: &str, deals: u64| {
        let opponents = ["greedy", "minimax --depth 1", "expert --safe"];
        let all = opponents.iter().flat_map(|other| decisions(name, unchanged, other, deals));
        given_away(&all.collect(), 60)
    };
    let (random, greedy) = (mean("random", 15), mean("greedy", 15));
    let (minimax, safe) = (mean("minimax --depth 1", 15), mean("expert --safe", 15));
    let punishing = mean("expert --trust 85", 15);
    assert!(random > greedy && greedy > minimax, "{random} {greedy} {minimax}");
    // It departs from the table to win more against weaker players.
    assert!(punishing > safe && safe < greedy, "{punishing} {safe}");
}

fn never_coups(request: &Request<Coup>, mv: Move) -> Move {
    let income = Move::Act(Action::Income);
    match mv {
        Move::Act(Action::Coup(_)) if request.legal.contains(&income) => income,
        _ => mv,
    }
}

fn challenges_dukes(request: &Request<Coup>, mv: Move) -> Move {
    let is_tax = request.view.action == Some(Action::Tax);
    if is_tax && request.legal.contains(&Move::Challenge) { Move::Challenge } else { mv }
}

fn never_takes_tax(request: &Request<Coup>, mv: Move) -> Move {
    let has_duke = request.view.hand.contains(Character::Duke);
    if has_duke && mv == Move::Act(Action::Tax) { Move::Act(Action::Income) } else { mv }
}

#[test]
fn a_planted_mistake_costs_most() {
    let costly = |change| most_costly(&decisions("expert --safe", change, "expert --safe", 25), 60);
    assert_eq!(costly(never_coups), "does not coup");
    assert_eq!(costly(challenges_dukes), "challenges a duke");
    assert_eq!(costly(never_takes_tax), "takes income where a tax would be better");
}

#[test]
fn habits_change_values() {
    let request = game_after("deal 0 contessa ambassador; deal 1 duke captain").request();
    let tax = Move::Act(Action::Tax);
    let tax_share = |reviewed: ReviewedDecision<Move>| reviewed.moves[reviewed.played].share;
    let mut reviewer = TableReviewer::default();
    assert_eq!(reviewer.review_habits(&request, &tax, 50), Ok(None), "nothing was learnt");
    let table = tax_share(reviewer.review(&request, &tax, 400).expect("a review"));
    for (request, played) in decisions("challenger", unchanged, "greedy", 20) {
        reviewer.learn(&request, &played).expect("a decision");
    }
    let by_habits = reviewer.review_habits(&request, &tax, 400).expect("a review");
    let by_habits = tax_share(by_habits.expect("habits"));
    let honest = Move::Act(Action::Income);
    let honest = reviewer.review_habits(&request, &honest, 400).expect("a review");
    let honest = honest.expect("habits");
    assert!(honest.moves[honest.played].share > by_habits, "a bluff is always challenged");
    // The other values stay as they were.
    assert_eq!(tax_share(reviewer.review(&request, &tax, 400).expect("a review")), table);
}

#[test]
fn requests_that_contradict_themselves_are_refused() {
    let mut reviewer = TableReviewer::default();
    let lines = "deal 0 contessa ambassador; deal 1 duke captain; income; tax";
    let request = game_after(lines).request();
    assert_eq!(reviewer.review(&request, &Move::End, 5), Err(NotReviewed::NotLegal));
    assert_eq!(reviewer.review(&request, &Move::Pass, 0), Err(NotReviewed::NoWorld));
    let changes: [fn(&mut Request<Coup>); 9] = [
        |request| request.history.clear(),
        |request| request.history.truncate(3),
        |request| request.heading.seat = Seat::new(1).expect("a seat"),
        |request| request.heading.seat = Seat::new(40).expect("a seat"),
        |request| request.view.hand = "duke duke".parse().expect("a hand"),
        |request| request.view.hand = "duke".parse().expect("a hand"),
        |request| request.view.coins = vec![u32::MAX, 4].into(),
        |request| request.view.decisions = u32::MAX,
        |request| request.legal.push(Move::Show(Character::Duke)),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut request = request.clone();
        change(&mut request);
        let refused = reviewer.review(&request, &Move::Pass, 5);
        assert_eq!(refused, Err(NotReviewed::NoWorld), "{number}");
        assert!(reviewer.learn(&request, &Move::Pass).is_err(), "{number}");
    }
}

#[test]
fn every_sample_request_can_be_reviewed_as_text() {
    let mut reviewer = reviewing(TableReviewer::default());
    for (name, text) in samples::coup::all() {
        let request: Request<Coup> = text.parse().expect("a request");
        for mv in &request.legal {
            let opinion = reviewer.review(&text, &mv.to_string(), 3).expect(name);
            assert_eq!(opinion.by_habits, None);
            assert_eq!(opinion.difference.is_some(), opinion.reviewed.loss() > 0.0);
        }
    }
    for (name, text) in samples::coup::all() {
        let request: Request<Coup> = text.parse().expect("a request");
        let played = request.legal[0].to_string();
        reviewer.learn(&text, &played).expect(name);
        let opinion = reviewer.review(&text, &played, 3).expect(name);
        let by_habits = opinion.by_habits.expect("habits");
        assert_eq!(by_habits.moves.len(), opinion.reviewed.moves.len());
    }
    assert!(reviewer.review("", "pass", 3).is_err());
    assert!(reviewer.learn("coup", "pass").is_err());
}

proptest! {
    /// Lines taken out of a request, repeated, or put elsewhere.
    #[test]
    fn any_request_is_reviewed_or_refused(
        sample in 0..18usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3u8), 1..4),
    ) {
        let (_, text) = samples_once().swap_remove(sample);
        let mut lines: Vec<&str> = text.lines().collect();
        for (from, to, edit) in &edits {
            let (from, to) = (from.index(lines.len()), to.index(lines.len()));
            match edit {
                0 => lines[to] = lines[from],
                1 => lines.swap(from, to),
                _ => drop(lines.remove(from)),
            }
        }
        let text = lines.join("\n") + "\n";
        let Ok(request) = text.parse::<Request<Coup>>() else { return Ok(()) };
        let mut reviewer = TableReviewer::default();
        for mv in &request.legal {
            let _ = reviewer.learn(&request, mv);
            if let Ok(reviewed) = reviewer.review(&request, mv, 2) {
                prop_assert_eq!(reviewed.moves[reviewed.played].mv, *mv);
            }
            let _ = reviewer.review_habits(&request, mv, 2);
        }
    }
}

fn samples_once() -> Vec<(&'static str, String)> {
    static SAMPLES: std::sync::LazyLock<Vec<(&'static str, String)>> =
        std::sync::LazyLock::new(samples::coup::all);
    SAMPLES.clone()
}
