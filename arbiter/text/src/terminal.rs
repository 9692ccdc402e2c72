//! Text for a person at a terminal: colours, and messages on standard error.

use std::fmt;
use std::io::{self, IsTerminal, Write};

/// Whether the first word of a line has a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// Escape sequences of terminals.
    Ansi,
    /// None.
    Plain,
}

impl Colours {
    /// Those of standard output: none in a pipe, and none where `NO_COLOR` says so.
    pub fn of_stdout() -> Colours {
        Colours::for_stream(&io::stdout())
    }

    /// Those of standard error.
    pub fn of_stderr() -> Colours {
        Colours::for_stream(&io::stderr())
    }

    fn for_stream(stream: &impl IsTerminal) -> Colours {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if stream.is_terminal() && !set("NO_COLOR") && !dumb {
            Colours::Ansi
        } else {
            Colours::Plain
        }
    }
}

/// Says something, a line; if no one can hear it, nothing is lost.
///
/// The macros of the standard library would end the program there.
pub fn say(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}
