//! Verification of a league whose forger made all chains anew.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use contest::tournament::folder::games;
use contest::tournament::read;
use flate2::read::MultiGzDecoder;
use league::index::LeagueIndex;
use league::line::{LeagueLine, RoundAbort, RoundEndLine};
use league::rounds::{RoundSize, next_round};
use league::settings::LeagueSettings;
use league::verify::verify;
use record::verify::VerifyOptions;
use record::{LogReader, LogWriter};
use rules::Digest;
use tempfile::TempDir;

use super::made::MadeLeague;
use crate::{SMALL, small};

/// Returns the message of a verification.
pub(super) fn verdict(path: &Path) -> Result<u64, String> {
    let mut games = 0;
    verify(path, VerifyOptions::QUIET, &mut |round| games += round.games)
        .map(|_| games)
        .map_err(|error| error.to_string())
}

/// Writes the log of the league again, with a chain of its own, after a change of its lines.
pub(super) fn rewrite(path: &Path, change: impl Fn(&mut Vec<LeagueLine>)) {
    let log = path.join("league.jsonl");
    let mut reader = LogReader::new(record::open(&log).expect("a log"));
    let mut lines: Vec<LeagueLine> = Vec::new();
    while let Some(raw) = reader.next_raw().expect("a line") {
        lines.push(raw.parse().expect("a line of a league"));
    }
    change(&mut lines);
    fs::remove_file(&log).expect("it is there");
    let mut writer = LogWriter::create(&log).expect("a new file");
    for line in &lines {
        writer.append(line).expect("room");
    }
}

pub(super) fn copied(league: &MadeLeague) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let copy = folder.path().join("class");
    copy_all(league.folder.path(), &copy);
    (folder, copy)
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a new folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let to = to.join(entry.file_name());
        match entry.file_type().expect("a type").is_dir() {
            true => copy_all(&entry.path(), &to),
            false => fs::copy(entry.path(), to).map(drop).expect("room"),
        }
    }
}

#[test]
fn a_league_is_in_order() {
    let (_folder, mut league) = small();
    assert_eq!(verdict(league.folder.path()), Ok(16));
    let standings = league.run(1, SMALL).standings();
    let line = league.announce(&standings, SMALL);
    assert_eq!(verdict(league.folder.path()), Ok(24), "a round without games is in order");
    league.play(&line);
    assert_eq!(verdict(league.folder.path()), Ok(32));
}

#[test]
fn lines_that_were_written_again_do_not_fit_the_rounds() {
    let (_folder, league) = small();
    type Change = fn(&mut Vec<LeagueLine>);
    fn round(lines: &mut [LeagueLine]) -> &mut league::line::RoundLine {
        lines
            .iter_mut()
            .find_map(|line| match line {
                LeagueLine::Round(round) => Some(&mut **round),
                _ => None,
            })
            .expect("a round")
    }
    fn entry(lines: &mut [LeagueLine]) -> &mut league::line::EnterLine {
        lines
            .iter_mut()
            .find_map(|line| match line {
                LeagueLine::Enter(entry) => Some(&mut **entry),
                _ => None,
            })
            .expect("an entry")
    }
    let changes: [(&str, Change, &str); 9] = [
        (
            "nothing but the version",
            |lines| {
                if let LeagueLine::League(founding) = &mut lines[0] {
                    founding.version = "9.9.9".to_owned();
                }
            },
            "it does not name the round and the head before it",
        ),
        (
            "a bot had another program",
            |lines| entry(lines).command = "minimax".to_owned(),
            "it does not name the round and the head before it",
        ),
        (
            "a pair met for another reason",
            |lines| {
                round(lines).tables[0].why = league::line::PairingReason::Behind(0);
            },
            "round 1 that the league announced: it does not name the round and the head before it",
        ),
        ("others met", |lines| round(lines).tables[0].bots.reverse(), "its tables or deals differ"),
        ("fewer deals", |lines| round(lines).deals = 1, "begins with deal 2, expected deal 1"),
        (
            "another seed",
            |lines| round(lines).commitment = Digest::hash(b"other"),
            "its seed differs",
        ),
        (
            "no first round",
            |lines| lines.retain(|line| !matches!(line, LeagueLine::Round(it) if it.round == 0)),
            "ends round 0, which is not being played",
        ),
        (
            "an end with fewer games",
            |lines| {
                for line in lines {
                    if let LeagueLine::Over(over) = line {
                        over.games -= 1;
                    }
                }
            },
            "its number of games differs",
        ),
        (
            "a later end",
            |lines| {
                let end = lines
                    .iter()
                    .position(|line| matches!(line, LeagueLine::Over(_)))
                    .expect("an end");
                let end = lines.remove(end);
                lines.push(end);
            },
            "begins round 1, expected the end of round 0",
        ),
    ];
    for (what, change, expected) in changes {
        let (_copy, path) = copied(&league);
        rewrite(&path, change);
        let found = verdict(&path).expect_err(what);
        assert!(found.contains(expected), "{what}: {found}");
    }
}

