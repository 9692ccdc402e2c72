//! The games by their kind: those that are compiled in by their types, all others as text.
//!
//! The lines of the view are laid out by their keys, and the moves as they are spelt.

use std::marker::PhantomData;

use games::{GameFiles, ViewKeys};
use rules::wire::{NotRequest, PlainRequest};
use rules::{GameKind, GameRecord, Listing, PerSeat, Seat};
use series::Series;
use text::columns::{padded, widest};
use text::printable;

use crate::custom_view::{SeenGame, laid_out};
use crate::move_list::{MoveChoices, MoveHint, OfferedMove, OfferedMoves, are_numbered, choose};
use crate::playable::{FinishedGame, PlayableText, unasked, unread};
use crate::screen::{PersonDecision, Screen};

/// A game as a person plays it.
pub(crate) fn playable(kind: &GameKind) -> Box<dyn PlayableText> {
    macro_rules! find {
        ($($game:ty),*) => {
            $(if *kind == GameKind::of::<$game>() {
                return Box::new(PhantomData::<$game>);
            })*
        };
    }
    rules::games!(find);
    let keys = GameFiles::for_game(kind).map(|files| files.view().clone()).unwrap_or_default();
    Box::new(CustomGame { keys })
}

/// The question of a request to one of these players, by seat.
pub fn offered(
    kind: &GameKind,
    request: &str,
    names: &PerSeat<String>,
) -> Result<OfferedMoves, NotRequest> {
    playable(kind).offered(request, names)
}

/// The move that the built-in `greedy` would play.
pub fn hint(kind: &GameKind, request: &str) -> Result<MoveHint, String> {
    playable(kind).hint(request)
}

/// The cards that were hidden from the person on a seat, in whole lines; nothing if none were.
pub fn revealed(series: &Series, game: &GameRecord, own: Seat) -> String {
    let lines = playable(series.kind()).revealed(&FinishedGame::new(series, game, own));
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nall cards, now that the game is over\n{lines}"),
    }
}

/// The widest line of a list of moves, in cells.
const WIDTH: usize = 76;

/// The most lines of a list of moves.
const ROWS: usize = 12;

/// The blanks between two columns of a list of moves.
const GAP: &str = "   ";

const QUESTION: &str = "your move:";

const NO_HINT: &str = "no built-in bot plays this game";

const HELP: &str = "\
Choose a move by number or by text; the first letters of its words are enough.
It is played immediately and cannot be undone, even if one letter was enough.
Type the whole text of a move that is not listed.
  auto      play a random one of the listed moves
  history   the moves so far
  rules     a summary of the rules
  quit      leave the game
";

/// Any game, as text.
pub(crate) struct CustomGame {
    /// The keys of its view that are laid out.
    pub(crate) keys: ViewKeys,
}

impl PlayableText for CustomGame {
    fn situation(&self, seen: &SeenGame<'_>, own: Seat, names: &PerSeat<String>) -> String {
        laid_out(seen, &self.keys, own, names)
    }

    fn offered(&self, request: &str, _names: &PerSeat<String>) -> Result<OfferedMoves, NotRequest> {
        let request = PlainRequest::read(request)?;
        let offered = |mv: &&str| OfferedMove { text: (*mv).to_owned(), words: (*mv).to_owned() };
        Ok(OfferedMoves {
            question: QUESTION.to_owned(),
            moves: request.legal.iter().map(offered).collect(),
            has_more: request.listing == Listing::Cut,
        })
    }

    fn hint(&self, _request: &str) -> Result<MoveHint, String> {
        Err(NO_HINT.to_owned())
    }

    /// What the seats had to themselves in the end.
    fn revealed(&self, ended: &FinishedGame<'_>) -> String {
        let (names, views, public) = (&ended.names, ended.views(), ended.public_view());
        let width = widest(names.values());
        let line = |(seat, name): (Seat, &String)| {
            let own = own_lines(&views[seat], &public).into_iter();
            // A key without a value tells nothing.
            let own = own.filter(|line| line.contains(' ')).collect::<Vec<_>>().join("; ");
            (!own.is_empty()).then(|| format!("  {}  {own}\n", padded(name, width)))
        };
        names.iter().filter_map(line).collect()
    }

