//! Custom games: opening, running and copying rules that come with a contest.
//!
//! # Theory of operation
//!
//! A game is named by a folder with a `game.toml`, by a file `NAME.wasm`, or by a command such as
//! `python3 game.py`. [`GameFiles`] reads it, and computes the digest that identifies its rules. From
//! these files rules are started as often as games are played side by side: a module by an interpreter
//! within this process (`module.rs`), a program by the crate `sandbox`, isolated as bots are
//! (`program.rs`), on a copy that holds the files of the digest and no others. The crate `rules`
//! speaks with both in the same way, and trusts neither.
//!
//! A game that was opened is known to this process by its name and digest from then on, so that logs
//! find it. A tournament or a league keeps a copy of its game, in a folder `game` beside its log.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of a crate of one program say the most")]

pub mod contents;
mod game_files;
mod module;
mod program;

pub use contents::{GameOpenError, MANIFEST, ViewKeys};
pub use game_files::{COPY, GameFiles, LATER, ReplacementCopy};

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use rules::custom::{CustomGame, NoAnswer, RulesFault, RulesSource};
use rules::{Digest, GameKind};
use sandbox::isolation::Isolation;
use sandbox::{Supervisor, file};
use text::failure::Failure;
use text::printable;
use text::terminal::say;

use module::ModuleSource;
use program::{InstanceFiles, ProgramSource, USUAL_HASH_SEED};

/// The number of bytes of a log that are searched for the digest of its rules, which stands near the beginning.
const FIRST_LOOK: u64 = 4 << 10;

/// The first bytes of a compressed log.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The most folders of later rules that are looked at.
const MOST_LATER: usize = 10_000;

/// The folder that holds the rounds of a league.
const ROUNDS: &str = "rounds";

/// The folder that holds those with test games of each bot of a league.
const TEST_GAMES: &str = "test-games";

/// The folder that holds the games of people, in that of a tournament or a league.
const PEOPLE: &str = "people";

/// Opens a game by its folder, its module or its command, and makes it known to this process.
pub fn open(named: &str, supervisor: Supervisor) -> Result<GameKind, Failure> {
    open_files(GameFiles::named(named)?, supervisor)
}

/// Opens the copy of a game that lies in the folder of a tournament or a league, if there is one.
pub fn open_copy(folder: &Path, supervisor: Supervisor) -> Result<Option<GameKind>, Failure> {
    match GameFiles::copy_in(folder)? {
        Some(files) => open_files(files, supervisor).map(Some),
        None => Ok(None),
    }
}

impl From<GameOpenError> for Failure {
    fn from(error: GameOpenError) -> Failure {
        let problem = error.to_string();
        match error {
            GameOpenError::Machine { .. } => Failure::Ours(problem),
            GameOpenError::Module { .. } | GameOpenError::Other(_) => Failure::Usage(problem),
        }
    }
}

/// Opens the copies of a game beside a log, in the folder of the log or, for a round or a test game of a league or a
/// game of people, in the folder that holds it, so that the log finds its rules. A copy that cannot be opened is
/// reported.
pub fn know_beside(log: &Path) {
    for folder in copy_folders(log) {
        know(&folder.join(COPY), &|files| names_rules(log, files));
        named_in(&folder.join(LATER), log).iter().for_each(|copy| know_named(copy));
    }
}

/// Opens the later rules of the league in this folder that have this digest, if there is a copy of them. One that cannot
/// be opened is reported.
pub fn know_later(folder: &Path, rules: Digest) {
    know_named(&folder.join(LATER).join(rules.to_string()));
}

/// The game of this name whose copy lies beside a plan and was opened: the one with these rules or, without a digest,
/// the first one of its tournament or league. This process may know others of the same name.
pub fn opened_copy(plan: &Path, name: &str, rules: Option<Digest>) -> Option<GameKind> {
    match rules {
        Some(rules) => GameKind::opened(name, rules),
        None => copy_folders(plan)
            .find_map(|folder| game_files::opened_at(&folder.join(COPY)))
            .and_then(|rules| GameKind::opened(name, rules)),
    }
}

/// The folders in which the copies of the game of a log may lie.
fn copy_folders(log: &Path) -> impl Iterator<Item = &Path> {
    let folder = log.parent().map(|folder| match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    });
    let is_round = |folder: &&Path| {
        folder.parent().and_then(Path::file_name).is_some_and(|name| name == ROUNDS)
    };
    let of_league = folder.filter(is_round).and_then(|folder| folder.parent()?.parent());
    let is_test_game = |folder: &&Path| {
        let kept = folder.parent().and_then(Path::parent).and_then(Path::file_name);
        kept.is_some_and(|name| name == TEST_GAMES)
    };
    let tested = folder.filter(is_test_game).and_then(|folder| folder.ancestors().nth(3));
    let is_of_people = |folder: &&Path| folder.file_name().is_some_and(|name| name == PEOPLE);
    let around = folder.filter(is_of_people).and_then(Path::parent);
    [folder, of_league, tested, around].into_iter().flatten()
}

/// The later rules of a league that the beginning of a log or a plan names.
fn named_in(later: &Path, log: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(later) else { return Vec::new() };
    let Some(beginning) = beginning(log) else { return Vec::new() };
    let named = entries.flatten().take(MOST_LATER).filter(|entry| {
        let name = entry.file_name();
        name.to_str().is_some_and(|it| it.parse::<Digest>().is_ok() && beginning.contains(it))
    });
    let mut named: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    named.sort();
    named
}

