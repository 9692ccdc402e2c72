//! Lines without a terminal: through a pipe, from a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};

use crate::closing::Closing;
use crate::console::{Console, Line};
use crate::interrupts::Interrupts;

/// The longest line that is read, in bytes; what comes behind that is dropped.
const LONGEST_LINE: usize = 4096;

/// Lines from a file, a pipe or standard input, and text to somewhere else.
pub struct Plain<'a> {
    out: &'a mut dyn Write,
    input: BufReader<File>,
    echo: Echo,
    interrupts: Interrupts,
}

/// Whether lines that are read are shown behind their prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// They are: no one else shows them.
    Shown,
    /// A terminal has shown them as they were typed.
    Hidden,
}

impl<'a> Plain<'a> {
    /// Lines from `input`; from now on SIGINT is a wish to stop.
    ///
    /// # Errors
    ///
    /// Fails where signals cannot be waited for.
    pub fn new(
        out: &'a mut dyn Write,
        input: File,
        echo: Echo,
        closing: Closing,
    ) -> io::Result<Plain<'a>> {
        let interrupts = Interrupts::new(closing)?;
        Ok(Plain { out, input: BufReader::new(input), echo, interrupts })
    }

    fn read(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        loop {
            if self.interrupts.wait(&self.input)? {
                return Ok(self.interrupts.line());
            }
            let read = self.input.fill_buf()?;
            let end = read.iter().position(|byte| *byte == b'\n');
            let part = &read[..end.unwrap_or(read.len())];
            line.extend(part.iter().take(LONGEST_LINE - line.len()));
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() || (used == 0 && !line.is_empty()) {
                return Ok(Line::Typed(String::from_utf8_lossy(&line).into_owned()));
            }
            if used == 0 {
                return Ok(Line::End);
            }
        }
    }
}

impl Console for Plain<'_> {
    fn tell(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }

    fn ask(&mut self, prompt: &str, _: &[String]) -> io::Result<Line> {
        self.tell(prompt)?;
        let line = self.read()?;
        match (&line, self.echo) {
            (Line::Typed(text), Echo::Shown) => {
                let text = text::printable(text.trim_end_matches('\r'));
                self.tell(&format!("{text}\n"))?;
            }
            (Line::Typed(_), Echo::Hidden) => {}
            (Line::Stop | Line::End | Line::Redraw, _) => self.tell("\n")?,
        }
        Ok(line)
    }

    fn stops(&mut self) -> io::Result<usize> {
        self.interrupts.count()
    }
}
