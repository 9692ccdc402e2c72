//! The console of a person: a terminal, or lines through a pipe or from a file.
//!
//! While a line is edited, Ctrl-C is a key like any other. At other times it is a SIGINT. The
//! library has a handler for it, but ignores it until the next line is edited, or altogether. So
//! another handler comes first and passes every signal on, and is checked before a line is asked
//! for.
//!
//! Pictures are drawn from the top of the terminal, row by row, each over the one before, and the
//! rest of the old one is cleared. Before the first picture, the old text is scrolled out of sight,
//! so that it stays in the scrollback. A picture is drawn again when the terminal changes its size
//! (`signals.rs`), and on Ctrl-L.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::mem;
use std::sync::{Arc, Mutex};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Config, Context, Event, EventContext,
    EventHandler, Helper, KeyEvent, RepeatCount,
};
use text::printable;

use crate::picture::{DrawnScreen, ScreenContent, TerminalSize, TypedLine, drawing, drawn};
use crate::signals::{InterruptSignals, ReadInterrupter, ResizeRedraw};
use crate::termination::TerminationSignals;

/// Shows text to a person and reads lines from them: a terminal, a pipe, a script of a test.
pub trait Console {
    /// Shows text, whole lines, at once.
    ///
    /// # Errors
    ///
    /// Fails if no one can see it.
    fn tell(&mut self, text: &str) -> io::Result<()>;

    /// Returns true if pictures can be drawn in place, each over the one before.
    fn draws_in_place(&self) -> bool {
        false
    }

    /// Draws a picture over everything on the screen, if it fits, and returns true if it does.
    ///
    /// # Errors
    ///
    /// Fails if no one can see it.
    fn draw(&mut self, _picture: &ScreenContent) -> io::Result<bool> {
        Ok(false)
    }

    /// Asks for a line behind a prompt; `words` are those that may be completed.
    fn ask(&mut self, prompt: &str, words: &[String]) -> io::Result<ConsoleLine>;

    /// The number of times that the person has wanted to stop since the last line. The next line is then
    /// [`ConsoleLine::Stop`].
    fn stops(&mut self) -> io::Result<usize>;
}

/// The answer to a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConsoleLine {
    /// A line, without its end.
    Typed(String),
    /// The person wants to see the picture anew; the next line begins with the same text.
    Redraw,
    /// The person wants to stop, and can still be asked: Ctrl-C, or Ctrl-D at a terminal.
    Stop,
    /// Nothing more will come.
    End,
}

/// The longest line that is read, in bytes; the rest of a longer one is dropped.
const LONGEST_LINE: usize = 4096;

/// Lines from a file, a pipe or standard input, and text to somewhere else.
pub struct PlainConsole<'a> {
    out: &'a mut dyn Write,
    input: BufReader<File>,
    echo: Echo,
    interrupts: InterruptSignals,
}

/// The display of lines behind their prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// They are shown: nothing else shows them.
    Shown,
    /// They are not: a terminal has shown them as they were typed.
    Hidden,
}

impl<'a> PlainConsole<'a> {
    /// Lines from `input`; from now on SIGINT is a wish to stop.
    ///
    /// # Errors
    ///
    /// Fails where signals cannot be waited for.
    pub fn new(
        out: &'a mut dyn Write,
        input: File,
        echo: Echo,
        closing: TerminationSignals,
    ) -> io::Result<PlainConsole<'a>> {
        let interrupts = InterruptSignals::new(closing)?;
        Ok(PlainConsole { out, input: BufReader::new(input), echo, interrupts })
    }

    fn read(&mut self) -> io::Result<ConsoleLine> {
        let mut line = Vec::new();
        loop {
            if self.interrupts.wait(&self.input)? {
                return Ok(match self.interrupts.is_closing() {
                    true => ConsoleLine::End,
                    false => ConsoleLine::Stop,
                });
            }
            let read = self.input.fill_buf()?;
            let end = read.iter().position(|byte| *byte == b'\n');
            let part = &read[..end.unwrap_or(read.len())];
            line.extend(part.iter().take(LONGEST_LINE - line.len()));
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() || (used == 0 && !line.is_empty()) {
                return Ok(ConsoleLine::Typed(String::from_utf8_lossy(&line).into_owned()));
            }
            if used == 0 {
                return Ok(ConsoleLine::End);
            }
        }
    }
}

