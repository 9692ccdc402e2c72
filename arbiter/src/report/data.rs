//! The games of a source as scripts, each small enough to be loaded at once.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::json;

use crate::output::standings;
use crate::report::reading::Reading;
use crate::report::steps::{GameLine, Heading};
use crate::text::shell::word;

/// How many games a piece has at most, and a page of the list.
pub(super) const GAMES: usize = 100;
/// From how many bytes on a piece takes no more games.
const BYTES: usize = 1 << 20;

/// Writes games as they come, and keeps none.
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
    /// Begins the data of a source in its folder.
    pub(super) fn create(folder: &Path) -> io::Result<Data> {
        let folder = folder.join("data");
        fs::create_dir_all(&folder)?;
        let (firsts, rows) = (Vec::new(), Vec::new());
        Ok(Data { folder, games: 0, piece: None, firsts, rows, lists: 0 })
    }

    /// Adds a game.
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
        let file = File::create(self.folder.join(format!("games-{number}.js")))?;
        let mut file = BufWriter::new(file);
        writeln!(file, "arbiter.takeGames({number}, [")?;
        Ok(Piece { file, games: 0, bytes: 0 })
    }

    fn write_list(&mut self) -> io::Result<()> {
        let rows = serde_json::to_string(&self.rows)?;
        let text = format!("arbiter.takeList({}, {rows});\n", self.lists);
        fs::write(self.folder.join(format!("list-{}.js", self.lists)), text)?;
        self.lists += 1;
        self.rows.clear();
        Ok(())
    }

    /// Writes what is known once all games are there.
    pub(super) fn finish(mut self, reading: &Reading) -> io::Result<()> {
        if let Some(piece) = self.piece.take() {
            piece.finish()?;
        }
        if !self.rows.is_empty() {
            self.write_list()?;
        }
        let header = reading.series.header();
        let index = Index {
            game: &header.game,
            options: &header.options,
            names: reading.names().collect(),
            log: word(&reading.path),
            games: self.games,
            page: GAMES,
            pieces: self.firsts,
        };
        fs::write(self.folder.join("index.js"), index.script())?;
        let standings = standings::json(&reading.standings)?;
        fs::write(self.folder.join("standings.json"), standings + "\n")
    }
}

/// What a page must know before it loads anything else.
#[derive(Debug, Serialize)]
pub(super) struct Index<'a> {
    pub(super) game: &'a str,
    pub(super) options: &'a str,
    pub(super) names: Vec<&'a str>,
    /// The path of the log or the tournament, as a word for a shell.
    pub(super) log: String,
    pub(super) games: usize,
    pub(super) page: usize,
    pub(super) pieces: Vec<(u64, u32)>,
}

impl Index<'_> {
    /// The script that hands it over.
    pub(super) fn script(&self) -> String {
        let index = json!(self);
        format!("arbiter.takeIndex({index});\n")
    }
}

impl Piece {
    fn finish(mut self) -> io::Result<()> {
        self.file.write_all(b"\n]);\n")?;
        self.file.flush()
    }
}
