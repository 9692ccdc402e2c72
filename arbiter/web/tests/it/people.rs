//! Games of people at pages: what they see, what they may do, and how they leave.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use record::GameReader;
use record::verify::{VerifyOptions, verify};
use rules::coup::Coup;
use rules::durak::Durak;
use rules::replay::replay;
use rules::tablic::Tablic;
use rules::{Card, Game, GameKind, GameRecord, PerSeat, Seat};
use series::Series;
use tempfile::TempDir;
use web::people::{
    ABSENCE, GameChoice, IDLE, KnownLines, MoveError, PlayTable, TableLeaveCause, TableOffer,
    TableRefusal, TableTimeouts,
};
use web::people::{GameStage, LogVerdict, TableView};

use crate::seats::{cast, open, patient, people, play, stage, watch};

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder")
}

/// Numbers of seats that are played, by game.
fn seats(kind: &GameKind) -> &'static [usize] {
    match kind.name() {
        Tablic::NAME => &[2, 3],
        Durak::NAME => &[2, 4],
        _ => &[2],
    }
}

/// The only game of a log.
fn logged(log: &Path) -> (Series, GameRecord) {
    let mut games = GameReader::open(log).expect("a log");
    let next = games.next_game().expect("a game").expect("a game");
    (games.series().clone(), *next.game)
}

/// The knowledge of a seat after each step of a game: the lines of its view and of its history.
fn known(series: &Series, game: &GameRecord, seat: Seat) -> Vec<[Vec<String>; 3]> {
    let names = PerSeat::from(game.seats.clone());
    let (mut told, mut story, mut known) = (0, Vec::new(), Vec::new());
    replay(series.setup(game, None), game, |referee| {
        let text = referee.narrate_to(seat, told, &names);
        told = referee.history_len();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        story.extend(lines.map(str::to_owned));
        let view = referee.view(seat).lines().map(str::to_owned).collect();
        known.push([view, story.clone(), referee.history_of(seat, 0)]);
    })
    .expect("a game that was played");
    known
}

fn cards<'a>(texts: impl IntoIterator<Item = &'a String>) -> BTreeSet<Card> {
    let words = texts.into_iter().flat_map(|text| text.split([' ', ',', '*']));
    // In this spelling alone: `as` is a word, too.
    let card = |word: &str| word.parse().ok().filter(|card: &Card| card.to_string() == word);
    words.filter_map(card).collect()
}

/// Games of all kinds at random: each log is verified, what a page was shown is what its seat could
/// know at that moment, and the moves name no card that is not in its view.
#[test]
fn a_table_tells_the_time_left_of_the_seat_that_is_asked() {
    let folder = folder();
    let people = people(folder.path(), 1);
    let (_, table) = open(&people, cast(&GameKind::of::<Durak>(), 2, 0, "random", 5));
    let seen = play(&table, 3);
    let own: Vec<_> = seen.iter().filter(|sight| sight.turn.is_some()).collect();
    let idle = IDLE.as_millis() as u64;
    assert!(!own.is_empty());
    assert!(
        own.iter().all(|it| it.left_ms.is_some_and(|left| (1..=idle).contains(&left))),
        "{own:?}"
    );
    let ended = seen.iter().filter(|sight| sight.ending.is_some());
    assert!(ended.clone().count() > 0 && ended.clone().all(|sight| sight.left_ms.is_none()));
}