impl Console for PlainConsole<'_> {
    fn tell(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn ask(&mut self, prompt: &str, _: &[String]) -> io::Result<ConsoleLine> {
        self.tell(prompt)?;
        let line = self.read()?;
        match (&line, self.echo) {
            (ConsoleLine::Typed(text), Echo::Shown) => {
                let text = printable(text.trim_end_matches('\r'));
                self.tell(&format!("{text}\n"))?;
            }
            (ConsoleLine::Typed(_), Echo::Hidden) => {}
            (ConsoleLine::Stop | ConsoleLine::End | ConsoleLine::Redraw, _) => self.tell("\n")?,
        }
        Ok(line)
    }

    fn stops(&mut self) -> io::Result<usize> {
        self.interrupts.count()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TerminalLayout {
    /// In place: each picture over the one before.
    InPlace,
    /// One text below the other.
    Scroll,
}

/// A terminal for a person.
pub struct LineEditor<'a> {
    out: &'a mut dyn Write,
    layout: TerminalLayout,
    /// True once the old text was moved out of sight, before the first picture.
    has_room: bool,
    drawn: Arc<Mutex<DrawnScreen>>,
    _resizes: Option<ResizeRedraw>,
    lines: rustyline::Editor<Completions, MemHistory>,
    /// Lines that were pasted behind the first one, and are not asked for yet.
    pasted: VecDeque<String>,
    interrupts: InterruptSignals,
    _wake: ReadInterrupter,
}

/// The terminals at which the library does not edit lines, by their names in `TERM`.
const WITHOUT_EDITING: [&str; 3] = ["dumb", "cons25", "emacs"];

impl<'a> LineEditor<'a> {
    /// Returns true if lines can be edited at a terminal with this name in `TERM`.
    pub fn is_for(terminal: &str) -> bool {
        !WITHOUT_EDITING.iter().any(|name| name.eq_ignore_ascii_case(terminal))
    }

    pub fn new(out: &'a mut dyn Write, layout: TerminalLayout) -> io::Result<LineEditor<'a>> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let history = MemHistory::with_config(&config);
        let mut lines =
            rustyline::Editor::with_history(config, history).map_err(io::Error::other)?;
        let drawn = Arc::new(Mutex::new(DrawnScreen::default()));
        lines.set_helper(Some(Completions { words: Vec::new(), drawn: Arc::clone(&drawn) }));
        if layout == TerminalLayout::InPlace {
            let redraw = EventHandler::Conditional(Box::new(RedrawKey(Arc::clone(&drawn))));
            lines.bind_sequence(KeyEvent::ctrl('L'), redraw);
        }
        let resizes = match layout {
            TerminalLayout::InPlace => Some(ResizeRedraw::new(Arc::clone(&drawn))?),
            TerminalLayout::Scroll => None,
        };
        Ok(LineEditor {
            out,
            layout,
            has_room: false,
            drawn,
            _resizes: resizes,
            lines,
            pasted: VecDeque::new(),
            // After the library, which would take the place of these handlers.
            interrupts: InterruptSignals::new(TerminationSignals::unnoticed())?,
            _wake: ReadInterrupter::new()?,
        })
    }

    /// Reads until a line is complete, or the person wants to stop.
    fn read(&mut self, prompt: &str) -> io::Result<ConsoleLine> {
        let mut is_spoiled = false;
        loop {
            let begun = {
                let mut drawn = drawn(&self.drawn);
                drawn.prompt = Some(prompt.to_owned());
                // Without a prompt no other thread minds the size.
                if let Some((columns, rows)) = self.lines.dimensions()
                    && let Some(text) =
                        drawn.redraw(TerminalSize { columns: columns.into(), rows: rows.into() })
                {
                    self.out.write_all(text.as_bytes())?;
                    self.out.flush()?;
                }
                mem::take(&mut drawn.line)
            };
            let read = self.lines.readline_with_initial(prompt, begun.parts());
            let typed = {
                let mut drawn = drawn(&self.drawn);
                drawn.prompt = None;
                mem::take(&mut drawn.line)
            };
            match read {
                Err(ReadlineError::Interrupted) if typed.is_to_go_on => {
                    drawn(&self.drawn).line = TypedLine { is_to_go_on: false, ..typed };
                    return Ok(ConsoleLine::Redraw);
                }
                // This is the end of the line that was dropped.
                Ok(text) if text.is_empty() && is_spoiled => is_spoiled = false,
                Ok(text) => return self.first_line(&text).map(ConsoleLine::Typed),
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => {
                    return Ok(ConsoleLine::Stop);
                }
                // The only signal that comes here is SIGINT, and it may have been noticed long ago.
                Err(ReadlineError::Signal(_)) if self.interrupts.notice()? => {
                    return Ok(ConsoleLine::Stop);
                }
                Err(ReadlineError::Signal(_)) => {}
                Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                    self.tell("expected UTF-8 text: the line was dropped, type it again\n")?;
                    is_spoiled = true;
                }
                Err(ReadlineError::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    /// The first line that was typed or pasted; the others are kept for later.
    fn first_line(&mut self, text: &str) -> io::Result<String> {
        for line in text.lines() {
            self.lines.add_history_entry(line).map_err(io::Error::other)?;
        }
        self.pasted = text.lines().map(str::to_owned).collect();
        Ok(self.pasted.pop_front().unwrap_or_default())
    }
}

impl Console for LineEditor<'_> {
    fn tell(&mut self, text: &str) -> io::Result<()> {
        // From now on there is more on the screen than the picture.
        drawn(&self.drawn).picture = None;
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn draws_in_place(&self) -> bool {
        self.layout == TerminalLayout::InPlace
    }

    fn draw(&mut self, picture: &ScreenContent) -> io::Result<bool> {
        let Some((columns, rows)) = self.lines.dimensions() else { return Ok(false) };
        let size = TerminalSize { columns: columns.into(), rows: rows.into() };
        let Some(text) = drawing(picture, size) else { return Ok(false) };
        if !self.has_room {
            // As many line ends as there are rows move out of sight what is above the cursor, and
            // nothing else.
            self.out.write_all("\r\n".repeat(size.rows).as_bytes())?;
            self.has_room = true;
        }
        let mut drawn = drawn(&self.drawn);
        drawn.picture = Some((picture.clone(), size));
        self.out.write_all(text.as_bytes())?;
        self.out.flush()?;
        Ok(true)
    }

    fn ask(&mut self, prompt: &str, words: &[String]) -> io::Result<ConsoleLine> {
        if let Some(helper) = self.lines.helper_mut() {
            helper.words = words.to_vec();
        }
        if self.interrupts.notice()? {
            self.pasted.clear();
            self.tell(&format!("{prompt}\n"))?;
            return Ok(ConsoleLine::Stop);
        }
        match self.pasted.pop_front() {
            Some(line) => {
                self.tell(&format!("{prompt}{}\n", printable(&line)))?;
                Ok(ConsoleLine::Typed(line))
            }
            None => self.read(prompt),
        }
    }

    fn stops(&mut self) -> io::Result<usize> {
        self.interrupts.count()
    }
}

/// Ends a line that goes on afterwards.
struct RedrawKey(Arc<Mutex<DrawnScreen>>);

impl ConditionalEventHandler for RedrawKey {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, at: &EventContext<'_>) -> Option<Cmd> {
        let (text, cursor) = (at.line().to_owned(), at.pos());
        drawn(&self.0).line = TypedLine { text, cursor, is_to_go_on: true };
        Some(Cmd::Interrupt)
    }
}

/// The words that may be completed.
#[derive(Debug)]
struct Completions {
    words: Vec<String>,
    /// The place where the typed line is noted.
    drawn: Arc<Mutex<DrawnScreen>>,
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, beginning_with(line.get(..end).unwrap_or(line), &self.words)))
    }
}

/// The words that begin with a text, in any letter case.
fn beginning_with(text: &str, words: &[String]) -> Vec<String> {
    let text = text.to_lowercase();
    words.iter().filter(|word| word.to_lowercase().starts_with(&text)).cloned().collect()
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {
    /// Notes the line: the editor calls this after each change. The line has no colours.
    fn highlight_char(&self, line: &str, cursor: usize, _: CmdKind) -> bool {
        let mut drawn = drawn(&self.drawn);
        if !drawn.line.is_to_go_on {
            drawn.line = TypedLine { text: line.to_owned(), cursor, is_to_go_on: false };
        }
        false
    }
}

impl Validator for Completions {}

impl Helper for Completions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_in_any_letter_case() {
        let words = ["10D", "10S", "hint", "history"].map(str::to_owned);
        assert_eq!(beginning_with("10s", &words), ["10S"]);
        assert_eq!(beginning_with("HI", &words), ["hint", "history"]);
        assert_eq!(beginning_with("", &words), words);
    }
}
