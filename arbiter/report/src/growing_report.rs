//! The report of a log that may be growing: every game is read and derived once when it has come, and again
//! when a page shows it.
//!
//! It gives the same pages and scripts as the report on disk, and the same values as JSON for programs
//! ([`values`]). Of each game only its place in the log is kept.

pub mod values;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, mem};

use contest::tournament::folder::shown;
use league::folder::LeagueFolder;
use league::replay_request::RoundMarks;
use record::stderr_texts::StderrVisibility;
use record::{LogLine, LogPosition, LogProblem, LogReader, WholeLines, revealed_seed};
use rules::GameRecord;
use series::game_status::game_status;
use series::{Series, SeriesState};

use crate::files::ReportPart;
use crate::game_line::{
    GAMES, GameDetails, GameHeading, GameKey, HandVisibility, ReviewAvailability, index, list,
};

use crate::reading::{
    SourceReader, SourceReport, derive_steps, heading, mismatch, open_log, unreadable,
};
use crate::report_folder::ReportError;
use crate::source::Source;
use crate::steps::public_steps;

/// The size from which on a piece takes no more games, in bytes of the log.
const PIECE: u64 = 256 << 10;

/// The report of a log as far as it was read.
#[derive(Debug)]
pub struct GrowingReport {
    reader: SourceReader<io::BufReader<WholeLines>>,
    /// The number of attempts at games that were read.
    attempts: usize,
    last: Option<GameKey>,
    /// The place behind it.
    end: LogPosition,
    /// The beginning of each page of the list.
    lists: Vec<LogPosition>,
    pieces: Vec<GameBatch>,
}

/// The games that a page loads at once.
#[derive(Debug)]
struct GameBatch {
    mark: LogPosition,
    /// The number and the attempt of its first game.
    first: (u64, u32),
    games: usize,
}

/// The part of games that is disclosed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disclosure {
    /// Discloses hands while games of their deal are still to come, which are dealt the same cards, or not.
    pub hands: HandVisibility,
    /// Shows what bots wrote to standard error, or not.
    pub errors: StderrVisibility,
}

/// A game that can be reviewed.
#[derive(Debug)]
pub struct ReviewableGame {
    pub series: Series,
    pub game: GameRecord,
    /// The game as pages show it.
    pub line: GameDetails,
}

impl GrowingReport {
    /// Begins to read a log, or the log of a tournament. Fails also if no game was begun yet.
    /// `marks` are those of a round of a league.
    pub fn open(path: &Path, marks: RoundMarks) -> Result<GrowingReport, ReportError> {
        let source = Source::open(path)?.marked(marks);
        let lines = open_log(&source, WholeLines::open)?;
        let revealed = open_log(&source, |log| revealed_seed(&mut record::open(log)?))?;
        let log = source.log();
        let lines = LogReader::new(lines).with_stderr(&log, StderrVisibility::Shown);
        let reader = SourceReader::begin(source, lines, revealed.as_ref())?;
        let end = reader.lines().mark();
        let (lists, pieces) = (Vec::new(), Vec::new());
        Ok(GrowingReport { reader, attempts: 0, last: None, end, lists, pieces })
    }

    /// Reads new games, for about as long as it may take, and returns true if anything has changed. Fails if
    /// the log does not verify; the report stays as it was before.
    pub fn read_on(&mut self, time: Duration) -> Result<bool, ReportError> {
        let begun = Instant::now();
        let is_running = self.reader.source.is_running();
        let mut has_changed = mem::replace(&mut self.reader.is_running, is_running) != is_running;
        let was_up_to_date = mem::replace(&mut self.reader.is_up_to_date, false);
        while begun.elapsed() < time {
            let Some(game) = self.reader.next_game()? else { break };
            has_changed = true;
            self.place(game.heading.key());
        }
        has_changed |= self.reader.is_up_to_date != was_up_to_date;
        has_changed |= self.reader.is_up_to_date && self.reader.lines().mark() != self.end;
        self.end = self.reader.lines().mark();
        Ok(has_changed)
    }