#[test]
fn a_page_shows_what_its_seat_may_know() {
    let folder = folder();
    let people = people(folder.path(), 1);
    let (mut hidden, mut turns) = (0, 0);
    for kind in GameKind::ALL {
        for &count in seats(kind) {
            for seed in 1..=6 {
                let seat = usize::from(seed) % count;
                let (_, table) = open(&people, cast(kind, count, seat, "random", seed));
                let seen = play(&table, seed.into());
                assert_eq!(
                    stage(&seen),
                    Some(GameStage::Over),
                    "{kind}, {seed}: {:?}",
                    seen.last()
                );
                let (series, game) = logged(table.log());
                let own = Seat::new(seat).expect("a seat");
                let moments = known(&series, &game, own);
                let fits = |sight: &TableView| {
                    let shown = [&sight.view, &sight.story.lines, &sight.events.lines];
                    moments.iter().any(|moment| moment.each_ref() == shown)
                };
                for sight in &seen {
                    assert!(sight.view.is_empty() || fits(sight), "{kind}, {seed}: {sight:?}");
                    assert_eq!((sight.story.from, sight.seat), (0, seat));
                    assert_eq!(sight.ending.is_some(), sight.stage >= GameStage::Verifying);
                    let Some(turn) = &sight.turn else { continue };
                    turns += 1;
                    let words = turn.moves.iter().flat_map(|it| [&it.text, &it.words]);
                    let in_moves = cards(words.chain([&turn.question]));
                    assert!(in_moves.is_subset(&cards(&sight.view)), "{kind}, {seed}: {sight:?}");
                }
                // Others would have been shown something else, so the comparison can fail.
                let other = Seat::new((seat + 1) % count).expect("a seat");
                let others = known(&series, &game, other);
                let pairs = moments.iter().zip(&others);
                hidden += pairs.filter(|([own, ..], [other, ..])| own != other).count();
                assert_proven(&seen, &table);
            }
        }
    }
    assert!(hidden > 1000 && turns > 300, "{hidden} moments, {turns} turns");
}

/// The last sight says what the command would.
fn assert_proven(seen: &[TableView], table: &PlayTable) {
    let ending = seen.last().and_then(|sight| sight.ending.as_ref()).expect("an ending");
    let verified = verify(table.log(), VerifyOptions::QUIET).expect("a log that is in order");
    assert_eq!(ending.proof, Some(LogVerdict::Head(verified.head.to_string())));
    assert!(ending.result.starts_with("result: "), "{}", ending.result);
    assert!(verified.has_end && verified.games == 1, "{verified:?}");
    let end = fs::read_to_string(table.log()).expect("a log");
    let seed = ending.seed.as_ref().expect("the seed");
    assert!(end.lines().last().is_some_and(|line| line.contains(seed.as_str())), "{end}");
}

#[test]
fn hidden_cards_are_told_when_the_game_is_over() {
    let folder = folder();
    let people = people(folder.path(), 1);
    let (_, table) = open(&people, cast(&GameKind::of::<Tablic>(), 2, 1, "greedy", 7));
    let seen = play(&table, 3);
    let ending = seen.last().and_then(|sight| sight.ending.as_ref()).expect("an ending");
    assert_eq!(ending.cards.len(), 4, "{:?}", ending.cards);
    assert!(ending.cards[0].starts_with("deal 1  greedy  "), "{:?}", ending.cards);
}

#[test]
fn a_wrong_move_gets_the_rule_that_it_breaks_and_never_reaches_the_referee() {
    let folder = folder();
    let people = people(folder.path(), 1);
    let (_, table) = open(&people, cast(&GameKind::of::<Durak>(), 2, 0, "greedy", 5));
    let long = "9".repeat(2000);
    let mut tried = 0;
    watch(&table, &mut |sight| {
        let turn = sight.turn.as_ref().expect("a turn");
        let held = sight.view.iter().find_map(|line| line.strip_prefix("hand ")).unwrap_or("");
        let missing = ["6C", "7D", "8H", "9S", "10C"].iter().find(|card| !held.contains(**card));
        let missing = format!("lead {}", missing.expect("a card that is not held"));
        for (text, expected) in [
            ("", "expected a move"),
            (long.as_str(), "expected a move"),
            ("jump", "found `jump`"),
            ("lead\n6C", "no move has a `\\n`"),
            ("príma", "no move has a `í`"),
            (missing.as_str(), ""),
        ] {
            let refused = table.play(turn.number, text);
            let Err(MoveError::Illegal(why)) = &refused else { unreachable!("{refused:?}") };
            assert!(!why.is_empty() && why.contains(expected) && why.len() < 500, "{why}");
            tried += 1;
        }
        let late = Err(MoveError::Late);
        assert_eq!(table.play(turn.number + 1, &turn.moves[0].text), late);
        let hint = table.hint(turn.number).expect("a hint");
        assert!(!hint.reason.is_empty() && hint.reason.len() < 100, "{hint:?}");
        let hint = hint.text;
        assert!(turn.moves.iter().any(|it| it.text == hint), "{hint}");
        // In any spelling, and once.
        let played = table.play(turn.number, &format!(" {} ", hint.to_lowercase()));
        assert_eq!(played.as_deref(), Ok(hint.as_str()));
        assert_eq!(table.play(turn.number, &hint), late);
    });
    let (_, game) = logged(table.log());
    assert!(game.fault_of(Seat::new(0).expect("a seat")).is_none(), "{game:?}");
    assert!(tried > 30, "{tried}");
}

