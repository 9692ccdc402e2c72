//! `arbiter explain`: all that a log tells of an answer.

use std::io::{self, Write};

use rules::record::FileChange;
use rules::text::printable;
use rules::{Answered, Escaped, Listing, Measured, Question, Verdict};

use crate::commands::request::nobody_was_asked;
use crate::failure::Failure;
use crate::log::PlayerLine;
use crate::person;
use crate::recall::{GameOfLog, Moment, Recalled, failure};
use crate::report;
use crate::report::abridged::{abridged, cut};

/// How many legal moves are shown in brief.
const MOVES: usize = 20;

/// How many lines of standard error are shown in brief.
const LINES: usize = 20;

/// Which answers are to be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Those that were not fine.
    Faults,
    /// Those at a move: to every chance that there was, or to one of them.
    Move {
        /// The number of the move, from 0.
        number: u32,
        /// 0 for the first answer, or the number of a second chance.
        retry: Option<u32>,
    },
}

/// How much is shown of what may be long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// What fits on a screen.
    Brief,
    /// All of it.
    Full,
}

impl Wanted {
    fn is(self, moment: Moment, answer: &Answered) -> bool {
        match self {
            Wanted::Faults => answer.verdict != Verdict::Ok,
            Wanted::Move { number, retry } => {
                moment.number == number && retry.is_none_or(|retry| retry == moment.retry)
            }
        }
    }
}

/// Explains the answers at a move, or every answer of a game that was not fine.
///
/// # Errors
///
/// As for [`request`](super::request::run).
pub fn run(
    game: &GameOfLog,
    wanted: Wanted,
    length: Length,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let recalled = Recalled::find(game)?;
    let mut moments = Vec::new();
    let mut explained = Vec::new();
    recalled
        .questions(&mut |moment, question, answer, measured| {
            moments.push(moment);
            if wanted.is(moment, answer) {
                let explaining = Explaining { recalled: &recalled, length, answer, measured };
                explained.push(explaining.text(moment, question));
            }
        })
        .map_err(|error| failure(&game.log, error))?;
    match (wanted, explained.as_slice()) {
        (Wanted::Move { number, .. }, []) => Err(nobody_was_asked(game, number, &moments)),
        (Wanted::Faults, []) => {
            writeln!(out, "game {}: every answer was ok", game.game)?;
            Ok(())
        }
        (_, texts) => Ok(write!(out, "{}", texts.join("\n"))?),
    }
}

/// One answer that is being explained.
struct Explaining<'a> {
    recalled: &'a Recalled,
    length: Length,
    answer: &'a Answered,
    measured: &'a Measured,
}

