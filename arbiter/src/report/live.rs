//! The report of a log that may be growing, made again and again: every game is read and derived once,
//! when it has come, and again where it is looked at.
//!
//! It gives the same pages and scripts as the report on disk has as files. What is kept of a game is where
//! it stands in the log.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rules::{GameRecord, Measured, Seed};

use crate::league::folder::LeagueFolder;
use crate::log::checked_log::{Broken, CheckedLog, Extent};
use crate::log::{BadLine, LogReader, Mark, ReadLine, WholeLines, Wrong, revealed_seed};
use crate::output::standings;
use crate::report::NotWritten;
use crate::report::data::{GAMES, Index};
use crate::report::html::layout::Location;
use crate::report::html::{bot, games, overview};
use crate::report::now::{Hands, public_steps};
use crate::report::reading::{
    Counts, Reading, State, check_header, followed, heading, plan_without_seed, unreadable, wrong,
};
use crate::report::source::Source;
use crate::report::steps::{GameLine, Heading};
use crate::series::SeriesState;
use crate::tournament::entrants::Refused;
use crate::tournament::folder::shown;
use crate::{log, report};

/// From how many bytes of the log on a piece takes no more games.
const PIECE: u64 = 256 << 10;

/// A report that is made of what the log holds by now.
#[derive(Debug)]
pub(crate) struct LiveReport {
    source: Source,
    log: CheckedLog<LogReader<io::BufReader<WholeLines>>>,
    refused: Vec<Refused>,
    counts: Counts,
    plan: Option<String>,
    /// What all cards follow from, where it is known.
    dealing: Option<Seed>,
    /// How many attempts at games were read.
    attempts: usize,
    /// The place behind the last of them.
    end: Mark,
    /// Where each page of the list begins.
    lists: Vec<Mark>,
    pieces: Vec<Piece>,
    is_running: bool,
    /// Whether everything that stands in the log was read.
    is_up_to_date: bool,
}

/// Games that a page loads at once.
#[derive(Debug)]
struct Piece {
    mark: Mark,
    first: (u64, u32),
    games: usize,
}

/// What a report is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The first page.
    Overview,
    /// The page of the viewer.
    Viewer,
    /// The page of the bot at this place in the log.
    Bot(usize),
    /// What a page must know before it loads anything else, as a script.
    Index,
    /// A page of the list of games, as a script.
    List(usize),
    /// Games step by step, as a script.
    Games(usize),
    /// The standings as JSON.
    Standings,
}

/// What games show of what not everyone may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Disclosed {
    /// Whose hands are shown while games of their deal are still to come: these are dealt the same cards.
    pub(crate) hands: Hands,
    /// Whether they show what bots wrote to standard error.
    pub(crate) errors: StandardError,
}

/// Whether games show what bots wrote to standard error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StandardError {
    /// They do.
    Shown,
    /// It is for the authors of the bots.
    Hidden,
}

impl LiveReport {
    /// Begins to read a log, or the log of a tournament; none of its games was read yet.
    ///
    /// # Errors
    ///
    /// [`NotWritten`], also where nothing was played yet.
    pub(crate) fn open(path: &Path) -> Result<LiveReport, NotWritten> {
        let source = Source::open(path)?;
        let told = shown(path);
        let file = source.log();
        let unreadable = |error| unreadable(&told, error);
        let lines = match WholeLines::open(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && source.plan().is_some() => {
                return Err(NotWritten::Usage(format!("`{told}`: nothing was played yet")));
            }
            other => other.map_err(unreadable)?,
        };
        let revealed =
            log::open(&file).and_then(|mut log| revealed_seed(&mut log)).map_err(unreadable)?;
        let broken = |broken: Broken| wrong(&told, broken.into());
        let log = CheckedLog::begin(LogReader::new(lines), Extent::SoFar, revealed.as_ref());
        let log = log.map_err(broken)?;
        let refused = check_header(&source, log.fold().header())?;
        let counts = Counts::new(&source, log.fold().series())
            .map_err(|problem| wrong(&told, Wrong::line(log.fold().number(), problem)))?;
        let known = source.plan().and_then(|plan| plan.settings().seed.known());
        let planned = known.map(|seed| log.fold().series().dealing(seed));
        let dealing = log.fold().dealing().cloned().or(planned);
        let plan = source.plan().map(plan_without_seed).transpose()?;
        let (end, is_running) = (log.lines().mark(), source.is_running());
        let (lists, pieces) = (Vec::new(), Vec::new());
        Ok(LiveReport {
            source,
            log,
            refused,
            counts,
            plan,
            dealing,
            attempts: 0,
            end,
            lists,
            pieces,
            is_running,
            is_up_to_date: false,
        })
    }