/// Opens a copy of later rules, which is named by their digest.
fn know_named(copy: &Path) {
    let name = copy.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    know(copy, &|files| files.id().digest.to_string() == name);
}

/// Opens a copy of a game if it is the wanted one: what lies beside a log by chance is not run.
fn know(copy: &Path, is_it: &dyn Fn(&GameFiles) -> bool) {
    if let Err(problem) = know_copy(copy, is_it) {
        say(format!("warning: {problem}"));
    }
}

fn know_copy(copy: &Path, is_it: &dyn Fn(&GameFiles) -> bool) -> Result<(), Failure> {
    if !copy.join(MANIFEST).exists() || game_files::is_begun(copy) {
        return Ok(());
    }
    let files = GameFiles::read_copy(copy).inspect_err(|_| {
        // It is reported once.
        game_files::begin(copy);
    })?;
    let Some(files) = files.filter(is_it) else { return Ok(()) };
    if !game_files::begin(copy) {
        return Ok(());
    }
    // Without a supervisor nothing is run, and the command that asks for one says so.
    let Ok(supervisor) = Supervisor::from_env(Isolation::Auto) else { return Ok(()) };
    let rules = files.id().digest;
    open_files(files, supervisor)?;
    game_files::note_opened(copy, rules);
    Ok(())
}

/// Returns true for a log whose first line has the digest of these rules, and for a plan or settings, which name
/// their game by its name.
fn names_rules(file: &Path, files: &GameFiles) -> bool {
    if file.extension().is_some_and(|ending| ending == "toml") {
        return true;
    }
    let digest = files.id().digest.to_string();
    beginning(file).is_some_and(|beginning| beginning.contains(&digest))
}

/// The beginning of a log, which may be compressed, or of a plan.
fn beginning(file: &Path) -> Option<String> {
    let bytes = file::open(file).and_then(|file| file::beginning(file, FIRST_LOOK)).ok()?;
    let bytes = match bytes.starts_with(GZIP) {
        true => decompressed(&bytes),
        false => bytes,
    };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The beginning of what these bytes, which are the beginning of a file, were compressed from.
fn decompressed(bytes: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    // It ends in the middle.
    let _ = GzDecoder::new(bytes).take(FIRST_LOOK).read_to_end(&mut found);
    found
}

fn open_files(files: GameFiles, supervisor: Supervisor) -> Result<GameKind, Failure> {
    let failed = |fault: RulesFault| {
        let problem = format!("game `{}`: {fault}", printable(files.named_as()));
        match fault.is_of_machine() {
            true => Failure::Ours(problem),
            false => Failure::Rules(problem),
        }
    };
    let source = files.source(supervisor)?;
    let kind = CustomGame::open(files.id(), source).map_err(failed)?.into_kind();
    kind.make_known();
    game_files::remember(files);
    Ok(kind)
}

impl GameFiles {
    pub fn source(&self, supervisor: Supervisor) -> Result<Box<dyn RulesSource>, GameOpenError> {
        self.source_with(supervisor, USUAL_HASH_SEED)
    }

    /// Likewise with this value of `PYTHONHASHSEED`.
    pub fn source_with(
        &self,
        supervisor: Supervisor,
        hash_seed: &str,
    ) -> Result<Box<dyn RulesSource>, GameOpenError> {
        let game = || printable(self.named_as());
        match self.module() {
            Some(content) => {
                let source = ModuleSource::new(&content.bytes);
                let source =
                    source.map_err(|problem| GameOpenError::Module { game: game(), problem })?;
                Ok(Box::new(source))
            }
            None => {
                // This shows early whether the program can be started.
                InstanceFiles::write(self).map_err(|why| match why {
                    NoAnswer::Machine(problem) => GameOpenError::Machine { game: game(), problem },
                    NoAnswer::Rules(problem) => {
                        GameOpenError::Other(format!("game `{}`: {problem}", game()))
                    }
                })?;
                Ok(Box::new(ProgramSource::new(supervisor, self.clone(), hash_seed)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// Rules of a league were not found for a round whose log was compressed.
    #[test]
    fn a_compressed_log_names_its_later_rules() {
        let folder = tempfile::tempdir().expect("room");
        let later = folder.path().join(LATER);
        let [named, other] = ["named", "other"].map(|it| Digest::hash(it.as_bytes()).to_string());
        for name in [&named, &other] {
            fs::create_dir_all(later.join(name)).expect("room");
        }
        let mut text = format!("{{\"rules\":{{\"digest\":\"{named}\"}}}}\n").into_bytes();
        // Lines that hardly become shorter.
        for number in 0..2_000_u32 {
            text.extend(format!("{}\n", Digest::hash(&number.to_le_bytes())).into_bytes());
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(&text).expect("room");
        let packed = packed.finish().expect("room");
        let half = &packed[..packed.len() / 2];
        let log = folder.path().join("games.jsonl");
        for (content, what) in [(&text[..], "plain"), (&packed[..], "whole"), (half, "cut off")] {
            fs::write(&log, content).expect("room");
            assert_eq!(named_in(&later, &log), [later.join(&named)], "{what}");
        }
        fs::write(&log, GZIP).expect("room");
        assert!(named_in(&later, &log).is_empty(), "nothing else");
    }
}
