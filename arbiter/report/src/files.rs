//! The report of a source as files: its games as scripts, each small enough to be loaded at once, and its pages.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use contest::tournament::folder::{self, shown};
use contest::tournament::plan::Plan;
use contest::tournament::read;
use contest::tournament::sharded::Sharding;
use contest::tournament::sharded::survey::{
    PieceProgress, all_pieces, initial_state, planned_players, survey, takes,
};
use record::checked_log::{CheckedLog, LogError, LogRange};
use record::stderr_texts::StderrVisibility;
use record::{self, LogProblem, LogReader, revealed_seed};
use review::ReviewSettings;
use series::SeriesState;
use standings::output;

use crate::game_line::{GAMES, GameDetails, GameHeading, GameKey, ReviewAvailability, index, list};
use crate::html::layout::{self, PageLocation};
use crate::html::{bot, games, overview};
use crate::reading::{
    GameCounts, SourceReader, SourceReport, SourceState, derive_steps, mismatch, open_log,
    plan_without_seed, unreadable,
};
use crate::report_folder::{FIRST, ReportError};
use crate::source::{Source, SourceReview};

/// What a report holds beside the games.
#[derive(Debug, Clone, Copy)]
pub struct ReportExtras<'a> {
    /// What each move is worth, if it is to be reviewed.
    pub review: Option<&'a ReviewSettings>,
    /// Whether what bots wrote to standard error, and so their notes, is in it.
    pub errors: StderrVisibility,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenReport {
    /// The number of games that count, of all sources.
    pub games: u64,
    /// The number of sources that are not finished.
    pub unfinished: usize,
}

/// The size from which on a piece takes no more games, in bytes.
const BYTES: usize = 1 << 20;

/// Writes games one by one, and keeps none.
#[derive(Debug)]
pub(super) struct ReportWriter {
    folder: PathBuf,
    games: usize,
    piece: Option<GamesFile>,
    /// The number and the attempt of the first game of each piece.
    firsts: Vec<(u64, u32)>,
    rows: Vec<GameHeading>,
    lists: usize,
}

/// A file that is being written.
#[derive(Debug)]
struct GamesFile {
    file: BufWriter<File>,
    games: usize,
    bytes: usize,
}

impl ReportWriter {
    pub(super) fn create(folder: &Path) -> io::Result<ReportWriter> {
        fs::create_dir_all(folder.join("data"))?;
        fs::create_dir_all(folder.join("bots"))?;
        let (folder, firsts, rows) = (folder.to_owned(), Vec::new(), Vec::new());
        Ok(ReportWriter { folder, games: 0, piece: None, firsts, rows, lists: 0 })
    }