/// The choice of tables is an input, so a league is in order whatever rule chose them.
#[test]
fn a_league_whose_rounds_were_chosen_by_an_earlier_rule_is_in_order() {
    let (_folder, mut league) = small();
    let next = |league: &MadeLeague| {
        let seed = league.seed(league.league().rounds().len() as u64).commitment();
        let index = LeagueIndex::open(&league.league(), &league.folder).expect("an index");
        next_round(&league.league(), &index.standings(), SMALL, None, &|_| true, seed)
            .expect("a round")
    };
    for why in
        [r#"{"new":0}"#, r#"{"behind":1}"#, r#"{"uncertain":{"pair":[0,1],"probability":0.001}}"#]
    {
        let mut line = next(&league);
        line.tables[0].why = serde_json::from_str(why).expect("a reason");
        let line = league.lay_out(line);
        league.play(&line);
        let log = fs::read_to_string(league.folder.path().join("league.jsonl")).expect("a log");
        assert!(log.contains(why), "{log}");
    }
    assert_eq!(verdict(league.folder.path()), Ok(40));
    let settings = "game = 'tablic'\n[rounds]\ndeals = 3\nnew-below = 30\n";
    let size = LeagueSettings::read(settings, None).expect("settings of an earlier version").size;
    assert_eq!(size, RoundSize { deals: 3.try_into().expect("not 0"), ..RoundSize::DEFAULT });
}

#[test]
fn rounds_that_are_others_are_found() {
    let (_folder, league) = small();
    let (_other_folder, other) = small();
    let (_copy, path) = copied(&league);
    let round = |path: &Path, number: u64| path.join("rounds").join(number.to_string());
    let replace = |with: &Path| {
        fs::remove_dir_all(round(&path, 0)).expect("it is there");
        copy_all(with, &round(&path, 0));
    };
    replace(&league.folder.round(1));
    let found = verdict(&path).expect_err("another round");
    assert!(found.contains("does not name the round and the head before it"), "{found}");
    // Equal cards and players give equal games, except for the chain, which is equal here, too.
    replace(&other.folder.round(0));
    assert_eq!(verdict(&path), Ok(16));
    fs::remove_file(games(&round(&path, 0))).expect("it is there");
    let found = verdict(&path).expect_err("no log");
    assert!(found.contains("nothing has been played yet"), "{found}");
    fs::remove_dir_all(round(&path, 0)).expect("it is there");
    verdict(&path).expect_err("no folder");
}

#[test]
fn a_round_that_was_broken_off_counts_as_far_as_it_was_played() {
    let (_folder, mut league) = small();
    let standings = league.run(1, SMALL).standings();
    let line = league.announce(&standings, SMALL);
    let seed = league.seed(line.round);
    let whole = league.played(&line);
    // Without its last two lines: the last game, and the end.
    let log = games(&league.folder.round(line.round));
    let text = fs::read_to_string(&log).expect("it is there");
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&log, lines[..lines.len() - 2].join("\n") + "\n").expect("room");
    let head =
        read::read_log(&league.folder.round(line.round), &mut |_, _| Ok(())).expect("a log").head;
    let over = |games, head, seed| RoundEndLine {
        round: line.round,
        games,
        head,
        broken: Some(RoundAbort { why: "bot `ben@1` is gone".to_owned(), seed }),
        results: Vec::new(),
    };
    let end = |over| league.append(LeagueLine::Over(Box::new(over)));
    let refused = end(over(7, Some(head), league.seed(99))).expect_err("another seed");
    assert!(refused.to_string().contains("a seed that does not match its commitment"), "{refused}");
    end(over(whole - 1, Some(head), seed)).expect("it fits");
    assert_eq!(verdict(league.folder.path()), Ok(24 + whole - 1));
    let index = LeagueIndex::open(&league.league(), &league.folder).expect("an index");
    assert_eq!(index.games(), 24 + whole - 1);
    let (_copy, path) = copied(&league);
    rewrite(&path, |lines| {
        for line in lines {
            if let LeagueLine::Over(over) = line
                && over.broken.is_some()
            {
                over.games += 1;
            }
        }
    });
    let found = verdict(&path).expect_err("too many games");
    assert!(found.contains("its number of games differs"), "{found}");
}

#[test]
fn a_round_that_was_broken_off_before_its_first_game_is_in_order() {
    let (_folder, mut league) = small();
    let standings = league.run(1, SMALL).standings();
    let line = league.announce(&standings, SMALL);
    let broken =
        RoundAbort { why: "bot `ben@1` is gone".to_owned(), seed: league.seed(line.round) };
    let over = RoundEndLine {
        round: line.round,
        games: 0,
        head: None,
        broken: Some(broken),
        results: Vec::new(),
    };
    league.append(LeagueLine::Over(Box::new(over))).expect("it fits");
    assert_eq!(verdict(league.folder.path()), Ok(24));
    assert_eq!(league.run(1, SMALL).games(), 32);
    assert_eq!(verdict(league.folder.path()), Ok(32));
}

