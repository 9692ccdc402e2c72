//! The documents say what the program does: their examples are run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use bot::judge::judge;
use record::GameReader;
use rules::{Answer, EscapedBytes, GameRecord, GameTerms, Referee, RefereeInput, Step, Verdict};
use sandbox::{CallEnd, Limits, Observation};
use tests::console::{arbiter, blocks, run_blocks};
use tests::documented::root;
use tests::installed::is_there;

/// The log and the request that the protocol shows.
const LOG: &str = "examples/matches/tablic-2-seats.jsonl";
const MOVE: u32 = 12;

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap()
}

/// A referee that waits for the answer to one request of a logged game.
fn referee_at(games: &GameReader, game: &GameRecord, number: u32) -> Referee {
    let setup = games.series().setup(game, None);
    let terms = GameTerms {
        id: game.id,
        times: setup.times.clone(),
        retries: setup.retries,
        dialects: setup.dialects.clone(),
        bot_seeds: game.bot_seeds.clone(),
    };
    let mut referee = Referee::new(&setup.kind, setup.options, terms).unwrap();
    for input in &game.inputs {
        match (referee.step(), input) {
            (Step::Ask(question), _) if question.number() == number => break,
            (Step::Nature(draw), RefereeInput::Chance(chance)) => draw.happen(chance).unwrap(),
            (Step::Ask(question), RefereeInput::Answer(answer)) => {
                question.answer(Answer::Output(answer.reply.0.clone()));
            }
            _ => panic!("{LOG} does not go on to request {number}"),
        }
    }
    referee
}

fn example() -> Referee {
    let mut games = GameReader::open(&root().join(LOG)).unwrap();
    let game = games.next_game().unwrap().unwrap().game;
    referee_at(&games, &game, MOVE)
}

#[test]
fn the_request_in_the_protocol_is_the_one_that_was_sent() {
    let mut referee = example();
    let Step::Ask(question) = referee.step() else { panic!("nobody is asked") };
    assert_eq!(blocks(&read("protocol.md"), "request"), [question.request()]);
}

#[test]
fn the_verdicts_in_the_protocol_are_those_that_are_given() {
    let flood = vec![b'7'; Limits::default().answer_bytes + 1];
    let not_started = CallEnd::NotStarted("cannot start `/bots/mine`: no such file".into());
    let cases: [(&str, &[u8], CallEnd); 17] = [
        ("", b"9D 4D 5S\n", CallEnd::Exited(0)),
        ("", b"JS", CallEnd::Exited(0)),
        ("", b" 9d 5s 4d \r\n", CallEnd::Exited(0)),
        ("", b"KC\n", CallEnd::Exited(0)),
        ("", b"9D 9C\n", CallEnd::Exited(0)),
        ("", b"9D 3D 5S\n", CallEnd::Exited(0)),
        ("", b"1S\n", CallEnd::Exited(0)),
        ("", b"9D 9S 9S\n", CallEnd::Exited(0)),
        ("", b"JS\n8S\n", CallEnd::Exited(0)),
        ("", b"\xef\xbb\xbfJS\n", CallEnd::Exited(0)),
        ("", b"\n", CallEnd::Exited(0)),
        ("nothing", b"", CallEnd::Exited(0)),
        ("", b"JS\n", CallEnd::Exited(1)),
        ("", b"JS\n", CallEnd::Signalled(11)),
        ("", b"JS\n", CallEnd::Deadline),
        ("4097 bytes", &flood, CallEnd::OutputLimit),
        ("nothing", b"", not_started),
    ];
    let protocol = read("protocol.md");
    let rows: Vec<String> = cases.map(|(shown, stdout, end)| row(shown, stdout, end)).into();
    let table = rows.join("\n");
    assert!(protocol.contains(&table), "protocol.md lacks this table:\n{table}");
}

