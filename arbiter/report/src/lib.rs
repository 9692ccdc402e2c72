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
//! one, and takes its place when it is whole (`report_folder`).
//!
//! The output of bots, and every name, command and path, comes from strangers: pages are made with `maud`,
//! which escapes them, the viewer sets text and never HTML, and each page forbids scripts but those of its
//! folder.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "a part of the program, no interface for others")]

pub mod assets;
pub(crate) mod chart;
mod figures;
pub mod files;
pub mod game_line;
pub mod growing_report;
pub mod html;
pub mod league;
pub mod reading;
mod report_folder;
pub mod source;
pub mod steps;

pub use crate::league::ceremony::{Certificates, certificates};
pub use files::{ReportExtras, WrittenReport};
pub use game_line::GameDetails;
pub use report_folder::{FIRST, ReportError};

use std::fs;
use std::path::{Path, PathBuf};

use ::league::folder::LeagueFolder;
use contest::tournament::folder::TournamentFolders;
use files::write_source;
use html::PageLocation;
use reading::SourceReport;
use report_folder::ReportFolder;
use source::Source;

/// Writes the report of some logs and tournaments into a folder.
///
/// # Errors
///
/// [`ReportError`]; then the folder is as it was, as far as the machine allows.
pub fn write(
    sources: &[PathBuf],
    folder: &Path,
    content: ReportExtras<'_>,
) -> Result<WrittenReport, ReportError> {
    if let [path] = sources
        && let Some(league) = LeagueFolder::find(path)
    {
        let target = ReportFolder::open(folder)?;
        assets::write(&target.folder())?;
        let written = league::write(&league, &target.folder(), content)?;
        target.publish()?;
        return Ok(written);
    }
    // A tournament that was extended has a log for each of its parts.
    let parts = sources.iter().flat_map(|path| match path.is_dir() {
        true => TournamentFolders::find_begun(path).all(),
        false => vec![path.clone()],
    });
    let sources = parts.map(|path| Source::open(&path)).collect::<Result<Vec<_>, _>>()?;
    let target = ReportFolder::open(folder)?;
    let root = &target.folder();
    assets::write(root)?;
    let readings = match <[Source; 1]>::try_from(sources) {
        Ok([source]) => {
            let told = source.path().to_owned();
            vec![write_source(source, &told, root, PageLocation::TOP, content)?]
        }
        Err(sources) => write_several(sources, root, content)?,
    };
    target.publish()?;
    Ok(WrittenReport {
        games: readings.iter().map(|reading| reading.progress.played()).sum(),
        unfinished: readings.iter().filter(|reading| !reading.is_over()).count(),
    })
}

fn write_several(
    sources: Vec<Source>,
    root: &Path,
    content: ReportExtras<'_>,
) -> Result<Vec<SourceReport>, ReportError> {
    let mut readings = Vec::new();
    for (place, source) in sources.into_iter().enumerate() {
        let folder = root.join("logs").join((place + 1).to_string());
        let told = source.path().to_owned();
        readings.push(write_source(
            source,
            &told,
            &folder,
            PageLocation::TOP.below_list(),
            content,
        )?);
    }
    fs::write(root.join(FIRST), html::overview::several(&readings).into_string())?;
    Ok(readings)
}