impl Explaining<'_> {
    fn text(&self, moment: Moment, question: &Question<'_>) -> String {
        let mut text = Vec::new();
        // Writing to memory does not fail.
        let _ = self.write(&mut text, moment, question);
        String::from_utf8_lossy(&text).into_owned()
    }

    fn write(
        &self,
        out: &mut dyn Write,
        moment: Moment,
        question: &Question<'_>,
    ) -> io::Result<()> {
        let Moment { number, retry, seat } = moment;
        let Explaining { recalled, answer, .. } = self;
        let player = recalled.series.players(recalled.game.game)[seat];
        let chance = if retry > 0 { format!(", second chance {retry}") } else { String::new() };
        let (game, command) = (recalled.game.game, printable(&player.command));
        let attempt = match recalled.game.attempt {
            0 => String::new(),
            attempt => format!(", attempt {attempt}"),
        };
        writeln!(
            out,
            "game {game}{attempt}, move {number}{chance}: seat {seat}, {} (`{command}`)\n",
            player.name
        )?;
        let detail = printable(&answer.detail);
        let detail = if detail.is_empty() { "a legal move" } else { &detail };
        writeln!(out, "  verdict  {}: {detail}", answer.verdict)?;
        self.write_printed(out)?;
        self.write_legal(out, question)?;
        self.write_times(out, player)?;
        self.write_stderr(out)?;
        writeln!(out, "  limits   {}", report::limits(&player.limits))?;
        self.write_request(out, &question.asked().bytes())
    }

    fn write_request(&self, out: &mut dyn Write, asked: &[u8]) -> io::Result<()> {
        let (text, digest) = (String::from_utf8_lossy(asked), self.answer.asked);
        let (lines, without) = match self.length {
            Length::Brief => (abridged(&text), "; without its long lists"),
            Length::Full => (text.lines().map(str::to_owned).collect(), ""),
        };
        writeln!(out, "  request  {} bytes, SHA-256 {digest}{without}:", asked.len())?;
        lines.iter().try_for_each(|line| writeln!(out, "           {line}"))
    }

    /// Bytes in one line, with their number where not all of them are shown.
    fn shown(&self, bytes: &Escaped) -> String {
        let text = bytes.to_string();
        let brief = cut(&text);
        match self.length {
            _ if text.is_empty() => "nothing".to_owned(),
            Length::Brief if brief != text => format!("{} bytes: `{brief}`", bytes.0.len()),
            _ => format!("`{text}`"),
        }
    }

    fn write_printed(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.answer.classic {
            None => writeln!(out, "  printed  {}", self.shown(&self.answer.reply)),
            Some(classic) => {
                let file = match classic.file {
                    FileChange::Appended => "appended",
                    FileChange::Rewritten => "FILE was changed; it holds",
                };
                writeln!(out, "  file     {file} {}", self.shown(&self.answer.reply))?;
                writeln!(out, "  printed  {}", self.shown(&classic.printed))
            }
        }
    }

    fn write_legal(&self, out: &mut dyn Write, question: &Question<'_>) -> io::Result<()> {
        let (moves, listing) = question.legal_moves();
        let more = match listing {
            Listing::Complete => "",
            Listing::Cut => " and others that are not listed",
        };
        let words = match self.answer.classic {
            None => "",
            Some(_) => ", in the words of the native dialect",
        };
        let most = match self.length {
            Length::Brief => MOVES,
            Length::Full => usize::MAX,
        };
        let mut shown = moves.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
        if moves.len() > most {
            shown.push_str(", …");
        }
        writeln!(out, "  legal    {}{more}{words}: {shown}", moves.len())
    }

    fn write_times(&self, out: &mut dyn Write, player: &PlayerLine) -> io::Result<()> {
        let measured = self.measured;
        match person::is_person(player) {
            true => write!(out, "  time     {:.1} ms", measured.ms)?,
            false => write!(out, "  time     {:.1} of {} ms", measured.ms, player.limits.time_ms)?,
        }
        if let Some(cpu) = measured.cpu_ms {
            write!(out, ", {cpu:.1} ms of CPU time")?;
        }
        if let Some(waited) = measured.waited_ms {
            write!(out, ", ready to run for {waited:.1} ms while others had the processors")?;
        }
        if measured.escaped > 0 {
            write!(out, ", {} escaped processes killed", measured.escaped)?;
        }
        writeln!(out)
    }

    fn write_stderr(&self, out: &mut dyn Write) -> io::Result<()> {
        let bytes = &self.measured.stderr.0;
        if bytes.is_empty() {
            return writeln!(out, "  stderr   nothing");
        }
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let lines = lines.strip_suffix(&[&b""[..]]).unwrap_or(&lines);
        // The last lines are those that tell what went wrong.
        let hidden = match self.length {
            Length::Brief => lines.len().saturating_sub(LINES),
            Length::Full => 0,
        };
        let dropped = self.measured.stderr_dropped;
        let without = match hidden {
            0 => String::new(),
            hidden => format!("; without its first {hidden} lines"),
        };
        writeln!(out, "  stderr   {} bytes, {dropped} more dropped{without}", bytes.len())?;
        for line in &lines[hidden..] {
            let line = Escaped(line.to_vec()).to_string();
            let line = if self.length == Length::Brief { cut(&line) } else { line };
            writeln!(out, "           {line}")?;
        }
        Ok(())
    }
}