    /// Reads what has come, for about as long as it may take, and says whether anything has changed.
    ///
    /// # Errors
    ///
    /// [`NotWritten`], where the log does not verify; what was read before stays.
    pub(crate) fn read_on(&mut self, time: Duration) -> Result<bool, NotWritten> {
        let begun = Instant::now();
        let told = shown(self.source.path());
        let ran = std::mem::replace(&mut self.is_running, self.source.is_running());
        let mut has_changed = ran != self.is_running;
        self.is_up_to_date = false;
        while begun.elapsed() < time {
            let dealing = self.dealing.as_ref();
            let next = self
                .log
                .next_game(|fold, game, ()| followed(fold.series(), game, dealing))
                .map_err(|broken| match broken {
                    Broken::Line { bad: BadLine::Unreadable(error), .. } => {
                        unreadable(&told, error)
                    }
                    broken => wrong(&told, broken.into()),
                })?;
            let Some(next) = next else {
                self.is_up_to_date = true;
                break;
            };
            has_changed = true;
            let (line, at) = (next.line, (next.game.game, next.game.attempt));
            let series = self.log.fold().series();
            self.counts
                .add(series, next)
                .map_err(|problem| wrong(&told, Wrong { line, game: Some(at.0), problem }))?;
            self.place(at);
        }
        has_changed |= self.is_up_to_date && self.log.lines().mark() != self.end;
        self.end = self.log.lines().mark();
        Ok(has_changed)
    }

    /// Notes where the attempt stands that was just read.
    fn place(&mut self, first: (u64, u32)) {
        let mark = self.end;
        if self.attempts.is_multiple_of(GAMES) {
            self.lists.push(mark);
        }
        match self.pieces.last_mut() {
            Some(piece) if piece.games < GAMES && piece.mark.bytes_to(&mark) < PIECE => {
                piece.games += 1;
            }
            _ => self.pieces.push(Piece { mark, first, games: 1 }),
        }
        self.attempts += 1;
        self.end = self.log.lines().mark();
    }

    /// A page or a script as it is now; none where there is no such part.
    ///
    /// # Errors
    ///
    /// [`NotWritten`], where the log is no longer what was read.
    pub(crate) fn part(
        &self,
        part: Part,
        at: Location,
        disclosed: Disclosed,
    ) -> Result<Option<String>, NotWritten> {
        let players = self.log.fold().header().players.len();
        Ok(Some(match part {
            Part::Overview => overview::page(&self.reading(disclosed.hands), at).into_string(),
            Part::Viewer => games::viewer(&self.reading(disclosed.hands), at).into_string(),
            Part::Bot(place) if place < players => {
                bot::page(&self.reading(disclosed.hands), place, at.below()).into_string()
            }
            Part::Index => self.index()?,
            Part::List(page) if page < self.lists.len() => self.list(page)?,
            Part::Games(piece) if piece < self.pieces.len() => self.games(piece, disclosed)?,
            Part::Standings => standings::json(&self.counts.tally.standings())? + "\n",
            Part::Bot(_) | Part::List(_) | Part::Games(_) => return Ok(None),
        }))
    }

    /// What the source came to by now.
    fn reading(&self, hands: Hands) -> Reading {
        let fold = self.log.fold();
        let SeriesState { series, progress, totals } = fold.state().clone();
        let state = match fold.end() {
            Some(end) => State::Over { seed: end.seed.clone() },
            None if self.source.has_later_part() => State::Continued,
            None if self.is_running => State::Running,
            None if !self.is_up_to_date => State::Reading,
            None => match self.counts.left() {
                Some(who) => State::Left { who: who.to_owned() },
                None => State::Unfinished,
            },
        };
        Reading {
            path: self.path(),
            plan: self.plan.clone(),
            refused: self.refused.clone(),
            series,
            progress,
            totals,
            standings: self.counts.tally.standings(),
            figures: match self.first_covered_deal(hands) {
                Some(deal) => self.counts.figures.clone().covered_from(deal),
                None => self.counts.figures.clone(),
            },
            machines: self.counts.machines.clone(),
            head: Some(fold.head()),
            state,
        }
    }

    /// The path as pages have it: it begins with the folder that is served, or that of the league.
    fn path(&self) -> PathBuf {
        let path = self.source.path();
        if let Some(league) = LeagueFolder::around(path)
            && let Some(round) =
                path.strip_prefix(league.path()).ok().filter(|it| !it.as_os_str().is_empty())
        {
            return league.path().file_name().map(PathBuf::from).unwrap_or_default().join(round);
        }
        path.file_name().map_or_else(|| path.to_owned(), PathBuf::from)
    }

    fn index(&self) -> Result<String, NotWritten> {
        let header = self.log.fold().header();
        let index = Index {
            game: &header.game,
            options: &header.options,
            names: header.players.iter().map(|player| player.name.as_str()).collect(),
            log: crate::text::shell::word(&self.path()),
            games: self.attempts,
            page: GAMES,
            pieces: self.pieces.iter().map(|piece| piece.first).collect(),
        };
        Ok(index.script())
    }