/// Of every way to leave: the game is void, its log has no end, and the page says why.
#[test]
fn who_leaves_makes_the_game_void() {
    let usual = TableTimeouts { idle: IDLE, absence: ABSENCE };
    let cases = [
        (Some(TableLeaveCause::Asked), usual),
        (Some(TableLeaveCause::Closed), usual),
        (None, TableTimeouts { idle: Duration::ZERO, ..usual }),
    ];
    for (leaving, patience) in cases {
        let folder = folder();
        let people = patient(folder.path(), 1, patience);
        let (_, table) = open(&people, cast(&GameKind::of::<Tablic>(), 2, 1, "random", 9));
        let seen = watch(&table, &mut |_| leaving.iter().for_each(|why| table.leave(*why)));
        let last = seen.last().expect("a sight");
        let why = leaving.unwrap_or(TableLeaveCause::Idle).text();
        assert_eq!((last.stage, last.why.as_deref()), (GameStage::Left, Some(why)));
        assert_eq!((&last.turn, &last.ending), (&None, &None));
        let problem = verify(table.log(), VerifyOptions::QUIET).expect_err("a log without an end");
        assert!(problem.to_string().contains("end"), "{problem}");
        let (_, game) = logged(table.log());
        assert!(format!("{:?}", game.result).contains("ann left the game"), "{game:?}");
    }
}

/// A table without a page is left; one with a page that looks waits.
#[test]
fn a_page_that_is_closed_leaves_the_game() {
    let folder = folder();
    let patience = TableTimeouts { idle: IDLE, absence: Duration::ZERO };
    let people = patient(folder.path(), 2, patience);
    let alone =
        people.open(cast(&GameKind::of::<Coup>(), 2, 0, "greedy", 2), None).expect("a table");
    let alone = people.table(alone).expect("a table");
    while !alone.stage().is_last() {
        std::thread::yield_now();
    }
    assert_eq!(
        alone.sight(KnownLines::default()).why.as_deref(),
        Some(TableLeaveCause::Absent.text())
    );
    // Between the opening and the first look nothing is asked of the person on the second seat.
    let kept = patient(folder.path(), 2, TableTimeouts { absence: ABSENCE, ..patience });
    let (_, table) = open(&kept, cast(&GameKind::of::<Coup>(), 2, 1, "greedy", 2));
    assert_eq!(stage(&play(&table, 1)), Some(GameStage::Over));
}

/// True if other people have all tables.
fn is_full(refused: &TableRefusal) -> bool {
    refused.why == "all tables are in use: try again later"
}

#[test]
fn there_is_a_bound_for_the_tables() {
    let folder = folder();
    let people = people(folder.path(), 2);
    let game = || cast(&GameKind::of::<Tablic>(), 2, 0, "random", 1);
    let (first, table) = open(&people, game());
    let (second, _) = open(&people, game());
    assert!(people.open(game(), None).is_err_and(|refused| is_full(&refused)));
    assert_eq!(people.people().occupancy(), (2, 2));
    assert!(first != second && people.table(first).is_some());
    let unknown = "0123456789abcdef0123456789abcdef".parse().expect("a secret");
    assert!(people.table(unknown).is_none());
    table.leave(TableLeaveCause::Asked);
    while people.people().occupancy().0 == 2 {
        std::thread::yield_now();
    }
    let (third, table) = open(&people, game());
    // A game that is over can still be looked at.
    assert!(people.table(first).is_some_and(|first| first.stage() == GameStage::Left));
    assert!(people.people().close(), "no bot thinks");
    assert_eq!(
        table.sight(KnownLines::default()).why.as_deref(),
        Some(TableLeaveCause::Closed.text())
    );
    assert!(people.table(third).is_none());
    let refused = people.open(game(), None).expect_err("it is closed");
    assert_eq!(refused.why, "the server is shutting down");
    assert_eq!(fs::read_dir(people.logs()).expect("a folder").count(), 3);
}

