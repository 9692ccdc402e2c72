//! The request to a bot as text, written and read. The normative description is `protocol.md`.

use std::fmt::{self, Write};
use std::str::{FromStr, Lines};

use crate::clock::ClockState;
use crate::game::{Game, ListCompleteness, Request, RequestHeading, RetryNotice};
use crate::text::NotText;

/// The version of the protocol that this crate writes and reads.
pub const PROTOCOL: u32 = 1;

/// The most legal moves that one request lists.
pub const LISTED: usize = 1000;

/// Usual size of a request without its history, in bytes.
const USUAL: usize = 2 << 10;

impl<G: Game> fmt::Display for Request<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { options, heading, view, history, legal, listing } = self;
        let mut text = String::new();
        history.iter().try_for_each(|entry| writeln!(text, "{entry}"))?;
        RequestText {
            game: G::NAME,
            options,
            heading,
            view: &view.to_string(),
            history_lines: history.len(),
            history: &text,
            legal,
            listing: *listing,
        }
        .fmt(f)
    }
}

/// A request of any game as it is written, with the history as text: it grows with the game, and the lines of
/// the request before need not be written again.
pub(crate) struct RequestText<'a, M> {
    pub(crate) game: &'a str,
    pub(crate) options: &'a dyn fmt::Display,
    pub(crate) heading: &'a RequestHeading,
    /// The lines of the view, none where it is empty.
    pub(crate) view: &'a str,
    pub(crate) history_lines: usize,
    pub(crate) history: &'a str,
    pub(crate) legal: &'a [M],
    pub(crate) listing: ListCompleteness,
}

impl<M: fmt::Display> RequestText<'_, M> {
    /// Its text, in room of about the right size from the beginning.
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(self.history.len() + USUAL);
        // Writing to a string does not fail.
        let _ = write!(text, "{self}");
        text
    }
}

impl<M: fmt::Display> fmt::Display for RequestText<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "arbiter {PROTOCOL}\ngame {} {}", self.game, self.options)?;
        self.heading.fmt(f)?;
        match self.view {
            "" => writeln!(f, "view 0")?,
            view => {
                let line_feeds = view.bytes().filter(|&byte| byte == b'\n').count();
                writeln!(f, "view {}\n{view}", line_feeds + 1)?;
            }
        }
        writeln!(f, "history {}", self.history_lines)?;
        f.write_str(self.history)?;
        let more = match self.listing {
            ListCompleteness::Complete => "",
            ListCompleteness::Cut => " more",
        };
        writeln!(f, "legal {}{more}", self.legal.len())?;
        self.legal.iter().try_for_each(|mv| writeln!(f, "{mv}"))?;
        f.write_str("end\n")
    }
}

/// Writes its lines.
impl fmt::Display for RequestHeading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RequestHeading { id, seat, number, time, bank, seed, retry } = self;
        writeln!(f, "match {id}\nseat {seat}\nmove {number}\ntime {time}")?;
        if let Some(ClockState { left, increment }) = bank {
            writeln!(f, "bank {left}\nincrement {increment}")?;
        }
        writeln!(f, "seed {seed}")?;
        match retry {
            Some(RetryNotice { number, reason }) => writeln!(f, "retry {number}\nreason {reason}"),
            None => Ok(()),
        }
    }
}

/// A text that is not a request, and where it stops being one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the request: {problem}")]
pub struct NotRequest {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: NotText,
}

impl<G: Game> FromStr for Request<G> {
    type Err = NotRequest;

    fn from_str(text: &str) -> Result<Self, NotRequest> {
        let mut reader = RequestReader { lines: text.lines(), line: 0 };
        let read = reader.request();
        read.map_err(|problem| NotRequest { line: reader.line, problem })
    }
}

/// A request of any game, as text: for what knows no rules, or only those that come with a contest.
///
/// ```
/// use rules::request_text::PlainRequest;
///
/// let text = include_str!("../../../examples/requests/tablic/first-move.txt");
/// let request = PlainRequest::read(text)?;
/// assert_eq!(request.game, "tablic");
/// assert!(!request.legal.is_empty());
/// # Ok::<(), rules::request_text::NotRequest>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainRequest<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// Its options.
    pub options: &'a str,
    /// The rest of the heading.
    pub heading: RequestHeading,
    /// The lines of the view.
    pub view: Vec<&'a str>,
    /// The lines of the history as the seat saw it.
    pub history: Vec<&'a str>,
    /// Legal moves, in the order of the rules.
    pub legal: Vec<&'a str>,
    /// Completeness of `legal`.
    pub listing: ListCompleteness,
}