    /// The headings of the games of one page.
    fn list(&self, page: usize) -> Result<String, NotWritten> {
        let Some(mark) = self.lists.get(page) else { return Ok(String::new()) };
        let games = (self.attempts - page * GAMES).min(GAMES);
        let mut rows: Vec<Heading> = Vec::new();
        self.each(mark, games, &mut |game| {
            rows.push(heading(&self.counts.tally, self.log.fold().series(), game)?);
            Ok(())
        })?;
        let rows = serde_json::to_string(&rows).map_err(io::Error::from)?;
        Ok(format!("arbiter.takeList({page}, {rows});\n"))
    }

    /// The games of one piece, step by step.
    fn games(&self, number: usize, disclosed: Disclosed) -> Result<String, NotWritten> {
        let Some(piece) = self.pieces.get(number) else { return Ok(String::new()) };
        let covered = self.first_covered_deal(disclosed.hands);
        let mut lines: Vec<String> = Vec::new();
        self.each(&piece.mark, piece.games, &mut |game| {
            let line = match covered.is_some_and(|deal| game.deal >= deal) {
                true => self.covered(game),
                false => self.uncovered(game, disclosed.errors),
            }?;
            lines.push(serde_json::to_string(&line).map_err(|error| error.to_string())?);
            Ok(())
        })?;
        Ok(format!("arbiter.takeGames({number}, [\n{}\n]);\n", lines.join(",\n")))
    }

    /// From which deal on games show the hands of no seat; none where all are shown.
    ///
    /// All games of a deal come one after the other, so the deal of the next game is the first that is not over. A
    /// later part of a tournament plays none that was begun.
    fn first_covered_deal(&self, hands: Hands) -> Option<u64> {
        let SeriesState { series, progress, .. } = self.log.fold().state();
        match hands {
            Hands::Open => None,
            Hands::Public if self.source.has_later_part() => None,
            Hands::Public => progress.next().map(|next| series.seating(next.game).deal),
        }
    }

    /// A game as all seats see it.
    fn covered(&self, game: &GameRecord) -> Result<GameLine, String> {
        let series = self.log.fold().series();
        let steps = public_steps(series.setup(game, None), game)?;
        Ok(GameLine::covered(heading(&self.counts.tally, series, game)?, game, steps))
    }

    /// A game with all hands.
    fn uncovered(&self, game: &GameRecord, errors: StandardError) -> Result<GameLine, String> {
        let series = self.log.fold().series();
        let mut steps = followed(series, game, self.dealing.as_ref())?;
        if errors == StandardError::Hidden {
            let answers = steps.iter_mut().filter_map(|step| step.answer.as_mut());
            for measured in answers.filter_map(|answer| answer.measured.as_mut()) {
                let Measured { stderr, stderr_dropped, .. } = Measured::default();
                (measured.stderr, measured.stderr_dropped) = (stderr, stderr_dropped);
            }
        }
        Ok(GameLine::new(heading(&self.counts.tally, series, game)?, game, steps))
    }

    /// Reads some games again from where they stand.
    fn each(
        &self,
        mark: &Mark,
        games: usize,
        take: &mut dyn FnMut(&GameRecord) -> Result<(), String>,
    ) -> Result<(), NotWritten> {
        let told = shown(self.source.path());
        let mut lines = mark.open(&self.source.log()).map_err(|error| unreadable(&told, error))?;
        for _ in 0..games {
            let line =
                lines.next_line().map_err(|bad| wrong(&told, Wrong::line(lines.number(), bad)))?;
            let Some(ReadLine { line: log::Line::Game(game), number, .. }) = line else {
                let problem = "is no game, and it was one";
                return Err(wrong(&told, Wrong::line(lines.number(), problem)));
            };
            take(&game).map_err(|problem| {
                wrong(&told, Wrong { line: number, game: Some(game.game), problem })
            })?;
        }
        Ok(())
    }
}

/// The file names of the parts of a report, below its root.
impl Part {
    /// The part with this name; none where a report has no such file.
    pub(crate) fn named(path: &str) -> Option<Part> {
        let number = |text: &str| match text {
            "0" => Some(0),
            text if text.starts_with('0') || text.starts_with('+') => None,
            text => text.parse::<usize>().ok(),
        };
        let between = |before: &str, after: &str| {
            path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).and_then(number)
        };
        Some(match path {
            "" | report::FIRST => Part::Overview,
            "game.html" => Part::Viewer,
            "data/index.js" => Part::Index,
            "data/standings.json" => Part::Standings,
            _ => {
                if let Some(number) = between("bots/", ".html") {
                    Part::Bot(number.checked_sub(1)?)
                } else if let Some(number) = between("data/list-", ".js") {
                    Part::List(number)
                } else {
                    Part::Games(between("data/games-", ".js")?)
                }
            }
        })
    }

    /// Whether it is read by people, and not by scripts.
    pub(crate) fn is_page(self) -> bool {
        matches!(self, Part::Overview | Part::Viewer | Part::Bot(_))
    }

    /// What its text is.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Part::Overview | Part::Viewer | Part::Bot(_) => "text/html; charset=utf-8",
            Part::Index | Part::List(_) | Part::Games(_) => "text/javascript; charset=utf-8",
            Part::Standings => "application/json",
        }
    }
}