/// `verify` said `ok`, with nothing of the lost line.
#[test]
fn a_log_that_is_cut_off_is_said_with_what_to_do() {
    let (_folder, league) = small();
    let log = league.folder.log();
    let whole = fs::read(&log).expect("a log");
    let lines = whole.iter().filter(|byte| **byte == b'\n').count();
    for cut in [1, 2, 40, 100] {
        fs::write(&log, &whole[..whole.len() - cut]).expect("room");
        let found = verdict(league.folder.path()).expect_err("it is cut off");
        assert!(found.contains(&format!("line {lines} is truncated")), "{cut}: {found}");
        assert!(
            found.contains("the next command that changes the league removes it"),
            "{cut}: {found}"
        );
    }
    // While a program holds the lock, it is writing the line.
    let lock = league.folder.path().join("lock");
    let held = File::create(&lock).expect("room");
    held.lock().expect("nobody has it");
    let found = verdict(league.folder.path()).err().unwrap_or_default();
    assert!(!found.contains("is truncated"), "{found}");
}

/// `verify` said `ok` of a league whose last lines were removed.
#[test]
fn games_of_a_round_that_no_line_names_are_found() {
    let (_folder, league) = small();
    let (_copy, path) = copied(&league);
    let log = path.join("league.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let begun = lines.iter().rposition(|line| line.starts_with("{\"round\"")).expect("a round");
    fs::write(&log, lines[..begun].concat()).expect("room");
    let found = verdict(&path).expect_err("round 1 has games");
    assert!(found.contains("rounds/1` holds games, but no line of league.jsonl names"), "{found}");
    for name in ["7", "01", "copy"] {
        let (_copy, path) = copied(&league);
        let round = path.join("rounds").join(name);
        copy_all(&league.folder.round(0), &round);
        let found = verdict(&path).expect_err(name);
        assert!(found.contains(&format!("rounds/{name}` holds games")), "{name}: {found}");
        // A killed run leaves a round that was laid out, and not announced.
        fs::remove_file(games(&round)).expect("it is there");
        assert_eq!(verdict(&path), Ok(16), "{name}");
    }
}

#[test]
fn a_backup_has_no_round_that_its_log_does_not_name() {
    let (_folder, league) = small();
    let (other, path) = copied(&league);
    copy_all(&league.folder.round(0), &path.join("rounds").join("2"));
    let log = path.join("league.jsonl");
    let text = fs::read_to_string(&log).expect("a log");
    fs::write(&log, text + "{\"over\":{").expect("room");
    let folder = league::folder::LeagueFolder::open(&path).expect("a league");
    let archive = other.path().join("backup.tar.gz");
    league::backup::write(&folder, &archive).expect("room");
    let again = other.path().join("again");
    league::backup::restore(&archive, &again).expect("a backup");
    assert_eq!(verdict(&again), Ok(16));
    assert!(!again.join("rounds/2").exists());
}

/// A file of a league that is cut off as soon as a part of its backup is written.
struct CuttingOff {
    file: PathBuf,
    written: Vec<u8>,
}

impl Write for CuttingOff {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        File::create(&self.file)?;
        self.written.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The end of the archive was written all the same, so it was taken for a whole one.
#[test]
fn a_backup_that_fails_to_read_a_file_is_no_whole_archive() {
    let (_folder, league) = small();
    let (other, path) = copied(&league);
    let file = path.join("a-long-file");
    // What is hardly compressed is written before all of it is read.
    let long: Vec<u8> =
        (0..32_768_u32).flat_map(|number| Digest::hash(&number.to_le_bytes()).bytes()).collect();
    fs::write(&file, long).expect("room");
    let folder = league::folder::LeagueFolder::open(&path).expect("a league");
    let mut to = CuttingOff { file, written: Vec::new() };
    let failed = league::backup::pack(&folder, &mut to, "standard output");
    let told = failed.expect_err("it shrank").to_string();
    assert!(told.contains("it shrank during the backup"), "{told}");
    assert!(!to.written.is_empty());
    let read = MultiGzDecoder::new(&to.written[..]).read_to_end(&mut Vec::new());
    assert_eq!(read.expect_err("it has no end").kind(), io::ErrorKind::UnexpectedEof);
    let archive = other.path().join("backup.tar.gz");
    fs::write(&archive, &to.written).expect("room");
    league::backup::restore(&archive, &other.path().join("again")).expect_err("it has no end");
}

/// What the system refuses was taken for a forgery.
#[test]
fn an_index_that_cannot_be_read_is_not_called_changed() {
    let (_folder, league) = small();
    let (_copy, path) = copied(&league);
    let index = path.join("index.sqlite");
    fs::remove_file(&index).expect("it is there");
    fs::create_dir_all(index.join("inside")).expect("room");
    let found = verdict(&path).expect_err("a folder is no file");
    assert!(found.contains("cannot read `") && found.contains("index.sqlite`: "), "{found}");
}