#[test]
fn one_visitor_does_not_take_all_tables() {
    let folder = folder();
    let people = people(folder.path(), 3);
    let game = || cast(&GameKind::of::<Tablic>(), 2, 0, "random", 1);
    let one = Some(std::net::IpAddr::from([192, 0, 2, 1]));
    let other = Some(std::net::IpAddr::from([192, 0, 2, 2]));
    let first = people.open(game(), one).expect("a table");
    people.open(game(), one).expect("a second table");
    let refused = people.open(game(), one).expect_err("half of three, rounded up, are two");
    let expected = "you are already playing at 2 tables: finish that game first";
    assert_eq!(refused.why, expected);
    assert!(people.people().has_room(other).is_ok());
    people.table(first).expect("a table").leave(TableLeaveCause::Asked);
    while people.people().occupancy().0 == 2 {
        std::thread::yield_now();
    }
    people.open(game(), one).expect("one that is left is no table of theirs");
    people.open(game(), other).expect("a table for others");
    assert!(people.open(game(), other).is_err_and(|refused| is_full(&refused)));
    assert!(people.people().close(), "no bot thinks");
}

/// Each table leaves a log, so nobody can have the server write logs without end.
#[test]
fn there_is_a_bound_for_the_games_of_an_hour() {
    let folder = folder();
    let people = people(folder.path(), 1);
    let mut begun = 0;
    let refused = loop {
        match people.open(cast(&GameKind::of::<Coup>(), 2, 0, "random", 1), None) {
            Ok(secret) => people.table(secret).expect("a table").leave(TableLeaveCause::Asked),
            Err(refused) if is_full(&refused) => {
                std::thread::yield_now();
                continue;
            }
            Err(refused) => break refused,
        }
        begun += 1;
        assert!(begun < 1000, "no bound");
    };
    assert!(refused.why.starts_with("hourly limit of "), "{refused:?}");
    assert!(begun > 100, "{begun}");
}

#[cfg(unix)]
#[test]
fn no_other_user_can_look_into_the_logs() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let people = people(folder.path(), 1);
    let (secret, table) = open(&people, cast(&GameKind::of::<Coup>(), 2, 0, "random", 3));
    let mode = fs::metadata(people.logs()).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let name = table.log().file_name().expect("a name").to_string_lossy();
    assert!(name.starts_with("coup-") && name.ends_with(".jsonl"), "{name}");
    assert!(!secret.to_string().contains(&name["coup-".len()..name.len() - ".jsonl".len()]));
}

#[test]
fn a_folder_of_logs_offers_all_games_and_the_built_in_bots() {
    let folder = folder();
    let people = people(folder.path(), 1);
    let offer: TableOffer = people.offer().expect("an offer");
    let games: Vec<_> = offer.games.iter().map(|it| (&it.kind, it.seats.clone())).collect();
    let expected = [vec![2, 3, 4, 6], vec![2, 3, 4, 5, 6], vec![2, 3, 4, 5, 6]];
    assert_eq!(games, GameKind::ALL.iter().zip(expected).collect::<Vec<_>>());
    let names: Vec<_> = offer.opponents.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["random", "greedy", "minimax", "expert"]);
    let choice = |kind, name: &str, seat, opponents: &[&str]| {
        let opponents = opponents.iter().map(|it| (*it).to_owned()).collect();
        GameChoice { kind, name: name.to_owned(), seat, opponents }
    };
    for (choice, expected) in [
        (
            choice(GameKind::of::<Coup>(), "ann", 0, &["greedy"; 6]),
            "6 bots: choose 1 or 2 or 3 or 4 or 5 in coup",
        ),
        (choice(GameKind::of::<Durak>(), "ann", 2, &["greedy"]), "no seat 2: seats are 0 to 1"),
        (
            choice(GameKind::of::<Durak>(), "<b>", 0, &["greedy"]),
            "invalid name: use 1 to 32 letters",
        ),
        (choice(GameKind::of::<Durak>(), "Greedy", 0, &["greedy"]), "a bot is named `greedy`"),
        (choice(GameKind::of::<Durak>(), "ann", 0, &["../sh"]), "no bot `../sh` here"),
        (choice(GameKind::of::<Durak>(), "ann", 0, &[]), "0 bots: choose 1 or 2 or 3"),
    ] {
        let refused = web::people::PreparedGame::new(&offer, &choice).map(|_| ());
        let why = refused.expect_err("a choice that cannot be");
        assert!(why.starts_with(expected), "{why}");
    }
}
