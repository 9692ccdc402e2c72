//! Positions to practise: decisions with one clearly best move, as files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use rules::{Digest, StandaloneRequest};
use sandbox::file;
use serde::{Deserialize, Serialize};
use text::failure::Failure;
use text::{printable, system_error};

use crate::decision::Decision;

/// The end of the name of a request.
const REQUEST: &str = "request";

/// The end of the name of the values of its moves.
const VALUES: &str = "json";

/// The most puzzles of a folder.
const MOST: usize = 10_000;

/// The most bytes of all of them.
const LONGEST: u64 = 64 << 20;

/// A decision with one clearly best move.
#[derive(Debug, Clone, PartialEq)]
pub struct Puzzle {
    /// Its name, which its files have.
    pub name: String,
    /// The request, byte for byte.
    pub request: String,
    pub values: PuzzleValues,
}

/// What the moves of a puzzle are worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PuzzleValues {
    pub log: String,
    pub game: u64,
    /// The move.
    #[serde(rename = "move")]
    pub number: u32,
    pub phase: String,
    pub best: String,
    /// The number of worlds; 0 if the values are exact.
    pub worlds: u32,
    /// The chance to win by each different move.
    pub moves: BTreeMap<String, f64>,
}

impl PuzzleValues {
    fn are_sound(&self) -> bool {
        let best = self.moves.get(&self.best);
        let is_sound =
            |win: &f64| (0.0..=1.0).contains(win) && best.is_some_and(|best| win <= best);
        best.is_some() && self.moves.values().all(is_sound)
    }
}

impl Puzzle {
    /// A puzzle of a decision whose best move was played.
    pub(crate) fn new(log: &str, game: u64, decision: &Decision, request: String) -> Puzzle {
        let short = &Digest::hash(request.as_bytes()).to_string()[..8];
        let moves = decision.moves.iter().map(|mv| (mv.mv.clone(), mv.win)).collect();
        let values = PuzzleValues {
            log: log.to_owned(),
            game,
            number: decision.number,
            phase: decision.phase.clone(),
            best: decision.moves[decision.played].mv.clone(),
            worlds: decision.worlds().unwrap_or(0),
            moves,
        };
        let name = format!("game-{game}-move-{}-{short}", decision.number);
        Puzzle { name, request, values }
    }

    /// Writes its two files into a folder.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let values = serde_json::to_string_pretty(&self.values)?;
        let files = [(REQUEST, self.request.clone()), (VALUES, format!("{values}\n"))];
        for (ending, text) in files {
            fs::write(folder.join(format!("{}.{ending}", self.name)), text)?;
        }
        Ok(())
    }

    /// Reads the puzzles of a folder, in the order of their names.
    pub fn read_folder(folder: &Path) -> Result<Vec<Puzzle>, Failure> {
        let shown = |path: &Path| printable(&path.display().to_string());
        let unreadable = |path: &Path, error: io::Error| {
            Failure::Usage(format!("`{}`: {}", shown(path), system_error(error)))
        };
        let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
        let mut names = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            if path.extension().is_some_and(|ending| ending == REQUEST) {
                names.push(path);
            }
        }
        if names.len() > MOST {
            let problem = format!("more than {MOST} puzzles");
            return Err(unreadable(folder, io::Error::other(problem)));
        }
        names.sort();
        let mut left = LONGEST;
        let mut puzzles = Vec::new();
        for path in names {
            let mut text = |path: &Path| {
                let text = file::text(path, left.min(file::LONGEST_TEXT));
                let text = text.map_err(|error| unreadable(path, error))?;
                left -= text.len() as u64;
                Ok::<_, Failure>(text)
            };
            let request = text(&path)?;
            StandaloneRequest::read(&request)
                .map_err(|error| unreadable(&path, io::Error::other(error)))?;
            let beside = path.with_extension(VALUES);
            let values: PuzzleValues = serde_json::from_str(&text(&beside)?)
                .map_err(|error| unreadable(&beside, io::Error::other(error)))?;
            if !values.are_sound() {
                let problem = "expected moves with chances from 0 to 1, `best` with the greatest";
                return Err(unreadable(&beside, io::Error::other(problem)));
            }
            let name = path.file_stem().map(|name| printable(&name.to_string_lossy()));
            puzzles.push(Puzzle { name: name.unwrap_or_default(), request, values });
        }
        match puzzles.is_empty() {
            true => Err(Failure::Usage(format!(
                "no puzzles in `{}`: use a folder made by `arbiter puzzles`",
                shown(folder)
            ))),
            false => Ok(puzzles),
        }
    }

    /// What a move gives away, as a part of a win; none if it is not among the moves of the puzzle.
    pub fn given_away(&self, mv: &str) -> Option<f64> {
        let best = self.values.moves.get(&self.values.best)?;
        self.values.moves.get(mv).map(|win| best - win)
    }
}
