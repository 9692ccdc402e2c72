//! Events that a killed program did not write follow from the log, and suspect forfeits and marks of games are shown.

use league::events;
use league::events::{LeagueEvent, add_lost};
use league::folder::LeagueFolder;
use league::forget::forget;
use league::index::LeagueIndex;
use league::line::{LeagueLine, ReinstateLine, ReplayLine, RetireLine, VoidLine};
use league::participants::{self, InvitationRequest};
use league::replay_request::GameMarks;
use rules::GameKind;
use rules::tablic::Tablic;
use serde_json::json;
use tempfile::TempDir;

use crate::made::{MadeLeague, STARVED};
use crate::{SMALL, small};

fn empty() -> (TempDir, MadeLeague) {
    let folder = TempDir::new().expect("a folder");
    let league = MadeLeague::new(&folder.path().join("class"), &GameKind::of::<Tablic>());
    (folder, league)
}

fn event_lines(folder: &LeagueFolder) -> Vec<String> {
    let mut last = events::latest(folder, 100, None, None).expect("events");
    last.reverse();
    last.iter().map(|it| it.happened.event.in_words()).collect()
}

fn lost(league: &MadeLeague, index: Option<&LeagueIndex>) -> usize {
    add_lost(&league.folder, &league.league(), index).expect("a log")
}

/// A program could be killed after the line of the log and before the event, which was lost then.
#[test]
fn events_lost_by_a_kill_are_derived_from_the_log_once() {
    let (_folder, mut league) = empty();
    let ann = league.enter("ann", "greedy");
    assert_eq!(lost(&league, None), 0, "a league without events stays without");
    events::add(&league.folder, LeagueEvent::Entered(ann));
    assert_eq!(lost(&league, None), 0);
    league.enter("ben", STARVED);
    league.enter("cem", "greedy");
    assert_eq!(lost(&league, None), 2);
    assert_eq!(event_lines(&league.folder)[1..], ["ben@1 has entered", "cem@1 has entered"]);
    let index = league.run(1, SMALL);
    let reason = || "a flood".to_owned();
    let void = VoidLine { round: Some(0), games: vec![0, 1], bot: None, reason: reason() };
    let after = league.append(LeagueLine::Void(void)).expect("it fits");
    let void = after.corrections().all()[0].digest;
    let lines = [
        LeagueLine::Reinstate(ReinstateLine { void, reason: reason() }),
        LeagueLine::Void(VoidLine {
            round: Some(0),
            games: vec![0, 1],
            bot: None,
            reason: reason(),
        }),
        LeagueLine::Replay(ReplayLine { round: 0, games: vec![0, 1], reason: reason() }),
    ];
    lines.into_iter().for_each(|line| drop(league.append(line).expect("it fits")));
    let bot = league.league().current("ben").expect("it plays").entry.bot.clone();
    let left = RetireLine::Reason { bot, reason: reason(), disqualified: true };
    league.append(LeagueLine::Retire(left)).expect("it fits");
    // A round is told by the program that plays, which has the standings.
    assert!(lost(&league, Some(&index)) >= 6);
    let all = event_lines(&league.folder);
    assert!(all[3].starts_with("round 0 finished after 8 games, "), "{all:?}");
    assert!(all[4].starts_with("ben@1 has forfeited "), "{all:?}");
    assert!(all[4].ends_with(" of them suspect: the machine was busy"), "{all:?}");
    let expected = [
        "games 0, 1 in round 0: void (a flood)",
        "games 0, 1 in round 0: reinstated (a flood)",
        "games 0, 1 in round 0: void (a flood)",
        "games 0, 1 in round 0: to be replayed (a flood)",
        "ben@1 was disqualified: a flood",
    ];
    assert_eq!(all[5..], expected);
    assert_eq!((lost(&league, Some(&index)), lost(&league, None)), (0, 0));
    assert_eq!(event_lines(&league.folder), all);
}

/// The reason of an event that was forgotten differs from that in the log.
#[test]
fn a_forgotten_event_is_not_derived_again() {
    let (_folder, mut league) = empty();
    let anna = InvitationRequest { name: "anna", member: None, person: None };
    participants::invite(&league.folder, &anna).expect("a token");
    let bot = league.enter("anna", "greedy");
    let (reason, disqualified) = ("asked to".to_owned(), false);
    let line = RetireLine::Reason { bot: bot.clone(), reason: reason.clone(), disqualified };
    league.append(LeagueLine::Retire(line)).expect("it fits");
    events::add(&league.folder, LeagueEvent::Left { bot, reason, disqualified });
    forget(&league.folder, "anna").expect("it has left");
    assert_eq!(lost(&league, None), 0);
    assert_eq!(event_lines(&league.folder), ["anna@1 has left: -"]);
}

#[test]
fn games_of_a_round_have_marks_for_programs() {
    let (_folder, mut league) = small();
    let reason = || "a flood".to_owned();
    league
        .append(LeagueLine::Void(VoidLine {
            round: Some(0),
            games: vec![0, 1, 2, 3, 6],
            bot: None,
            reason: reason(),
        }))
        .expect("it fits");
    let line = ReplayLine { round: 0, games: vec![0, 1], reason: reason() };
    league.append(LeagueLine::Replay(line)).expect("it fits");
    let now = league.league();
    let seed = league.seed(now.rounds().len() as u64).commitment();
    let line = league::rounds::next_replay(&now, SMALL, None, &|_| true, seed).expect("a round");
    let line = league.lay_out(line);
    league.play(&line);
    let now = league.league();
    let index = LeagueIndex::open(&now, &league.folder).expect("an index");
    let marks = |round: usize| {
        let marks = GameMarks::read(&now, &now.rounds()[round], &index).expect("marks");
        serde_json::to_value(marks).expect("JSON")
    };
    let mark = |first: u64, last: u64, replayed: serde_json::Value| {
        json!({ "first": first, "last": last, "void": "a flood", "replayed": replayed,
            "replays": null, "suspect": false })
    };
    let by = json!({ "round": 2, "game": 0 });
    let expected = [mark(0, 1, by), mark(2, 3, json!(null)), mark(6, 6, json!(null))];
    assert_eq!(marks(0), json!(expected));
    assert_eq!(marks(1), json!([]));
    let replays = json!({ "round": 0, "game": 0 });
    let expected = json!([{ "first": 0, "last": 1, "void": null, "replayed": null,
        "replays": replays, "suspect": false }]);
    assert_eq!(marks(2), expected);
}

#[test]
fn suspect_forfeits_are_counted_and_marked() {
    let (_folder, mut league) = empty();
    league.enter("ann", "greedy");
    let ben = league.enter("ben", STARVED);
    let index = league.run(1, SMALL);
    let now = league.league();
    let marks = GameMarks::read(&now, &now.rounds()[0], &index).expect("marks");
    let marks = serde_json::to_value(marks).expect("JSON");
    let suspect = json!([{ "first": 0, "last": index.games() - 1, "void": null, "replayed": null,
        "replays": null, "suspect": true }]);
    assert_eq!(marks, suspect);
    assert_eq!(index.suspect_forfeits(&now, &ben), index.games());
    let rows = league::results::LeagueResults::read(&league.folder).expect("results").rows;
    let row = rows.iter().find(|row| row.bot.as_ref() == Some(&ben)).expect("a row");
    assert_eq!(row.suspect_forfeits, row.forfeits);
}
