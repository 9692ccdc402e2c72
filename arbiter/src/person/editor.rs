//! A terminal: lines with editing, history and completion.
//!
//! While a line is edited, Ctrl-C is a key like any other. At other times it is a SIGINT, of which
//! the library has a handler and makes nothing before the next line is edited, if then. So another
//! handler is put before that one, which still gets every signal, and what has come is looked at
//! before a line is asked for.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};

use rules::text::printable;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};

use crate::person::console::{Console, Line};
use crate::person::interrupts::{Interrupts, Wake};

/// A terminal for a person.
pub struct Editor<'a> {
    out: &'a mut dyn Write,
    lines: rustyline::Editor<Words, MemHistory>,
    /// Lines that were pasted behind the first one, and are not asked for yet.
    pasted: VecDeque<String>,
    interrupts: Interrupts,
    _wake: Wake,
}

/// The terminals at which the library does not edit lines, by their names in `TERM`.
const WITHOUT_EDITING: [&str; 3] = ["dumb", "cons25", "emacs"];

impl<'a> Editor<'a> {
    /// Whether lines can be edited at a terminal that is called so in `TERM`.
    pub fn is_for(terminal: &str) -> bool {
        !WITHOUT_EDITING.iter().any(|name| name.eq_ignore_ascii_case(terminal))
    }

    /// The terminal of this process, to which `out` writes.
    ///
    /// # Errors
    ///
    /// Fails where the terminal cannot be set up.
    pub fn new(out: &'a mut dyn Write) -> io::Result<Editor<'a>> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let history = MemHistory::with_config(&config);
        let mut lines =
            rustyline::Editor::with_history(config, history).map_err(io::Error::other)?;
        lines.set_helper(Some(Words::default()));
        Ok(Editor {
            out,
            lines,
            pasted: VecDeque::new(),
            // After the library, which would take the place of these handlers.
            interrupts: Interrupts::new()?,
            _wake: Wake::new()?,
        })
    }

    /// Whether the person has wanted to stop and was not asked yet.
    fn was_stopped(&mut self) -> io::Result<bool> {
        self.interrupts.notice()
    }

    /// Reads until a line is complete, or the person wants to stop.
    fn read(&mut self, prompt: &str) -> io::Result<Line> {
        let mut is_spoiled = false;
        loop {
            match self.lines.readline(prompt) {
                // What ends the line that was dropped says nothing.
                Ok(text) if text.is_empty() && is_spoiled => is_spoiled = false,
                Ok(text) => return self.first_line(&text).map(Line::Typed),
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(Line::Stop),
                // Of signals only SIGINT comes here, and it may be one that was noticed long ago.
                Err(ReadlineError::Signal(_)) if self.was_stopped()? => return Ok(Line::Stop),
                Err(ReadlineError::Signal(_)) => {}
                Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                    self.tell("expected text in UTF-8: the line is dropped, type it again\n")?;
                    is_spoiled = true;
                }
                Err(ReadlineError::Io(error)) => return Err(error),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }

    /// The first line of what was typed, or pasted; the others are kept for later.
    fn first_line(&mut self, text: &str) -> io::Result<String> {
        for line in text.lines() {
            self.lines.add_history_entry(line).map_err(io::Error::other)?;
        }
        self.pasted = text.lines().map(str::to_owned).collect();
        Ok(self.pasted.pop_front().unwrap_or_default())
    }
}

impl Console for Editor<'_> {
    fn tell(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn ask(&mut self, prompt: &str, words: &[String]) -> io::Result<Line> {
        if let Some(helper) = self.lines.helper_mut() {
            helper.0 = words.to_vec();
        }
        if self.was_stopped()? {
            self.pasted.clear();
            self.tell(&format!("{prompt}\n"))?;
            return Ok(Line::Stop);
        }
        match self.pasted.pop_front() {
            Some(line) => {
                self.tell(&format!("{prompt}{}\n", printable(&line)))?;
                Ok(Line::Typed(line))
            }
            None => self.read(prompt),
        }
    }

    fn stops(&mut self) -> io::Result<usize> {
        self.interrupts.count()
    }
}

/// The words that may be completed.
#[derive(Debug, Default)]
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, beginning_with(line.get(..end).unwrap_or(line), &self.0)))
    }
}

/// The words that begin with a text, in any letter case.
fn beginning_with(text: &str, words: &[String]) -> Vec<String> {
    let text = text.to_lowercase();
    words.iter().filter(|word| word.to_lowercase().starts_with(&text)).cloned().collect()
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}

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