    /// True if the last reading came to the end of the log.
    pub fn is_up_to_date(&self) -> bool {
        self.reader.is_up_to_date
    }

    /// Notes the place of the attempt that was just read.
    fn place(&mut self, key: GameKey) {
        let (mark, first) = (self.end, (key.number, key.attempt));
        self.last = Some(key);
        if self.attempts.is_multiple_of(GAMES) {
            self.lists.push(mark);
        }
        match self.pieces.last_mut() {
            Some(piece) if piece.games < GAMES && piece.mark.bytes_to(&mark) < PIECE => {
                piece.games += 1;
            }
            _ => self.pieces.push(GameBatch { mark, first, games: 1 }),
        }
        self.attempts += 1;
        self.end = self.reader.lines().mark();
    }

    /// A script as it is now; none where there is no such script. Fails if the log is no longer the same.
    pub fn script(
        &self,
        part: ReportPart,
        disclosed: Disclosure,
        reviews: &ReviewAvailability,
    ) -> Result<Option<String>, ReportError> {
        Ok(match part {
            ReportPart::Index => Some(index(
                self.reader.fold().series(),
                &self.path(),
                self.attempts,
                &self.pieces.iter().map(|piece| piece.first).collect::<Vec<_>>(),
                reviews,
                self.reader.source.marks(),
            )),
            ReportPart::List(page) if page < self.lists.len() => Some(self.list(page)?),
            ReportPart::Games(piece) if piece < self.pieces.len() => {
                Some(self.games(piece, disclosed)?)
            }
            ReportPart::List(_)
            | ReportPart::Games(_)
            | ReportPart::Review(_)
            | ReportPart::Overview
            | ReportPart::Viewer
            | ReportPart::Bot(_)
            | ReportPart::Standings => None,
        })
    }

    /// The report so far: its pages are made of it while the log is read on.
    pub fn reading(&self, disclosed: Disclosure) -> SourceReport {
        let mut reading = self.reader.reading(self.path());
        let covered = self.first_covered_deal(disclosed.hands);
        if let Some(deal) = covered {
            reading.figures = reading.figures.covered_from(deal);
        }
        // A mean that changes with a game tells of it, as standard error does.
        if covered.is_some() || disclosed.errors == StderrVisibility::Hidden {
            reading.figures = reading.figures.without_notes();
        }
        reading
    }

    /// The path that pages show: it begins with the served folder, or with the folder of the league.
    fn path(&self) -> PathBuf {
        let path = self.reader.source.path();
        if let Some(league) = LeagueFolder::find_enclosing(path)
            && let Some(round) =
                path.strip_prefix(league.path()).ok().filter(|it| !it.as_os_str().is_empty())
        {
            return league.path().file_name().map(PathBuf::from).unwrap_or_default().join(round);
        }
        path.file_name().map_or_else(|| path.to_owned(), PathBuf::from)
    }

    /// The headings of the games of one page.
    fn list(&self, page: usize) -> Result<String, ReportError> {
        let Some(mark) = self.lists.get(page) else { return Ok(String::new()) };
        let games = (self.attempts - page * GAMES).min(GAMES);
        let mut rows: Vec<GameHeading> = Vec::new();
        self.reread_games(mark, games, StderrVisibility::Hidden, &mut |_, heading| {
            rows.push(heading);
            Ok(())
        })?;
        Ok(list(page, &rows)?)
    }

    /// An attempt at a game that counts, with all that its review needs; none where its hands are hidden.
    pub fn to_review(
        &self,
        key: GameKey,
        hands: HandVisibility,
    ) -> Result<Option<ReviewableGame>, ReportError> {
        let Some(piece) = self.pieces.get(self.piece_of(key)) else { return Ok(None) };
        let covered = self.first_covered_deal(hands);
        let mut found = None;
        self.reread_games(
            &piece.mark,
            piece.games,
            StderrVisibility::Hidden,
            &mut |game, heading| {
                let is_it = (heading.number, heading.attempt) == (key.number, key.attempt);
                if is_it && heading.counts() && covered.is_none_or(|deal| game.deal < deal) {
                    let line = self.uncovered(game, heading)?;
                    found = Some((game.clone(), line));
                }
                Ok(())
            },
        )?;
        let series = self.reader.fold().series().clone();
        Ok(found.map(|(game, line)| ReviewableGame { series, game, line }))
    }

