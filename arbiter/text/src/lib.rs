//! Wording and layout: counts, columns, excerpts, paths without folders, shell words, and text that
//! is fit for a terminal.
//!
//! It knows nothing of games, bots or logs. Only [`terminal`] asks the environment anything, and only
//! [`terminal::say`] prints.

#![forbid(unsafe_code)]

pub mod columns;
pub mod excerpt;
pub mod failure;
pub mod shell;

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

use unicode_normalization::char::is_combining_mark;

/// A text in one line that is fit for a terminal, from any source: line ends, escape sequences and
/// other characters that are not printed become `\n`, `\u{1b}` and the like.
///
/// ```
/// assert_eq!(text::printable("`7Š` \u{1b}[2J\n"), r"`7Š` \u{1b}[2J\n");
/// ```
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    // A letter takes only so many marks: a heap of them would cover the lines around it.
    let mut room = 0;
    for letter in text.chars() {
        let is_mark = is_combining_mark(letter);
        match letter {
            '"' | '\'' | '\\' => shown.push(letter),
            _ if is_mark && room > 0 => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
        room = match is_mark {
            true => usize::saturating_sub(room, 1),
            false if letter.is_alphanumeric() => MOST_MARKS,
            false => 0,
        };
    }
    shown
}

/// A path for messages, in one line.
pub fn display_path(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Returns true for control characters, and for those that Unicode calls format characters (category Cf) or that separate
/// lines: nothing is seen of them, and they may turn the text around them over.
///
/// ```
/// assert!(['\n', '\u{202e}', '\u{200b}', '\u{feff}'].into_iter().all(text::is_control));
/// assert!(!['a', ' ', 'Š', '♠', '\u{301}'].into_iter().any(text::is_control));
/// ```
pub fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A text with its [control characters](is_control) escaped, and all others as they are.
///
/// ```
/// assert_eq!(text::visible("♠\u{fe0f} a\u{202e}b"), "♠\u{fe0f} a\\u{202e}b");
/// ```
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_control(letter) {
            true => shown.extend(letter.escape_debug()),
            false => shown.push(letter),
        }
    }
    shown
}

/// A text as a cell of CSV that no spreadsheet takes for a formula: with an apostrophe before it, unless it is a number.
///
/// ```
/// assert_eq!(text::spreadsheet_cell("=1+1"), "'=1+1");
/// assert_eq!(text::spreadsheet_cell("-1.5"), "-1.5");
/// assert_eq!(text::spreadsheet_cell("4H 4C"), "4H 4C");
/// ```
pub fn spreadsheet_cell(text: &str) -> Cow<'_, str> {
    let is_number = text.parse().is_ok_and(f64::is_finite);
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// The most marks shown on one letter.
const MOST_MARKS: usize = 2;

/// An error of the system as a part of a message: without its number, which adds nothing, and with
/// a small first letter.
///
/// ```
/// let said = "Permission denied (os error 13)";
/// assert_eq!(text::system_error(said), "permission denied");
/// ```
pub fn system_error(error: impl Display) -> String {
    const NUMBER: &str = " (os error ";
    let said = error.to_string();
    let mut parts = said.split(NUMBER);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.parse::<i32>().is_ok() => text.push_str(rest),
            _ => text.extend([NUMBER, part]),
        }
    }
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        // `I/O error` and what is all in capitals stay as they are.
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text,
    }
}

/// A number with the word for one or for several: `1 game`, `2 games`.
pub fn counted(count: impl Display, one: &str, more: &str) -> String {
    let number = count.to_string();
    let word = if number == "1" { one } else { more };
    format!("{number} {word}")
}

/// Text for a person at a terminal: colours, and messages on standard error.
pub mod terminal {
    use std::fmt;
    use std::io::{self, IsTerminal, Write};
    use std::time::{Duration, Instant};

    /// Time between two progress lines.
    const BETWEEN_LINES: Duration = Duration::from_secs(5);

    /// Colours of the first word of a line.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Colours {
        /// Escape sequences of terminals.
        Ansi,
        /// None.
        Plain,
    }

    impl Colours {
        /// The colours of standard output: none in a pipe, and none if `NO_COLOR` says so.
        pub fn of_stdout() -> Colours {
            Colours::for_stream(&io::stdout())
        }

        /// The colours of standard error.
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

    /// Progress lines on standard error, for use without a terminal.
    #[derive(Debug)]
    pub struct ProgressLines {
        began: Instant,
        last: Instant,
        between: Duration,
    }

    impl ProgressLines {
        /// Returns progress lines unless standard error is a terminal, which has a progress bar instead.
        pub fn unless_terminal() -> Option<ProgressLines> {
            ProgressLines::every(BETWEEN_LINES)
        }

        /// Likewise, with this time before the first line and between two lines.
        pub fn every(between: Duration) -> Option<ProgressLines> {
            let began = Instant::now();
            let is_terminal = io::stderr().is_terminal();
            (!is_terminal).then_some(ProgressLines { began, last: began, between })
        }

        /// Prints the current step of a check, if the last line is old enough.
        pub fn begins(&mut self, name: &str) {
            self.tell(|so_far| format!("checking: {name}, {} s so far", so_far.as_secs()));
        }

        /// Prints a line, which is made of the time so far, if the last line is old enough.
        pub fn tell(&mut self, line: impl FnOnce(Duration) -> String) {
            if self.last.elapsed() >= self.between {
                self.last = Instant::now();
                say(line(self.began.elapsed()));
            }
        }
    }

    /// Says something, a line; if no one can hear it, nothing is lost.
    ///
    /// The macros of the standard library would end the program there.
    pub fn say(line: impl fmt::Display) {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is a control character by its category is escaped in a text for a terminal, too.
    #[test]
    fn no_format_character_is_printed() {
        let controls = (char::MIN..=char::MAX).filter(|letter| is_control(*letter));
        let mut count = 0;
        for letter in controls {
            for shown in [printable(&format!("a{letter}b")), visible(&format!("a{letter}b"))] {
                assert!(shown.starts_with("a\\"), "{shown:?}");
                assert!(!shown.chars().any(is_control), "{shown:?}");
            }
            count += 1;
        }
        assert!(count > 200, "{count}");
    }
}
