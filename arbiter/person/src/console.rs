//! The console of a person: a terminal, or lines through a pipe or from a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use crate::interrupts::InterruptSignals;
use crate::picture::Picture;
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
    fn draw(&mut self, _picture: &Picture) -> io::Result<bool> {
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
                let text = text::printable(text.trim_end_matches('\r'));
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
