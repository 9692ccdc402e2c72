//! The index follows from the logs, whatever was there before.

use std::fs;

use contest::tournament::folder::games;
use league::index::{IndexError, LeagueIndex};
use league::line::{LeagueLine, RoundEndLine};
use rules::GameKind;
use rules::tablic::Tablic;
use rusqlite::Connection;
use standings::Entrant;
use tempfile::TempDir;

use super::forged::verdict;
use crate::made::{MadeLeague, STARVED};
use crate::{SMALL, small};

#[test]
fn an_index_made_anew_says_the_same() {
    let (_folder, mut league) = small();
    league.enter("ann", "random");
    let followed = league.run(2, SMALL);
    let standings = followed.standings();
    assert_eq!(standings.all.games, 4 * 2 * 2 * 2);
    fs::remove_file(league.folder.index()).expect("it is there");
    let anew = LeagueIndex::open(&league.league(), &league.folder).expect("an index");
    assert_eq!(anew.standings(), standings);
    for bot in (0..4).map(Entrant) {
        assert_eq!(anew.ratings(bot).expect("ratings"), followed.ratings(bot).expect("ratings"));
        assert_eq!(anew.faults(bot, None, 10).expect("faults"), []);
    }
}

/// Pages had the standings computed again after each line of the log, which takes long with many bots.
#[test]
fn totals_change_with_games_and_bots_alone() {
    let (_folder, mut league) = small();
    let mut index = LeagueIndex::open(&league.league(), &league.folder).expect("an index");
    let mut have_changed = |league: &MadeLeague| {
        let before = index.revision();
        index.bring_up_to(&league.league()).expect("it is read");
        index.revision() != before
    };
    assert!(!have_changed(&league));
    let bot = league.enter("ann", "random");
    assert!(have_changed(&league), "a bot has entered");
    league.run(1, SMALL);
    assert!(have_changed(&league), "a round is over");
    league.folder.retire(&[bot.bot], None).expect("it plays");
    assert!(!have_changed(&league), "a bot has left");
}

/// A freeze begins with a copy, and the kept index goes on.
#[test]
fn a_copy_stays_as_it_is_while_the_index_goes_on() {
    let (_folder, mut league) = small();
    let index = league.run(2, SMALL);
    let then = league.league();
    let later = league.run(1, SMALL);
    let copy = index.copied_in_memory(&then).expect("it is read").expect("it has these rounds");
    let built = LeagueIndex::build_in_memory(&then, &league.folder).expect("an index");
    assert_eq!(copy.standings(), built.standings());
    let contents = |index: &LeagueIndex| {
        let of_bot = |bot| (index.seats(&[bot], None, 99), index.ratings(bot));
        [Entrant(0), Entrant(1)].map(of_bot).map(|(seats, ratings)| {
            (seats.expect("they are read"), ratings.expect("they are read"))
        })
    };
    assert_eq!(contents(&copy), contents(&built));
    assert_ne!(contents(&copy), contents(&later));
    // Rounds that it does not have yet are added, and later ones are not taken away.
    let whole = index.copied_in_memory(&league.league()).expect("it is read").expect("a copy");
    assert_eq!((whole.standings(), contents(&whole)), (later.standings(), contents(&later)));
    assert!(later.copied_in_memory(&then).expect("it is read").is_none());
    assert_eq!(
        later.standings(),
        LeagueIndex::open(&league.league(), &league.folder).expect("an index").standings()
    );
}

#[test]
fn an_index_that_cannot_be_used_is_made_anew() {
    let (_folder, mut league) = small();
    let standings = league.run(1, SMALL).standings();
    let (_other_folder, other) = small();
    let file = league.folder.index();
    let change = |sql: &str| {
        let connection = Connection::open(&file).expect("it is there");
        connection.execute_batch(sql).expect("it has these tables");
    };
    let damages: [(&str, &dyn Fn()); 10] = [
        ("missing", &|| fs::remove_file(&file).expect("it is there")),
        ("empty", &|| fs::write(&file, "").expect("room")),
        ("no database", &|| fs::write(&file, "ratings").expect("room")),
        ("half of it", &|| {
            let bytes = fs::read(&file).expect("it is there");
            fs::write(&file, &bytes[..bytes.len() / 2]).expect("room");
        }),
        ("that of another league", &|| {
            fs::copy(other.folder.index(), &file).map(drop).expect("room");
        }),
        ("another head", &|| change("UPDATE round SET head = zeroblob(32) WHERE round = 1")),
        ("a round that is not there", &|| {
            change("INSERT INTO round (round, head, played) VALUES (9, zeroblob(32), 99)");
        }),
        ("no tally", &|| change("UPDATE league SET tally = NULL")),
        ("another tally", &|| change("UPDATE league SET tally = randomblob(10000)")),
        ("another version", &|| change("PRAGMA user_version = 99")),
    ];
    for (what, damage) in damages {
        damage();
        let index = LeagueIndex::open(&league.league(), &league.folder);
        assert_eq!(index.expect(what).standings(), standings, "{what}");
        let kept = Connection::open(&file).expect("it is there");
        let rounds = kept.query_row("SELECT count(*) FROM round", [], |row| row.get(0));
        assert_eq!(rounds, Ok(3), "{what}: it is kept on the disk");
    }
}

