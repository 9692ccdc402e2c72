//! Options of a game of Coup.

use std::fmt;
use std::str::FromStr;

use crate::text::NotText;

/// Variants of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CoupRules {
    /// The rules of a programming contest: two seats with one coin each.
    #[default]
    Contest,
    /// The printed rules, for several seats with two coins each.
    Court(CourtSeatCount),
}

/// Number of seats at a court: 2 to 6.
///
/// ```
/// use rules::coup::CourtSeatCount;
///
/// assert_eq!(CourtSeatCount::new(4).map(CourtSeatCount::count), Some(4));
/// assert_eq!(CourtSeatCount::new(7), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourtSeatCount(u8);

impl CourtSeatCount {
    /// The least number, which the contest has too.
    const LEAST: usize = 2;

    /// The most seats that the pack of 15 cards allows.
    const MOST: usize = 6;

    /// This number of seats, where the rules allow it.
    pub fn new(count: usize) -> Option<CourtSeatCount> {
        (CourtSeatCount::LEAST..=CourtSeatCount::MOST)
            .contains(&count)
            .then_some(CourtSeatCount(count as u8))
    }

    /// The number.
    pub fn count(self) -> usize {
        usize::from(self.0)
    }
}

/// Options of a game of Coup, written `seats=2 rules=contest` or `seats=4 rules=court`.
///
/// Without `rules`, two seats play by those of the contest, and more at a court.
///
/// ```
/// use rules::coup::Options;
///
/// let options: Options = "seats=4".parse()?;
/// assert_eq!(options.to_string(), "seats=4 rules=court");
/// assert!("seats=4 rules=contest".parse::<Options>().is_err());
/// # Ok::<(), rules::NotText>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// The variant of the rules.
    pub rules: CoupRules,
}

impl Options {
    /// Number of seats.
    pub fn seats(self) -> usize {
        match self.rules {
            CoupRules::Contest => CourtSeatCount::LEAST,
            CoupRules::Court(seats) => seats.count(),
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = match self.rules {
            CoupRules::Contest => "contest",
            CoupRules::Court(_) => "court",
        };
        write!(f, "seats={} rules={rules}", self.seats())
    }
}

impl FromStr for Options {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        let (mut seats, mut variant) = (CourtSeatCount(CourtSeatCount::LEAST as u8), None);
        for word in text.split_ascii_whitespace() {
            match word.split_once('=') {
                Some(("seats", count)) => seats = read_seats(count)?,
                Some(("rules", rules)) => variant = Some(is_court(rules)?),
                _ => {
                    let expected = "`seats=4` or `rules=court` as the options of coup";
                    return Err(NotText::new(expected, word));
                }
            }
        }
        match variant.unwrap_or(seats.count() > CourtSeatCount::LEAST) {
            true => Ok(Options { rules: CoupRules::Court(seats) }),
            false if seats.count() == CourtSeatCount::LEAST => Ok(Options::default()),
            false => {
                let expected = "`rules=court` for coup with more than 2 seats";
                Err(NotText::new(expected, "rules=contest"))
            }
        }
    }
}

fn read_seats(count: &str) -> Result<CourtSeatCount, NotText> {
    let digit = Some(count).filter(|count| count.len() == 1).and_then(|count| count.parse().ok());
    digit.and_then(CourtSeatCount::new).ok_or_else(|| NotText::new("2 to 6 seats for coup", count))
}

/// Tells whether the name of a variant, without its number of seats, is that of a court.
fn is_court(name: &str) -> Result<bool, NotText> {
    match name.to_ascii_lowercase().as_str() {
        "contest" => Ok(false),
        "court" => Ok(true),
        _ => Err(NotText::new("`contest` or `court` as the rules of coup", name)),
    }
}