    /// The place of the piece that has an attempt, if any has it.
    fn piece_of(&self, key: GameKey) -> usize {
        let later = self.pieces.partition_point(|it| it.first <= (key.number, key.attempt));
        later.saturating_sub(1)
    }

    /// The games of one piece, step by step.
    fn games(&self, number: usize, disclosed: Disclosure) -> Result<String, ReportError> {
        let Some(piece) = self.pieces.get(number) else { return Ok(String::new()) };
        let covered = self.first_covered_deal(disclosed.hands);
        let mut lines: Vec<String> = Vec::new();
        self.reread_games(&piece.mark, piece.games, disclosed.errors, &mut |game, heading| {
            let line = self.disclosed(game, heading, covered)?;
            lines.push(serde_json::to_string(&line).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        Ok(format!("arbiter.takeGames({number}, [\n{}\n]);\n", lines.join(",\n")))
    }

    /// The first deal whose hands are hidden; none if all are shown.
    ///
    /// The games of a deal follow each other, so the first deal that is not over is the one of the next game.
    /// A later part of a tournament plays no deal that was begun.
    fn first_covered_deal(&self, hands: HandVisibility) -> Option<u64> {
        let SeriesState { series, progress, .. } = &self.reader.fold().state;
        match hands {
            HandVisibility::Open => None,
            HandVisibility::Public if self.reader.source.has_later_part() => None,
            HandVisibility::Public => progress.next().map(|next| series.seating(next.game).deal),
        }
    }

    /// A game, with its public part alone if its deal is covered.
    fn disclosed(
        &self,
        game: &GameRecord,
        heading: GameHeading,
        covered: Option<u64>,
    ) -> Result<GameDetails, String> {
        match covered.is_some_and(|deal| game.deal >= deal) {
            true => self.covered(game, heading),
            false => self.uncovered(game, heading),
        }
    }

    /// A game with its public part alone.
    fn covered(&self, game: &GameRecord, heading: GameHeading) -> Result<GameDetails, String> {
        let series = self.reader.fold().series();
        let steps = public_steps(series.setup(game, None), game)?;
        Ok(GameDetails::covered(heading, game, steps))
    }

    /// A game with all hands.
    fn uncovered(&self, game: &GameRecord, heading: GameHeading) -> Result<GameDetails, String> {
        let series = self.reader.fold().series();
        let steps = derive_steps(series, game, self.reader.dealing.as_ref())?;
        Ok(GameDetails::new(heading, game, steps))
    }

    /// Reads some games again, from their place in the log.
    fn reread_games(
        &self,
        mark: &LogPosition,
        games: usize,
        errors: StderrVisibility,
        take: &mut dyn FnMut(&GameRecord, GameHeading) -> Result<(), String>,
    ) -> Result<(), ReportError> {
        let (told, series) = (shown(self.reader.source.path()), self.reader.fold().series());
        let log = self.reader.source.log();
        let lines = mark.open(&log).map_err(|error| unreadable(&told, error))?;
        let mut lines = lines.with_stderr(&log, errors);
        for _ in 0..games {
            let line = lines
                .next_line()
                .map_err(|bad| mismatch(&told, LogProblem::line(lines.number(), bad)))?;
            let Some(LogLine { line: record::Line::Game(game), number, .. }) = line else {
                let problem = "is no longer a game";
                return Err(mismatch(&told, LogProblem::line(lines.number(), problem)));
            };
            let in_game = |problem| {
                mismatch(&told, LogProblem { line: number, game: Some(game.game), problem })
            };
            game.check_form(series.seats()).map_err(in_game)?;
            let status = game_status(&game, series);
            let heading = heading(self.reader.counts.standings.tally(), series, &game, status);
            heading.and_then(|heading| take(&game, heading)).map_err(in_game)?;
        }
        Ok(())
    }
}