    pub(super) fn add(&mut self, game: &GameDetails) -> io::Result<()> {
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

    fn next_piece(&mut self, first: &GameHeading) -> io::Result<GamesFile> {
        let number = self.firsts.len();
        self.firsts.push((first.number, first.attempt));
        let file = File::create(self.folder.join(ReportPart::Games(number).file()))?;
        let mut file = BufWriter::new(file);
        writeln!(file, "arbiter.takeGames({number}, [")?;
        Ok(GamesFile { file, games: 0, bytes: 0 })
    }

    fn write_list(&mut self) -> io::Result<()> {
        let text = list(self.lists, &self.rows)?;
        fs::write(self.folder.join(ReportPart::List(self.lists).file()), text)?;
        self.lists += 1;
        self.rows.clear();
        Ok(())
    }

    /// Writes the files that need all games, for pages at this place.
    pub(super) fn finish(mut self, reading: &SourceReport, at: PageLocation) -> io::Result<()> {
        if let Some(piece) = self.piece.take() {
            piece.finish()?;
        }
        if !self.rows.is_empty() {
            self.write_list()?;
        }
        let index = index(
            &reading.series,
            &reading.path,
            self.games,
            &self.firsts,
            &ReviewAvailability::Never,
            &reading.marks,
        );
        fs::write(self.folder.join(ReportPart::Index.file()), index)?;
        for part in reading.parts() {
            if let Some(text) = reading.part(part, at)? {
                fs::write(self.folder.join(part.file()), text)?;
            }
        }
        Ok(())
    }
}

impl GamesFile {
    fn finish(mut self) -> io::Result<()> {
        self.file.write_all(b"\n]);\n")?;
        self.file.flush()
    }
}

/// Writes all pages of one source. The commands on them have the path `told`: the typed one, or the one in
/// its league.
pub(super) fn write_source(
    source: Source,
    told: &Path,
    folder: &Path,
    location: PageLocation,
    content: ReportExtras<'_>,
) -> Result<SourceReport, ReportError> {
    let mut data = ReportWriter::create(folder)?;
    let mut reading = match source.in_shards()? {
        Some((plan, sharding)) => read_shards(&source, plan, sharding, content.errors, &mut data)?,
        None => {
            let (log, revealed) = open_log(&source, |path| {
                let mut log = record::open(path)?;
                let revealed = revealed_seed(&mut log)?;
                Ok((log, revealed))
            })?;
            let mut reviewed = content
                .review
                .map(|review| SourceReview::review(&source.log(), review))
                .transpose()?;
            let log = LogReader::new(log).with_stderr(&source.log(), content.errors);
            let mut reader = SourceReader::begin(source, log, revealed.as_ref())?;
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

/// Reads the games of all shards in their order, and hands on those that merging would take, as far as that
/// is known.
fn read_shards(
    source: &Source,
    plan: &Plan,
    sharding: Sharding,
    errors: StderrVisibility,
    data: &mut ReportWriter,
) -> Result<SourceReport, ReportError> {
    let whole = source.path();
    let usage = |error: read::ReadError| ReportError::Usage(format!("`{}`: {error}", shown(whole)));
    let mut state = initial_state(whole, plan).map_err(usage)?.games;
    let series = state.series.clone();
    let mut counts = GameCounts::new(source, &series)
        .map_err(|problem| mismatch(&shown(whole), LogProblem::line(1, problem)))?;
    let players = planned_players(whole, plan).map_err(usage)?;
    let dealing = plan.settings().seed.known_seed().map(|seed| series.dealing(seed));
    let mut is_running = false;
    for piece in survey(whole, plan, &players, all_pieces(plan, sharding)) {
        let path = shown(&piece.path);
        match piece.stage {
            PieceProgress::Missing => continue,
            PieceProgress::Wrong(problem) => {
                return Err(ReportError::Wrong(format!("`{path}` {problem}")));
            }
            PieceProgress::Begun { is_running: runs, .. } => is_running |= runs,
            PieceProgress::Over { .. } => {}
        }
        let games = folder::games(&piece.path);
        let log = record::open(&games).map_err(|it| unreadable(&path, it))?;
        let log = LogReader::new(log).with_stderr(&games, errors);
        let broken = |broken: LogError| mismatch(&path, broken.into());
        let log = CheckedLog::begin(log, LogRange::SoFar, None);
        let mut log = log.map_err(broken)?;
        while let Some(next) = log
            .next_game(|fold, game, ()| derive_steps(fold.series(), game, dealing.as_ref()))
            .map_err(broken)?
        {
            if !takes(&state, &next.game) {
                continue;
            }
            state.add(&next.game);
            let (line, number) = (next.line, next.game.game);
            let game = counts.add(&series, next).map_err(|problem| {
                mismatch(&path, LogProblem { line, game: Some(number), problem })
            })?;
            data.add(&game)?;
        }
    }
    let refused = read::entrants(whole).map_err(usage)?.refused;
    let GameCounts { standings, figures, machines, .. } = counts;
    let SeriesState { series, progress, totals } = state;
    Ok(SourceReport {
        path: whole.to_owned(),
        plan: Some(plan_without_seed(plan)?),
        refused,
        series,
        progress,
        totals,
        standings,
        figures,
        machines,
        head: None,
        state: if is_running { SourceState::Running } else { SourceState::Unfinished },
        marks: source.marks().clone(),
        review: None,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportPart {
    Overview,
    Viewer,
    /// The page of the bot at this place in the log.
    Bot(usize),
    /// The script that a page needs before it loads anything else.
    Index,
    /// A page of the list of games, as a script.
    List(usize),
    /// Games step by step, as a script.
    Games(usize),
    /// The review of a game as a script; only a server has it.
    Review(GameKey),
    Standings,
}

impl ReportPart {
    /// The part with this name; none where a report has no such file.
    pub fn named(path: &str) -> Option<ReportPart> {
        let number = |text: &str| match text {
            "0" => Some(0),
            text if text.starts_with('0') || text.starts_with('+') => None,
            text => text.parse::<usize>().ok(),
        };
        let between = |before: &str, after: &str| {
            path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).and_then(number)
        };
        Some(match path {
            "" | FIRST => ReportPart::Overview,
            "game.html" => ReportPart::Viewer,
            "data/index.js" => ReportPart::Index,
            "data/standings.json" => ReportPart::Standings,
            _ => {
                if let Some(number) = between("bots/", ".html") {
                    ReportPart::Bot(number.checked_sub(1)?)
                } else if let Some(number) = between("data/list-", ".js") {
                    ReportPart::List(number)
                } else if let Some(name) = path.strip_prefix("data/review-") {
                    let (game, attempt) = name.strip_suffix(".js")?.split_once('-')?;
                    let attempt = u32::try_from(number(attempt)?).ok()?;
                    ReportPart::Review(GameKey { number: number(game)? as u64, attempt })
                } else {
                    ReportPart::Games(between("data/games-", ".js")?)
                }
            }
        })
    }

    /// Returns true if it shows standings, which take long with many bots.
    pub fn has_standings(self) -> bool {
        matches!(self, ReportPart::Overview | ReportPart::Bot(_) | ReportPart::Standings)
    }

    /// Returns true if it is a part of a report so far as a whole, and no script about some of its games.
    pub fn is_of_report(self) -> bool {
        self.has_standings() || self == ReportPart::Viewer
    }

    /// Returns true if people read it, and not scripts.
    pub fn is_page(self) -> bool {
        matches!(self, ReportPart::Overview | ReportPart::Viewer | ReportPart::Bot(_))
    }

    pub fn media_type(self) -> &'static str {
        match self {
            ReportPart::Overview | ReportPart::Viewer | ReportPart::Bot(_) => {
                "text/html; charset=utf-8"
            }
            ReportPart::Index
            | ReportPart::List(_)
            | ReportPart::Games(_)
            | ReportPart::Review(_) => "text/javascript; charset=utf-8",
            ReportPart::Standings => "application/json",
        }
    }

    /// Its file, below the root of a source.
    pub(super) fn file(self) -> String {
        match self {
            ReportPart::Overview => FIRST.to_owned(),
            ReportPart::Viewer => "game.html".to_owned(),
            ReportPart::Bot(place) => format!("bots/{}", layout::bot_file(place)),
            ReportPart::Index => "data/index.js".to_owned(),
            ReportPart::List(number) => format!("data/list-{number}.js"),
            ReportPart::Games(number) => format!("data/games-{number}.js"),
            ReportPart::Review(GameKey { number, attempt }) => {
                format!("data/review-{number}-{attempt}.js")
            }
            ReportPart::Standings => "data/standings.json".to_owned(),
        }
    }
}

impl SourceReport {
    /// The parts that follow from all games, and not from one game alone.
    pub(super) fn parts(&self) -> impl Iterator<Item = ReportPart> {
        let bots = (0..self.series.header().players.len()).map(ReportPart::Bot);
        [ReportPart::Overview, ReportPart::Viewer, ReportPart::Standings].into_iter().chain(bots)
    }

    /// The text of one of them; none where it does not exist. It never fails: all of it has a form in JSON.
    pub fn part(&self, part: ReportPart, at: PageLocation) -> io::Result<Option<String>> {
        Ok(Some(match part {
            ReportPart::Overview => overview::page(self, at).into_string(),
            ReportPart::Viewer => games::viewer(self, at).into_string(),
            ReportPart::Bot(place) if place < self.series.header().players.len() => {
                bot::page(self, place, at.below()).into_string()
            }
            ReportPart::Standings => output::json(self.standings.get())? + "\n",
            ReportPart::Bot(_)
            | ReportPart::Index
            | ReportPart::List(_)
            | ReportPart::Games(_)
            | ReportPart::Review(_) => {
                return Ok(None);
            }
        }))
    }
}
