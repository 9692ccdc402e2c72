//! The index follows from the logs, whatever was there before.

use std::fs;

use contest::tournament::folder::games;
use league::index::{BadRound, LeagueIndex};
use league::line::{LeagueLine, OverLine};
use rusqlite::Connection;
use standings::Entrant;

use crate::{SMALL, small};

#[test]
fn an_index_made_anew_says_the_same() {
    let (_folder, mut league) = small();
    league.enter("ann", "random");
    let followed = league.run(2, SMALL);
    let standings = followed.standings();
    assert_eq!(standings.all.games, 4 * 2 * 2 * 2);
    fs::remove_file(league.folder.index()).expect("it is there");
    let anew = LeagueIndex::of(&league.league(), &league.folder).expect("an index");
    assert_eq!(anew.standings(), standings);
    for bot in (0..4).map(Entrant) {
        assert_eq!(anew.ratings(bot).expect("ratings"), followed.ratings(bot).expect("ratings"));
        assert_eq!(anew.faults(bot, 10).expect("faults"), []);
    }
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
        let index = LeagueIndex::of(&league.league(), &league.folder);
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
    let lost = index.lost(ben, ann, 1000).expect("games");
    assert_eq!(lost.len() as u64, pairing.lost);
    assert!(lost.windows(2).all(|two| (two[0].round, two[0].game) > (two[1].round, two[1].game)));
    let few = index.lost(ben, ann, 2).expect("games");
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
    let failed = LeagueIndex::of(&league.league(), &league.folder);
    assert!(matches!(failed, Err(BadRound::Changed(_) | BadRound::Unreadable(..))), "{failed:?}");
}

fn league_standings(league: &super::made::MadeLeague) -> standings::Standings {
    LeagueIndex::of(&league.league(), &league.folder).expect("an index").standings()
}

#[test]
fn a_round_that_is_not_over_does_not_count() {
    let (_folder, league) = small();
    let standings = league_standings(&league);
    let line = league.announce(&standings, SMALL);
    assert_eq!(league_standings(&league), standings);
    let head = Some(league.league().head());
    let over =
        OverLine { round: line.round + 1, games: 8, head, broken: None, results: Vec::new() };
    let refused = league.append(LeagueLine::Over(Box::new(over))).expect_err("it is another round");
    assert!(refused.to_string().contains("ends round 3, which is not being played"), "{refused}");
}