/// A row of the protocol's table of verdicts, as the program gives it.
fn row(shown: &str, stdout: &[u8], end: CallEnd) -> String {
    let ended = match &end {
        CallEnd::Exited(code) => format!("exit {code}"),
        CallEnd::Signalled(signal) => format!("signal {signal}"),
        CallEnd::Answered => "lives on".to_owned(),
        CallEnd::Left => "exit 0".to_owned(),
        CallEnd::Unasked => "lives on, and was not asked".to_owned(),
        CallEnd::Deadline | CallEnd::Silence => "still running in the end".to_owned(),
        CallEnd::Awake
        | CallEnd::CpuLimit
        | CallEnd::Traced
        | CallEnd::OutputLimit
        | CallEnd::MemoryLimit
        | CallEnd::ProcessLimit => "killed for it".to_owned(),
        CallEnd::NotStarted(_) => "never started".to_owned(),
        CallEnd::Fault(_) => panic!("a fault of ours has no verdict for a bot"),
    };
    let printed = match shown {
        "" => format!("`{}`", EscapedBytes(stdout.to_vec())),
        other => other.to_owned(),
    };
    let mut observed = Observation::without_output(end, Duration::ZERO);
    observed.stdout = stdout.to_vec();
    let mut referee = example();
    let Step::Ask(question) = referee.step() else { panic!("nobody is asked") };
    let ruling = question.answer(judge(observed, &Limits::default()));
    format!("| {printed} | {ended} | `{}` | {} |", ruling.verdict, ruling.detail)
}

#[test]
fn the_shortest_bot_plays_a_match() {
    if !is_there("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let page = read("docs/bots.md");
    let bot = blocks(&page, "python")[0];
    assert!(bot.lines().filter(|line| !line.is_empty()).count() <= 12, "{bot}");
    fs::write(folder.path().join("my_bot.py"), bot).unwrap();
    let limit = ["--time-limit", "30s"];
    let played = Command::new(arbiter())
        .args(["match", "--game", "tablic", "--json", "mine=python3 my_bot.py", "greedy"])
        .args(limit)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success() && shown.contains(r#""ending":"played""#), "{played:?}");
}

#[test]
fn every_verdict_is_in_the_protocol() {
    let protocol = read("protocol.md");
    for verdict in Verdict::ALL {
        assert!(protocol.contains(&format!("`{verdict}`")), "protocol.md lacks {verdict}");
    }
}

#[test]
fn every_log_of_the_examples_verifies() {
    let entries = ["examples/matches", "examples/tournaments"].map(|folder| {
        fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path())
    });
    // A reader who has tried a command of the documents has a review beside a log.
    let is_log = |path: &PathBuf| path.extension().is_none_or(|ending| ending != "review");
    let mut seen = 0;
    for path in entries.into_iter().flatten().filter(is_log) {
        let verified = Command::new(arbiter()).arg("verify").arg(&path).output().unwrap();
        assert!(verified.status.success(), "{}: {verified:?}", path.display());
        seen += 1;
    }
    assert!(seen >= 7, "{seen} logs");
}

#[test]
fn captures_that_are_drawn_are_moves_of_the_game_below_them() {
    let shown = Command::new(arbiter()).arg("show").arg(root().join(LOG)).output().unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    let page = read("docs/games/tablic.md");
    let drawn = blocks(&page, "cards").into_iter().filter_map(|block| {
        let row = |label| block.lines().find_map(|line| line.strip_prefix(label));
        Some([row("table: ")?, row("played: ")?, row("captured: ")?])
    });
    let mut seen = 0;
    for [table, played, captured] in drawn {
        let (before, _) = shown.split_once(&format!(" {played} takes {captured} ")).unwrap();
        let (_, last) = before.rsplit_once(" table ").unwrap();
        assert_eq!(last.lines().next(), Some(table), "{played} takes {captured}");
        seen += 1;
    }
    assert_eq!(seen, 5);
}

/// The documents speak from the root of the project. `tests::first_bot` follows `docs/first-bot.md`, in
/// Python in the second tier, in JavaScript and C in the third.
#[test]
fn the_console_blocks_of_the_documents_are_true() {
    let folders = ["docs", "docs/games", "docs/reference"].map(|folder| root().join(folder));
    let pages = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let pages = pages.map(|entry| entry.unwrap().path());
    let pages = pages.filter(|page| page.extension().is_some_and(|ending| ending == "md"));
    let others =
        ["README.md", "protocol.md", "examples/bots/README.md"].map(|page| root().join(page));
    let pages: Vec<PathBuf> =
        pages.filter(|page| !page.ends_with("first-bot.md")).chain(others).collect();
    run_blocks(pages.iter().map(PathBuf::as_path), &root());
}