    fn decide(
        &self,
        text: &str,
        names: &PerSeat<String>,
        screen: &mut Screen<'_>,
    ) -> Result<PersonDecision, String> {
        let request = PlainRequest::read(text).map_err(unread)?;
        let moves: Vec<String> = request.legal.iter().map(|mv| (*mv).to_owned()).collect();
        let seen = SeenGame { view: request.view, history: request.history };
        let refused = request.heading.retry.as_ref().map(|retry| &retry.reason);
        let refused =
            refused.map(|reason| format!("refused  {}\n", printable(reason))).unwrap_or_default();
        let board = format!(
            "{}{refused}{QUESTION}\n{}",
            laid_out(&seen, &self.keys, request.heading.seat, names),
            list(&moves, request.listing)
        );
        let hint = || format!("{NO_HINT}\n");
        let mut nature = request.heading.seed.nature();
        let drawn = nature.choose(&moves).cloned().ok_or_else(|| "no move is listed".to_owned());
        let auto = || drawn.clone();
        let choices = MoveChoices { board, moves: &moves, help: HELP, hint: &hint, auto: &auto };
        choose(&choices, text, screen).map_err(unasked)
    }
}

/// The lines of a view that are not among those of all seats.
fn own_lines<'a>(view: &'a str, public: &str) -> Vec<&'a str> {
    let mut public = public.lines().peekable();
    // Those of all seats stand in every view in the same order.
    view.lines().filter(|line| public.next_if(|next| next == line).is_none()).collect()
}

/// Moves in columns, as many as there is room for.
fn list(moves: &[String], listing: Listing) -> String {
    let digits = moves.len().to_string().len();
    let is_numbered = are_numbered(moves);
    let cell = |(number, mv): (usize, &String)| match is_numbered {
        true => format!("  {number:digits$}  {mv}"),
        false => format!("  {mv}"),
    };
    let cells: Vec<String> = (1..).zip(moves).map(cell).collect();
    let wide = widest(&cells);
    let fitting = ((WIDTH + GAP.len()) / (wide + GAP.len())).max(1);
    let columns = moves.len().div_ceil(ROWS).clamp(1, fitting);
    let rows = moves.len().div_ceil(columns).min(ROWS);
    let mut text = String::new();
    for row in 0..rows {
        let row = cells.iter().skip(row).step_by(rows).take(columns);
        let row: Vec<String> = row.map(|cell| padded(cell, wide)).collect();
        text.push_str(row.join(GAP).trim_end());
        text.push('\n');
    }
    let left = moves.len().saturating_sub(rows * columns);
    if left > 0 {
        text.push_str(&format!("  and {left} more: type the text\n"));
    }
    if listing == Listing::Cut {
        text.push_str("  and more, not listed: type the text\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(count: usize, text: &str) -> Vec<String> {
        (1..=count).map(|number| format!("{text}{number}")).collect()
    }

    #[test]
    fn moves_stand_in_as_many_columns_as_they_need_and_fit() {
        assert_eq!(list(&moves(2, "a"), Listing::Complete), "  1  a1\n  2  a2\n");
        let several = list(&moves(13, "a"), Listing::Complete);
        assert_eq!(several.lines().count(), 7);
        assert_eq!(several.lines().next(), Some("   1  a1       8  a8"));
        assert_eq!(several.lines().last(), Some("   7  a7"));
        let many = list(&moves(1000, "pass 2C 3C "), Listing::Cut);
        assert_eq!(many.lines().count(), ROWS + 2);
        assert!(many.lines().all(|line| text::columns::width(line) <= WIDTH), "{many}");
        let last = "  and 964 more: type the text\n  and more, not listed: type the text\n";
        assert!(many.ends_with(last), "{many}");
        let long = list(&moves(20, &"x".repeat(200)), Listing::Complete);
        assert_eq!(long.lines().count(), ROWS + 1);
    }

    #[test]
    fn moves_that_are_numbers_have_no_other_ones() {
        assert_eq!(list(&moves(2, ""), Listing::Complete), "  1\n  2\n");
        let asked = ["bid 1".to_owned(), "7".to_owned()];
        assert_eq!(list(&asked, Listing::Complete), "  bid 1\n  7\n");
    }

    #[test]
    fn a_line_is_a_seats_own_even_if_others_have_an_equal_one() {
        assert_eq!(own_lines("pot 1\ncard Q\nboard Q", "pot 1\nboard Q"), ["card Q"]);
        assert_eq!(own_lines("card Q\ncard Q", "card Q"), ["card Q"]);
        assert!(own_lines("", "").is_empty());
    }
}