#[test]
fn lost_games_are_found_from_the_last_one_on() {
    let (_folder, mut league) = small();
    let index = league.run(6, SMALL);
    let (ann, ben) = (Entrant(0), Entrant(1));
    let standings = index.standings();
    let row = |name: &str| standings.all.rows.iter().position(|row| row.name == name);
    let (one, other) = (row("ben@1").expect("a row"), row("ann@1").expect("a row"));
    let pairing = standings.all.pairing(one, other).expect("they have met");
    let lost = index.lost_games(ben, ann, 1000).expect("games");
    assert_eq!(lost.len() as u64, pairing.lost);
    assert!(lost.windows(2).all(|two| (two[0].round, two[0].game) > (two[1].round, two[1].game)));
    let few = index.lost_games(ben, ann, 2).expect("games");
    assert_eq!(few, lost[..2]);
}

#[test]
fn ratings_stand_after_each_round_that_a_bot_has_played_in() {
    let (_folder, mut league) = small();
    let index = league.run(3, SMALL);
    let standings = index.standings();
    for (place, member) in league.league().members().iter().enumerate() {
        let ratings = index.ratings(Entrant(place)).expect("ratings");
        let rounds = league.league();
        let played = rounds.rounds().iter().filter(|it| it.line.bots.contains(&member.entry.bot));
        let played: Vec<u64> = played.map(|round| round.line.round).collect();
        assert_eq!(ratings.iter().map(|it| it.round).collect::<Vec<_>>(), played);
        let last = ratings.last().expect("it has played");
        assert_eq!(last.games, 8 * (last.round + 1));
        let name = member.entry.bot.to_string();
        let row = standings.all.rows.iter().find(|row| row.name == name).expect("a row");
        if let Some(rating) = row.rating.filter(|_| last.round == 4) {
            assert_eq!(last.rating, rating.value, "{name}");
        }
    }
}

#[test]
fn a_round_that_was_changed_after_its_end_is_not_counted() {
    let (_folder, mut league) = small();
    let line = league.announce(&league_standings(&league), SMALL);
    let over = league.play(&line);
    assert_eq!(over.round, 2);
    // The log of another round is a good log, and not this one.
    fs::copy(games(&league.folder.round(1)), games(&league.folder.round(2))).expect("room");
    let failed = LeagueIndex::open(&league.league(), &league.folder);
    assert!(
        matches!(failed, Err(IndexError::Changed(_) | IndexError::Unreadable(..))),
        "{failed:?}"
    );
}

fn league_standings(league: &MadeLeague) -> standings::Standings {
    LeagueIndex::open(&league.league(), &league.folder).expect("an index").standings()
}

#[test]
fn a_round_that_is_not_over_does_not_count() {
    let (_folder, league) = small();
    let standings = league_standings(&league);
    let line = league.announce(&standings, SMALL);
    assert_eq!(league_standings(&league), standings);
    let head = Some(league.league().head());
    let over =
        RoundEndLine { round: line.round + 1, games: 8, head, broken: None, results: Vec::new() };
    let refused = league.append(LeagueLine::Over(Box::new(over))).expect_err("it is another round");
    assert!(refused.to_string().contains("ends round 3, which is not being played"), "{refused}");
}

