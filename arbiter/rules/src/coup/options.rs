//! The options of a game of Coup: the rules, which allow one number of seats.

use std::fmt;
use std::str::FromStr;

use crate::text::NotText;

/// How many seats play.
pub(super) const SEATS: usize = 2;

/// Which rules are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    /// Those of a programming contest: two seats with one coin each.
    #[default]
    Contest,
}

/// How a game of Coup is set up, written `seats=2 rules=contest`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which rules are played.
    pub rules: Rules,
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rules {
            Rules::Contest => write!(f, "seats={SEATS} rules=contest"),
        }
    }
}

impl FromStr for Options {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let mut options = Options::default();
        for word in text.split_ascii_whitespace() {
            match word.split_once('=') {
                Some(("seats", "2")) => {}
                Some(("seats", seats)) => return Err(NotText::new("2 seats for coup", seats)),
                Some(("rules", rules)) if rules.eq_ignore_ascii_case("contest") => {
                    options.rules = Rules::Contest;
                }
                Some(("rules", rules)) => {
                    return Err(NotText::new("`contest` as the rules of coup", rules));
                }
                _ => {
                    let expected = "`seats=2` or `rules=contest` as the options of coup";
                    return Err(NotText::new(expected, word));
                }
            }
        }
        Ok(options)
    }
}
