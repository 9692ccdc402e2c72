//! The report of a source as files: its games as scripts, each small enough to be loaded at once, and its pages.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bots::review::reviewer_of;
use games::{GameFiles, ViewKeys};
use rules::GameKind;
use serde_json::json;

use crate::growing::Reviews;
use crate::html::layout::Location;
use crate::part::Part;
use crate::reading::Reading;
use crate::steps::{GameLine, Heading};
use series::Series;
use text::shell::word;

/// The most games of a piece, and of a page of the list.
pub(super) const GAMES: usize = 100;
/// The size from which on a piece takes no more games, in bytes.
const BYTES: usize = 1 << 20;

/// Writes games one by one, and keeps none.
#[derive(Debug)]
pub(super) struct Data {
    folder: PathBuf,
    games: usize,
    piece: Option<Piece>,
    /// The number and the attempt of the first game of each piece.
    firsts: Vec<(u64, u32)>,
    rows: Vec<Heading>,
    lists: usize,
}

/// A file that is being written.
#[derive(Debug)]
struct Piece {
    file: BufWriter<File>,
    games: usize,
    bytes: usize,
}

impl Data {
    pub(super) fn create(folder: &Path) -> io::Result<Data> {
        fs::create_dir_all(folder.join("data"))?;
        fs::create_dir_all(folder.join("bots"))?;
        let (folder, firsts, rows) = (folder.to_owned(), Vec::new(), Vec::new());
        Ok(Data { folder, games: 0, piece: None, firsts, rows, lists: 0 })
    }

    pub(super) fn add(&mut self, game: &GameLine) -> io::Result<()> {
        let text = serde_json::to_string(game)?;
        let mut piece = match self.piece.take() {
            Some(piece) => piece,
            None => self.next_piece(&game.heading)?,
        };
        if piece.games > 0 {
            piece.file.write_all(b",\n")?;
        }
        piece.file.write_all(text.as_bytes())?;
        piece.games += 1;
        piece.bytes += text.len();
        if piece.games < GAMES && piece.bytes < BYTES {
            self.piece = Some(piece);
        } else {
            piece.finish()?;
        }
        self.games += 1;
        self.rows.push(game.heading.clone());
        if self.rows.len() == GAMES { self.write_list() } else { Ok(()) }
    }

    fn next_piece(&mut self, first: &Heading) -> io::Result<Piece> {
        let number = self.firsts.len();
        self.firsts.push((first.number, first.attempt));
        let file = File::create(self.folder.join(Part::Games(number).file()))?;
        let mut file = BufWriter::new(file);
        writeln!(file, "arbiter.takeGames({number}, [")?;
        Ok(Piece { file, games: 0, bytes: 0 })
    }

    fn write_list(&mut self) -> io::Result<()> {
        let text = list(self.lists, &self.rows)?;
        fs::write(self.folder.join(Part::List(self.lists).file()), text)?;
        self.lists += 1;
        self.rows.clear();
        Ok(())
    }

    /// Writes the files that need all games, for pages at this place.
    pub(super) fn finish(mut self, reading: &Reading, at: Location) -> io::Result<()> {
        if let Some(piece) = self.piece.take() {
            piece.finish()?;
        }
        if !self.rows.is_empty() {
            self.write_list()?;
        }
        let index =
            index(&reading.series, &reading.path, self.games, &self.firsts, &Reviews::Never);
        fs::write(self.folder.join(Part::Index.file()), index)?;
        for part in reading.parts() {
            if let Some(text) = reading.part(part, at)? {
                fs::write(self.folder.join(part.file()), text)?;
            }
        }
        Ok(())
    }
}

/// The script that a page needs before it loads anything else. It has the path of the log, the number of
/// games, the number and the attempt of the first game of each piece, and of a game of one's own the keys of its
/// view that are drawn. A server that reviews games says so.
pub(super) fn index(
    series: &Series,
    log: &Path,
    games: usize,
    pieces: &[(u64, u32)],
    reviews: &Reviews,
) -> String {
    let header = series.header();
    let mut index = json!({
        "game": header.game,
        "options": header.options,
        "names": header.players.iter().map(|player| &player.name).collect::<Vec<_>>(),
        "log": word(log),
        "games": games,
        "page": GAMES,
        "pieces": pieces,
    });
    if let Some(keys) = view_keys(series.kind()) {
        index["own"] = json!(keys);
    }
    let reviewer = reviewer_of(series.kind(), &series.header().options);
    if let (Reviews::Asked { own }, Some(_)) = (reviews, reviewer) {
        index["reviews"] = json!({ "own": own });
    }
    format!("arbiter.takeIndex({index});\n")
}

/// The keys of a view that are drawn, of a game of one's own; all others have scripts of their own.
pub fn view_keys(kind: &GameKind) -> Option<ViewKeys> {
    let keys = || GameFiles::of(kind).map(|files| files.view().clone()).unwrap_or_default();
    kind.rules_id().map(|_| keys())
}

/// The script with a page of the list of games.
pub(super) fn list(page: usize, rows: &[Heading]) -> io::Result<String> {
    let rows = serde_json::to_string(rows)?;
    Ok(format!("arbiter.takeList({page}, {rows});\n"))
}

impl Piece {
    fn finish(mut self) -> io::Result<()> {
        self.file.write_all(b"\n]);\n")?;
        self.file.flush()
    }
}