/// Changes that make no index unreadable, and that nothing told of.
#[test]
fn an_index_that_says_something_else_is_rebuilt_and_verification_says_so() {
    let (_folder, mut league) = small();
    league.enter("ann", "random");
    let followed = league.run(2, SMALL);
    let standings = followed.standings();
    let shown = |index: &LeagueIndex| {
        let bots = (0..4).map(Entrant);
        let of = |bot| {
            let lost = index.lost_games(bot, Entrant(1), 100).expect("games");
            let (ratings, faults) = (index.ratings(bot), index.faults(bot, None, 100));
            let seats = index.seats(&[bot], None, 1000).expect("seats");
            (lost, ratings.expect("ratings"), faults.expect("faults"), seats)
        };
        bots.map(of).collect::<Vec<_>>()
    };
    let expected = shown(&followed);
    drop(followed);
    let file = league.folder.index();
    let whole = fs::read(&file).expect("an index");
    assert_eq!(verdict(league.folder.path()), Ok(32));
    let changes = [
        "UPDATE seat SET place = 3 - place WHERE bot = 0 AND round = 1",
        "UPDATE seat SET fault = 'crash' WHERE bot = 0 AND round = 0",
        "UPDATE seat SET seat = 1 - seat WHERE bot = 2",
        "DELETE FROM seat WHERE bot = 1 AND round = 1",
        "INSERT INTO seat (bot, round, game, seat, place, suspect, void) VALUES (1, 0, 99, 0, 2, 0, 0)",
        "UPDATE seat SET void = 1 WHERE bot = 0 AND round = 1 AND game = 0",
        "UPDATE seat SET suspect = 1 WHERE bot = 0 AND round = 1 AND game = 0",
        "UPDATE rating SET rating = rating + 1 WHERE bot = 0",
        "DELETE FROM rating WHERE bot = 0",
        "UPDATE round SET played = played + 1",
        "UPDATE round SET digest = zeroblob(32)",
        "UPDATE league SET digest = zeroblob(32)",
        "UPDATE league SET digest = NULL",
    ];
    for change in changes {
        fs::write(&file, &whole).expect("room");
        let connection = Connection::open(&file).expect("it is there");
        connection.execute_batch(change).expect("it has these tables");
        drop(connection);
        let found = verdict(league.folder.path()).expect_err(change);
        assert!(found.contains("differs from the logs"), "{change}: {found}");
        assert!(found.contains("remove the file"), "{change}: {found}");
        let index = LeagueIndex::open_checked(&league.league(), &league.folder).expect(change);
        assert_eq!(
            (index.standings(), shown(&index)),
            (standings.clone(), expected.clone()),
            "{change}"
        );
        drop(index);
        assert_eq!(verdict(league.folder.path()), Ok(32), "{change}: it is right again");
    }
}

#[test]
fn no_changed_byte_of_an_index_changes_what_is_shown() {
    let (_folder, mut league) = small();
    let index = league.run(1, SMALL);
    let shown = |index: &LeagueIndex| {
        let ratings = [0, 1, 2].map(|bot| index.ratings(Entrant(bot)).expect("ratings"));
        let lost = [(0, 1), (1, 0), (2, 1)]
            .map(|(bot, to)| index.lost_games(Entrant(bot), Entrant(to), 100).expect("games"));
        (index.standings(), ratings, lost)
    };
    let expected = shown(&index);
    drop(index);
    let file = league.folder.index();
    let whole = fs::read(&file).expect("an index");
    // The bytes that say what the file is, and some of each page.
    let places = (0..whole.len()).filter(|place| *place < 100 || place % 509 == 0);
    for place in places {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        fs::write(&file, &changed).expect("room");
        let index = LeagueIndex::open_checked(&league.league(), &league.folder);
        assert_eq!(shown(&index.expect("an index")), expected, "byte {place}");
    }
}

/// A forger can make digests as well, but not the logs.
#[test]
fn an_index_of_another_league_with_the_same_rounds_is_found() {
    let (_folder, league) = small();
    let (_other_folder, mut other) = small();
    other.run(1, SMALL);
    fs::copy(other.folder.index(), league.folder.index()).expect("room");
    let found = verdict(league.folder.path()).expect_err("one round too many");
    assert!(found.contains("differs from the logs"), "{found}");
    fs::write(league.folder.index(), "ratings").expect("room");
    let found = verdict(league.folder.path()).expect_err("no database");
    assert!(found.contains("differs from the logs"), "{found}");
    fs::remove_file(league.folder.index()).expect("it is there");
    assert_eq!(verdict(league.folder.path()), Ok(16));
}

/// A league replays suspect games unless its settings say otherwise; what stays suspect is marked.
#[test]
fn a_forfeit_that_stays_suspect_is_marked_in_the_index() {
    let folder = TempDir::new().expect("a folder");
    let mut league = MadeLeague::new(&folder.path().join("class"), &GameKind::of::<Tablic>());
    league.enter("ann", "greedy");
    league.enter("ben", STARVED);
    let index = league.run(1, SMALL);
    let faults = index.faults(Entrant(1), None, 10).expect("faults");
    assert!(!faults.is_empty() && faults.iter().all(|fault| fault.is_suspect), "{faults:?}");
    let seats = index.seats(&[Entrant(0), Entrant(1)], None, 10).expect("seats");
    assert!(seats.iter().all(|seat| seat.is_suspect == (seat.bot == Entrant(1))), "{seats:?}");
    let log = fs::read_to_string(games(&league.folder.round(0))).expect("a log");
    assert!(log.contains("\"suspect_games\":\"play-again\""), "{log}");
    assert!(log.contains("\"attempt\":3"), "each was replayed three times");
    let work = record::verify::VerifyOptions { jobs: std::num::NonZeroUsize::MIN, read: &|_| {} };
    league::verify::verify(league.folder.path(), work, &mut |_| {}).expect("a league in order");
}
