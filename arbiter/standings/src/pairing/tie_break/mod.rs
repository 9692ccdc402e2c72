//! Tie-breaks: the order of bots that have equal scores.
//!
//! [`ranks`] applies a list of tie-breaks that was made known before the first game. It starts with
//! the first one and goes on to the next where bots remain tied, and says for each tie which one has
//! decided it. Bots that all of them leave tied share a rank.
//!
//! The definitions are those of FIDE's handbook, C.07, in the edition of 2026, with two additions for
//! games that have points. All is counted in whole numbers, so results are exact.

mod values;

pub use values::{Entry, Meeting, NotATieBreak, NotRanked, TieBreak};

use self::values::{Table, descending};
use crate::Entrant;

/// The order of the bots of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    /// The bots with their ranks from 1, the best first; tied ones are in the order of the entries.
    pub places: Vec<(Entrant, usize)>,
    /// The ties, in the order of their ranks and, among the same bots, of the tie-breaks.
    pub ties: Vec<Tie>,
}

/// Bots that were tied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tie {
    /// The bots, equal by their score and all tie-breaks before, the best first.
    pub bots: Vec<Entrant>,
    /// What put them in more than one place; none where they share a rank.
    pub decided_by: Option<TieBreak>,
}

/// Ranks bots by their scores, and those with equal ones by tie-breaks.
///
/// ```
/// use standings::Entrant;
/// use standings::pairing::Outcome;
/// use standings::pairing::tie_break::{Entry, Meeting, TieBreak, ranks};
///
/// let entry = |bot, score| Entry { bot: Entrant(bot), score, byes: 0 };
/// let won = |one, other| Meeting {
///     bots: [Entrant(one), Entrant(other)],
///     outcome: Outcome::One,
///     points: [10, 4],
/// };
/// let meetings = [won(1, 0), won(0, 2), won(1, 3), won(2, 1), won(2, 3), won(0, 3)];
/// let entries = [entry(0, 4), entry(1, 4), entry(2, 4), entry(3, 0)];
/// let ranking = ranks(&entries, &meetings, &[TieBreak::DirectEncounter])?;
/// assert_eq!(ranking.places, [(0, 1), (1, 1), (2, 1), (3, 4)].map(|(bot, rank)| (Entrant(bot), rank)));
/// assert_eq!(ranking.ties[0].decided_by, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`NotRanked`], where entries and meetings do not fit together.
pub fn ranks(
    entries: &[Entry],
    meetings: &[Meeting],
    tie_breaks: &[TieBreak],
) -> Result<Ranking, NotRanked> {
    let table = Table::new(entries, meetings)?;
    let all: Vec<usize> = (0..entries.len()).collect();
    let tied = descending(&all, |place| entries[place].score);
    Ok(Ranking::new(&table, tied, tie_breaks))
}

/// Ranks bots whose order is known but for ties: the entries stand in it, and `tied` says for each two
/// neighbours whether they are tied.
///
/// # Errors
///
/// [`NotRanked`], where entries and meetings do not fit together.
pub fn break_ties(
    entries: &[Entry],
    meetings: &[Meeting],
    tied: impl Fn(Entrant, Entrant) -> bool,
    tie_breaks: &[TieBreak],
) -> Result<Ranking, NotRanked> {
    let table = Table::new(entries, meetings)?;
    let all: Vec<usize> = (0..entries.len()).collect();
    let are_tied = |one: &usize, other: &usize| tied(table.bot(*one), table.bot(*other));
    let tied = all.chunk_by(are_tied).map(<[usize]>::to_vec).collect();
    Ok(Ranking::new(&table, tied, tie_breaks))
}

/// Says in words how ties are broken, for people who read a table.
pub fn in_words(tie_breaks: &[TieBreak]) -> String {
    let names: Vec<&str> = tie_breaks.iter().map(|it| it.name()).collect();
    match names.as_slice() {
        [] => "ties share a rank".to_owned(),
        names => format!("ties broken by {}, then shared", names.join(", ")),
    }
}

impl Ranking {
    fn new(table: &Table<'_>, tied: Vec<Vec<usize>>, tie_breaks: &[TieBreak]) -> Ranking {
        let mut ranking = Ranking { places: Vec::new(), ties: Vec::new() };
        for tied in tied {
            ranking.add(table, tied, tie_breaks);
        }
        ranking
    }

    /// The first tie-break that put a bot before or behind one of the same score, if one did.
    pub fn first_decided_by(&self, bot: Entrant) -> Option<TieBreak> {
        let mut ties = self.ties.iter().filter(|tie| tie.bots.contains(&bot));
        ties.find_map(|tie| tie.decided_by)
    }

    /// Adds bots that are tied before these tie-breaks.
    fn add(&mut self, table: &Table<'_>, tied: Vec<usize>, tie_breaks: &[TieBreak]) {
        let rank = self.places.len() + 1;
        if let [only] = *tied {
            self.places.push((table.bot(only), rank));
            return;
        }
        let parts = tie_breaks.iter().enumerate().find_map(|(used, tie_break)| {
            let parts = table.parts(*tie_break, &tied);
            (parts.len() > 1).then_some((used, *tie_break, parts))
        });
        let Some((used, tie_break, parts)) = parts else {
            let bots: Vec<Entrant> = tied.iter().map(|place| table.bot(*place)).collect();
            self.places.extend(bots.iter().map(|bot| (*bot, rank)));
            self.ties.push(Tie { bots, decided_by: None });
            return;
        };
        let bots = parts.iter().flatten().map(|place| table.bot(*place)).collect();
        self.ties.push(Tie { bots, decided_by: Some(tie_break) });
        for part in parts {
            self.add(table, part, &tie_breaks[used + 1..]);
        }
    }
}
