//! A custom game on pages: the lines that its keys draw, its texts for people, and a person at a table.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use record::GameReader;
use record::stderr_texts::StderrVisibility;
use report::ReportExtras;
use report::game_line::HandVisibility;
use report::steps::LiveGame;
use rules::{GameInProgress, GameKind, GameRecord};
use sandbox::Supervisor;
use sandbox::isolation::Isolation;
use serde_json::{Value, json};
use series::Series;
use tempfile::TempDir;
use web::people::{GameStage, LogVerdict, TableView};

use crate::seats::{cast, open, people, play, stage};

/// Hold'em, whose rules are a module: no program is started for it.
fn holdem() -> GameKind {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games/holdem");
    let supervisor = Supervisor::from_env(Isolation::Auto).unwrap();
    games::open(folder.to_str().unwrap(), supervisor).unwrap()
}

/// All that a person saw of a game against `random`, with the path of its log.
fn at_a_table(folder: &TempDir, seed: u8) -> (Vec<TableView>, PathBuf) {
    let people = people(folder.path(), 1);
    let (_, table) = open(&people, cast(&holdem(), 2, 0, "random", seed));
    let seen = play(&table, 5);
    assert_eq!(stage(&seen), Some(GameStage::Over), "{:?}", seen.last());
    (seen, table.log().to_owned())
}

/// All that a person saw of a game, and the game as it is in its log.
fn played(folder: &TempDir, seed: u8) -> (Vec<TableView>, Series, GameRecord) {
    let (seen, log) = at_a_table(folder, seed);
    let mut games = GameReader::open(&log).unwrap();
    let game = *games.next_game().unwrap().unwrap().game;
    (seen, games.series().clone(), game)
}

/// The cards that each seat was dealt.
fn dealt(game: &GameRecord) -> [String; 2] {
    let mut dealt: [String; 2] = Default::default();
    for event in &game.events {
        for (seat, cards) in dealt.iter_mut().enumerate() {
            if let Some(words) = event.strip_prefix(&format!("deal {seat} ")) {
                *cards = words.to_owned();
            }
        }
    }
    dealt
}

#[test]
fn a_person_at_a_table_sees_their_own_view_and_all_hands_in_the_end() {
    let folder = TempDir::new().unwrap();
    let (seen, _, game) = played(&folder, 3);
    let [own, other] = dealt(&game);
    let (last, before) = seen.split_last().unwrap();
    let ending = last.ending.as_ref().unwrap();
    let hand = |cards: &str| cards.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(ending.hands, [hand(&own), hand(&other)]);
    assert!(matches!(ending.proof, Some(LogVerdict::Head(_))), "{ending:?}");
    let shown = [format!("ann     hole {own}"), format!("random  hole {other}")];
    assert_eq!(ending.cards, shown);
    let keys = serde_json::to_value(&last.own).unwrap();
    assert_eq!(
        keys,
        json!({"hand": ["hole", "shown"], "table": ["board"], "back": ["cards"],
        "seat": ["stacks", "bets"], "mark": ["shown"], "number": ["pot"]})
    );
    let mut turns = BTreeSet::new();
    for sight in before.iter().filter(|sight| sight.ending.is_none()) {
        let text = serde_json::to_string(sight).unwrap();
        assert!(game.events.iter().any(|it| it.starts_with("show")) || !text.contains(&other));
        let Some(turn) = &sight.turn else { continue };
        turns.insert(turn.number);
        assert_eq!(turn.question, "your move:");
        assert!(turn.moves.iter().all(|mv| mv.text == mv.words), "{turn:?}");
    }
    assert!(!turns.is_empty());
}

/// A game as its log has it, for the viewer.
fn now(series: &Series, game: &GameRecord, hands: HandVisibility) -> Value {
    let GameRecord { game: number, attempt, deal, id, .. } = *game;
    let begun = GameInProgress {
        game: number,
        attempt,
        deal,
        id,
        seats: game.seats.clone(),
        bot_seeds: game.bot_seeds.clone(),
        inputs: game.inputs.clone(),
        elapsed: Vec::new(),
    };
    let now = LiveGame::new(series, &begun, hands).unwrap();
    serde_json::from_str(&now.json_from(0).unwrap()).unwrap()
}

/// All events of the steps of a game.
fn events(game: &Value) -> Vec<Value> {
    let steps = game["steps"].as_array().unwrap().iter();
    steps.flat_map(|step| step["events"].as_array().cloned().unwrap_or_default()).collect()
}

#[test]
fn events_have_the_texts_for_people_of_those_who_saw_them() {
    let folder = TempDir::new().unwrap();
    let (_, series, game) = played(&folder, 4);
    let [own, _] = dealt(&game);
    let open = events(&now(&series, &game, HandVisibility::Open));
    let deal = json!([
        format!("deal 0 {own}"),
        0,
        "deal 0 ?? ??",
        format!("{{0}} is dealt {own}"),
        "{0} is dealt two cards"
    ]);
    assert!(open.contains(&deal), "{deal} in {open:?}");
    let blind = json!(["blind 0 1", null, "blind 0 1", "{0} posts the small blind of 1"]);
    assert!(open.contains(&blind), "{blind} in {open:?}");
    let public = events(&now(&series, &game, HandVisibility::Public));
    let deal = json!(["deal 0 ?? ??", null, "deal 0 ?? ??", "{0} is dealt two cards"]);
    assert!(public.contains(&deal), "{public:?}");
    assert!(public.iter().all(|event| event[1].is_null()), "{public:?}");
}

#[test]
fn a_report_has_the_keys_that_are_drawn_and_names_the_rules() {
    let folder = TempDir::new().unwrap();
    let (_, log) = at_a_table(&folder, 5);
    let pages = folder.path().join("pages");
    let content = ReportExtras { review: None, errors: StderrVisibility::Hidden };
    report::write(&[log], &pages, content).unwrap();
    let read = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    let index = read("data/index.js");
    let index = index.strip_prefix("arbiter.takeIndex(").and_then(|it| it.strip_suffix(");\n"));
    let index: Value = serde_json::from_str(index.unwrap()).unwrap();
    assert_eq!(
        index["own"],
        json!({"hand": ["hole", "shown"], "table": ["board"], "back": ["cards"],
        "seat": ["stacks", "bets"], "mark": ["shown"], "number": ["pot"]})
    );
    assert!(read("game.html").contains("assets/own.js"), "its script is that of no other game");
    assert!(read("assets/own.js").contains("arbiter.own"));
    let id = holdem().rules_id().unwrap();
    let rules =
        format!("<dt>rules</dt><dd>a module, digest <code class=\"hash\">{}</code>", id.digest);
    assert!(read("index.html").contains(&rules), "{rules}");
}
