//! Logs and tournaments as web pages that need no server and no network.
//!
//! A report is one folder. Its tables are HTML, made here and readable without scripts; its games
//! are data, shown by a viewer in plain JavaScript. Pages that are opened from disk may not fetch
//! files, so data lies in scripts: each calls a function of `assets/report.js` with one value.
//!
//! ```text
//! index.html  game.html  bots/N.html      pages
//! assets/                                  styles and scripts, the same in every report
//! data/standings.json                      what `arbiter tournament standings` gives
//! data/index.js                            how many games there are, and which piece begins where
//! data/list-N.js                           a line for each of 100 games
//! data/games-N.js                          up to 100 games, step by step
//! ```
//!
//! Bots and games have numbers as their names on disk and in addresses. The filters of a list stand in its
//! address (`assets/games.js`), so that a link leads to it. Results are counted here, with the standings; no
//! script adds up points.
//!
//! A report of several sources has such a folder for each below `logs/`, and `index.html` leads to them. A
//! league has pages of its own (`league/`), and such a folder for each of its rounds.
//!
//! The rules decide where the cards are after a step, so a game is replayed (`reading`), and each step holds
//! the view that every seat had of it (`steps`); the viewer lays out lines and knows no rule. Games are read
//! once, one by one, so memory does not grow with their number. A report is made in a folder inside the old
//! one, and takes its place when it is whole (`target`).
//!
//! The output of bots, and every name, command and path, comes from strangers: pages are made with `maud`,
//! which escapes them, the viewer sets text and never HTML, and each page forbids scripts but those of its
//! folder.

#![forbid(unsafe_code)]

pub mod assets;
pub(crate) mod chart;
pub mod data;
mod figures;
pub mod growing;
pub mod html;
pub mod league;
mod machines;
mod noted;
pub mod now;
pub mod part;
mod reading;
pub mod reviewed;
mod shards;
mod source;
mod steps;
mod target;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use text::system_error;
use thiserror::Error;

use ::league::folder::LeagueFolder;
use contest::tournament::parts::Parts;
use data::Data;
use html::Location;
use reading::{Reader, Reading, opened};
use record::revealed_seed;
use review::LogReview;
use reviewed::Reviewed;
use source::Source;
use target::{BadTarget, Target};

pub use league::certificates::{Certificates, certificates};
pub use steps::GameLine;

/// The first page of a report.
pub const FIRST: &str = "index.html";

/// A report that was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    /// The number of games that count, of all sources.
    pub games: u64,
    /// The number of sources that are not finished.
    pub unfinished: usize,
}

/// The reason why there is no report; one line.
#[derive(Debug, Error)]
pub enum NotWritten {
    /// The folder cannot be used, or a source cannot be read.
    #[error("{0}")]
    Usage(String),
    /// A source is not in order.
    #[error("{0}")]
    Wrong(String),
    /// The machine failed.
    #[error("cannot write the report: {}", system_error(.0))]
    Machine(#[from] io::Error),
}

impl From<BadTarget> for NotWritten {
    fn from(bad: BadTarget) -> NotWritten {
        NotWritten::Usage(bad.to_string())
    }
}

/// Writes the report of some logs and tournaments into a folder, with what each move is worth if it is to be reviewed.
///
/// # Errors
///
/// [`NotWritten`]; then the folder is as it was, as far as the machine allows.
pub fn write(
    sources: &[PathBuf],
    folder: &Path,
    review: Option<&LogReview>,
) -> Result<Written, NotWritten> {
    if let [path] = sources
        && let Some(league) = LeagueFolder::at(path)
    {
        let target = Target::open(folder)?;
        assets::write(&target.folder())?;
        let written = league::write(&league, &target.folder(), review)?;
        target.publish()?;
        return Ok(written);
    }
    // A tournament that was extended has a log for each of its parts.
    let parts = sources.iter().flat_map(|path| match path.is_dir() {
        true => Parts::begun(path).all(),
        false => vec![path.clone()],
    });
    let sources = parts.map(|path| Source::open(&path)).collect::<Result<Vec<_>, _>>()?;
    let target = Target::open(folder)?;
    let root = &target.folder();
    assets::write(root)?;
    let readings = match <[Source; 1]>::try_from(sources) {
        Ok([source]) => {
            let told = source.path().to_owned();
            vec![write_source(source, &told, root, Location::TOP, review)?]
        }
        Err(sources) => write_several(sources, root, review)?,
    };
    target.publish()?;
    Ok(Written {
        games: readings.iter().map(|reading| reading.progress.played()).sum(),
        unfinished: readings.iter().filter(|reading| !reading.is_over()).count(),
    })
}

fn write_several(
    sources: Vec<Source>,
    root: &Path,
    review: Option<&LogReview>,
) -> Result<Vec<Reading>, NotWritten> {
    let mut readings = Vec::new();
    for (place, source) in sources.into_iter().enumerate() {
        let folder = root.join("logs").join((place + 1).to_string());
        let told = source.path().to_owned();
        readings.push(write_source(source, &told, &folder, Location::TOP.below_list(), review)?);
    }
    fs::write(root.join(FIRST), html::overview::several(&readings).into_string())?;
    Ok(readings)
}

/// Writes all pages of one source. The commands on them have the path `told`: the typed one, or the one in
/// its league.
fn write_source(
    source: Source,
    told: &Path,
    folder: &Path,
    location: Location,
    review: Option<&LogReview>,
) -> Result<Reading, NotWritten> {
    let mut data = Data::create(folder)?;
    let mut reading = match source.in_shards()? {
        Some((plan, sharding)) => shards::read(&source, plan, sharding, &mut data)?,
        None => {
            let (log, revealed) = opened(&source, |path| {
                let mut log = record::open(path)?;
                let revealed = revealed_seed(&mut log)?;
                Ok((log, revealed))
            })?;
            let mut reviewed =
                review.map(|review| Reviewed::of(&source.log(), review)).transpose()?;
            let mut reader = Reader::begin(source, log, revealed.as_ref())?;
            while let Some(mut game) = reader.next_game()? {
                if let Some(reviewed) = &mut reviewed {
                    reviewed.add_to(&mut game);
                }
                data.add(&game)?;
            }
            let mut reading = reader.reading(told.to_owned());
            reading.review = reviewed;
            reader.check_standings(&reading)?;
            reading
        }
    };
    reading.path = told.to_owned();
    data.finish(&reading, location)?;
    Ok(reading)
}