impl<'a> PlainRequest<'a> {
    /// Reads a request without its rules.
    ///
    /// # Errors
    ///
    /// [`NotRequest`]
    pub fn read(text: &'a str) -> Result<PlainRequest<'a>, NotRequest> {
        let mut reader = RequestReader { lines: text.lines(), line: 0 };
        let read = reader.plain();
        read.map_err(|problem| NotRequest { line: reader.line, problem })
    }
}

/// The name of the game that a request is about, from its second line.
pub fn game_name(request: &str) -> Option<&str> {
    let mut lines = request.lines();
    lines.next()?.strip_prefix("arbiter ")?;
    lines.next()?.strip_prefix("game ")?.split(' ').next()
}

/// Reads a request line by line and remembers where it is.
struct RequestReader<'a> {
    lines: Lines<'a>,
    line: usize,
}

impl<'a> RequestReader<'a> {
    fn request<G: Game>(&mut self) -> Result<Request<G>, NotText> {
        let (name, options) = self.game()?;
        if name != G::NAME {
            return Err(NotText::new("a game that this bot plays", name));
        }
        let options = options.parse()?;
        let heading = self.heading()?;
        let count = number(self.value("view")?)?;
        let view = self.block(count)?.join("\n").parse()?;
        let count = number(self.value("history")?)?;
        let history = self.texts(count)?;
        let (count, listing) = self.listing()?;
        let legal = self.texts(count)?;
        self.value("end")?;
        Ok(Request { options, heading, view, history, legal, listing })
    }

    fn plain(&mut self) -> Result<PlainRequest<'a>, NotText> {
        let (game, options) = self.game()?;
        let heading = self.heading()?;
        let count = number(self.value("view")?)?;
        let view = self.block(count)?;
        let count = number(self.value("history")?)?;
        let history = self.block(count)?;
        let (count, listing) = self.listing()?;
        let legal = self.block(count)?;
        self.value("end")?;
        Ok(PlainRequest { game, options, heading, view, history, legal, listing })
    }

    /// The version, the name of the game and its options.
    fn game(&mut self) -> Result<(&'a str, &'a str), NotText> {
        let version = self.value("arbiter")?;
        if version != PROTOCOL.to_string() {
            return Err(NotText::new("protocol version 1", version));
        }
        let game = self.value("game")?;
        Ok(game.split_once(' ').unwrap_or((game, "")))
    }

    fn heading(&mut self) -> Result<RequestHeading, NotText> {
        Ok(RequestHeading {
            id: self.value("match")?.parse()?,
            seat: self.value("seat")?.parse()?,
            number: number(self.value("move")?)?,
            time: number(self.value("time")?)?,
            bank: self.bank()?,
            seed: self.value("seed")?.parse()?,
            retry: self.retry()?,
        })
    }

    /// The number of legal moves that follow, and whether these are all.
    fn listing(&mut self) -> Result<(usize, ListCompleteness), NotText> {
        let legal = self.value("legal")?;
        let (count, listing) = match legal.strip_suffix(" more") {
            Some(count) => (count, ListCompleteness::Cut),
            None => (legal, ListCompleteness::Complete),
        };
        Ok((number(count)?, listing))
    }

    /// The lines of a clock, where they come before the seed.
    fn bank(&mut self) -> Result<Option<ClockState>, NotText> {
        let seed = |line: &&str| line.split(' ').next() == Some("seed");
        let mut ahead = self.lines.clone().take_while(|line| !seed(line));
        if !ahead.any(|line| line.starts_with("bank ")) {
            return Ok(None);
        }
        let left = number(self.value("bank")?)?;
        Ok(Some(ClockState { left, increment: number(self.value("increment")?)? }))
    }

    /// The lines of a second chance, where they come before the view.
    fn retry(&mut self) -> Result<Option<RetryNotice>, NotText> {
        let view = |line: &&str| line.split(' ').next() == Some("view");
        let mut ahead = self.lines.clone().take_while(|line| !view(line));
        if !ahead.any(|line| line.starts_with("retry ")) {
            return Ok(None);
        }
        let number = number(self.value("retry")?)?;
        Ok(Some(RetryNotice { number, reason: self.value("reason")?.to_owned() }))
    }

    /// The value of the next line with this key; lines with other keys are skipped.
    fn value(&mut self, key: &'static str) -> Result<&'a str, NotText> {
        loop {
            let missing = |_| NotText::new(format!("a line `{key}`"), "");
            let line = self.next("a line").map_err(missing)?;
            let (found, value) = line.split_once(' ').unwrap_or((line, ""));
            if found == key {
                return Ok(value);
            }
        }
    }

    fn block(&mut self, count: usize) -> Result<Vec<&'a str>, NotText> {
        (0..count).map(|_| self.next("a further line")).collect()
    }

    fn texts<T: FromStr<Err = NotText>>(&mut self, count: usize) -> Result<Vec<T>, NotText> {
        (0..count).map(|_| self.next("a further line")?.parse()).collect()
    }

    fn next(&mut self, expected: &'static str) -> Result<&'a str, NotText> {
        self.line += 1;
        self.lines.next().ok_or_else(|| NotText::new(expected, ""))
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, NotText> {
    text.parse().map_err(|_| NotText::new("a number", text))
}
