//! Where a person reads and types.

use std::io;

use crate::picture::Picture;

/// What shows text to a person and reads what is typed: a terminal, a pipe, a script of a test.
pub trait Console {
    /// Shows text, whole lines, at once.
    ///
    /// # Errors
    ///
    /// Fails if no one can see it.
    fn tell(&mut self, text: &str) -> io::Result<()>;

    /// Whether pictures can be drawn in place, each over the one before.
    fn draws_in_place(&self) -> bool {
        false
    }

    /// Draws a picture over everything on the screen, if it fits; says whether it did.
    ///
    /// # Errors
    ///
    /// Fails if no one can see it.
    fn draw(&mut self, _picture: &Picture) -> io::Result<bool> {
        Ok(false)
    }

    /// Asks for a line behind a prompt; `words` are those that may be completed.
    ///
    /// # Errors
    ///
    /// Fails if the prompt cannot be shown or nothing can be read.
    fn ask(&mut self, prompt: &str, words: &[String]) -> io::Result<Line>;

    /// How often the person has wanted to stop since a line was asked for. The next line that is
    /// asked for is then [`Line::Stop`].
    ///
    /// # Errors
    ///
    /// Fails if the terminal is gone.
    fn stops(&mut self) -> io::Result<usize>;
}

/// What came when a line was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Typed(String),
    /// The person wants to see the picture anew; the next line begins with what was typed.
    Redraw,
    /// The person wants to stop, and can still be asked: Ctrl-C, or Ctrl-D at a terminal.
    Stop,
    /// Nothing more will come.
    End,
}
