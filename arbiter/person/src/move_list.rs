//! Legal moves in a list, from which a person chooses by number or text.
//!
//! As there, all of it comes from the request alone, and a wrong answer never reaches the referee.

use std::io;

use rules::{Answer, Dialect, StandaloneRequest, Verdict};
use text::{excerpt, printable};

use crate::named_card::{PartialCard, spelt};
use crate::screen::{LinePrompt, PersonCommand, PersonDecision, PersonInput, Screen};

/// The most moves that a question names which one of them is meant.
const MOST_NAMED: usize = 20;

/// Legal moves to choose from.
pub(crate) struct MovePrompt<'a> {
    /// All that is shown, in whole lines.
    pub(crate) board: String,
    pub(crate) moves: &'a [String],
    /// The answer to `help`.
    pub(crate) help: &'a str,
    /// The answer to `hint`, in whole lines.
    pub(crate) hint: &'a dyn Fn() -> String,
    /// The move that `auto` plays, or the reason why there is none.
    pub(crate) auto: &'a dyn Fn() -> Result<String, String>,
}

/// Asks a person until they choose a move; `request` is the text as it was sent.
pub(crate) fn choose(
    choices: &MovePrompt<'_>,
    request: &str,
    screen: &mut Screen<'_>,
) -> io::Result<PersonDecision> {
    let MovePrompt { board, moves, help, hint, auto } = choices;
    screen.present(board)?;
    let words: Vec<String> = moves.iter().cloned().chain(PersonCommand::common_words()).collect();
    let mut doubted = None;
    loop {
        match screen.ask(LinePrompt { text: "move> ", words: &words, help })? {
            PersonInput::Quit => return Ok(PersonDecision::Quit),
            PersonInput::Hint => screen.tell(&hint())?,
            PersonInput::Nothing => screen.refuse("expected a move, or `help`")?,
            PersonInput::Undo => {
                screen.refuse("`undo` is for captures of Tablić: a move stands")?
            }
            PersonInput::Auto => match auto() {
                Ok(mv) => return Ok(PersonDecision::Move(mv)),
                Err(why) => screen.refuse(&why)?,
            },
            PersonInput::Choice(typed) => match chosen(&typed, moves) {
                Ok(mv) => return Ok(PersonDecision::Move(mv.to_owned())),
                Err(several) if !several.is_empty() => {
                    screen.refuse(&ambiguity_question(&several))?
                }
                Err(_) => match unlisted_move(request, &typed, moves) {
                    Some(mv) if doubted.as_ref() == Some(&mv) => {
                        return Ok(PersonDecision::Move(mv));
                    }
                    Some(mv) => {
                        screen.refuse(&format!(
                            "`{mv}` is not listed, and only the rules know if it is legal: type it \
                             again to play it"
                        ))?;
                        doubted = Some(mv);
                    }
                    None => screen.refuse(&refusal(request, &typed, moves.len()))?,
                },
            },
        }
    }
}

/// The move that a line means, where a list that is cut leaves open whether it is legal.
fn unlisted_move(request: &str, typed: &str, moves: &[String]) -> Option<String> {
    let is_number = typed.trim().parse::<usize>().is_ok() && are_numbered(moves);
    (!is_number).then(|| judged(request, typed).ok()).flatten()
}

/// Returns true if moves can be chosen by their numbers: none of them is a number itself.
pub(crate) fn are_numbered<T: AsRef<str>>(moves: &[T]) -> bool {
    !moves.iter().any(|mv| mv.as_ref().parse::<usize>().is_ok())
}

/// The question which of several moves is meant.
fn ambiguity_question(several: &[&str]) -> String {
    let (named, others) = several.split_at(several.len().min(MOST_NAMED));
    let more = match others.len() {
        0 => String::new(),
        others => format!(" or one of {others} more"),
    };
    format!("which one: {}{more}?", named.join(", "))
}

/// The move that a line chooses: by its number from 1, or by words that begin the words of the move, in order
/// and in any letter case. If no move begins like this, a card with its suit stands for the move with it, in
/// any of its spellings.
///
/// # Errors
///
/// All moves that it fits, if they are none or several.
fn chosen<'a>(typed: &str, moves: &'a [String]) -> Result<&'a str, Vec<&'a str>> {
    let typed: Vec<String> = typed.split_whitespace().map(str::to_lowercase).collect();
    if let [number] = &typed[..]
        && let Ok(number) = number.parse::<usize>()
        && are_numbered(moves)
    {
        let found = number.checked_sub(1).and_then(|place| moves.get(place));
        return found.map(String::as_str).ok_or_else(Vec::new);
    }
    let words = |mv: &str| mv.to_lowercase().split(' ').map(str::to_owned).collect::<Vec<_>>();
    if let Some(exact) = moves.iter().find(|mv| words(mv) == typed) {
        return Ok(exact);
    }
    let fits = |mv: &&str| {
        let words = words(mv);
        typed.len() <= words.len()
            && typed.iter().zip(&words).all(|(typed, word)| word.starts_with(typed.as_str()))
    };
    let mut fitting: Vec<&str> = moves.iter().map(String::as_str).filter(fits).collect();
    if fitting.is_empty() {
        fitting = moves.iter().map(String::as_str).filter(|mv| is_with(&typed, mv)).collect();
    }
    match (fitting.pop(), fitting.is_empty()) {
        (Some(mv), true) => Ok(mv),
        (Some(mv), false) => {
            fitting.push(mv);
            Err(fitting)
        }
        (None, _) => Err(Vec::new()),
    }
}

/// Returns true if words name the only card of a move and its suit, behind the beginning of its first word or
/// alone.
fn is_with(typed: &[String], mv: &str) -> bool {
    let Some((verb, card)) = mv.split_once(' ') else { return false };
    let Some(card) = spelt(card) else { return false };
    let is_named = |words: &[String]| {
        let named = words.join(" ").parse::<PartialCard>();
        named.is_ok_and(|named| named.rank == card.rank() && named.suit == Some(card.suit()))
    };
    let behind = || typed.split_first().filter(|(first, _)| verb.starts_with(first.as_str()));
    is_named(typed) || behind().is_some_and(|(_, words)| is_named(words))
}

/// The refusal of a line that is no legal move: the rule that it breaks, if it is a move at all, and
/// otherwise the expected input.
fn refusal(request: &str, typed: &str, moves: usize) -> String {
    let typed = typed.trim();
    let expected = format!("expected a number from 1 to {moves}, the text of a move, or `help`");
    if typed.parse::<usize>().is_ok() {
        return format!("no move {typed}: {expected}");
    }
    // The text for a bot would tell of bytes.
    if let Some(odd) = typed.chars().find(|letter| !matches!(letter, ' '..='~' | '\t')) {
        return format!("no move has a `{}`: {expected}", odd.escape_debug());
    }
    let ruling = match StandaloneRequest::read(request) {
        Ok(sample) => sample.rule(Dialect::Native, Answer::Output(typed.as_bytes().to_vec())),
        Err(error) => return error.to_string(),
    };
    match ruling.verdict {
        Verdict::Malformed => format!("{}; {expected}", printable(&ruling.detail)),
        _ => printable(&ruling.detail),
    }
}

/// The longest text that can be a move, in bytes: a capture of Tablić with all cards of the table stays far
/// below.
const LONGEST_MOVE: usize = 1000;

/// A question to a person, with the legal moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedMoves {
    /// The question, a line; empty where it is a matter of course.
    pub question: String,
    /// The legal moves that the request lists, in its order.
    pub moves: Vec<OfferedMove>,
    pub has_more: bool,
}

/// A legal move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedMove {
    pub text: String,
    /// The move as a sentence; of a custom game its text.
    pub words: String,
}

/// A move that a built-in bot would play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveHint {
    pub text: String,
    /// Why, in a few words.
    pub reason: String,
}

/// The text of the legal move that an answer to a request means, in its one spelling. Where a custom game
/// has cut the list, only its rules know whether a move that is not listed is legal: it is taken as it is.
pub fn judged(request: &str, answer: &str) -> Result<String, String> {
    let answer = answer.trim();
    if answer.is_empty() || answer.len() > LONGEST_MOVE {
        return Err(format!("expected a move of 1 to {LONGEST_MOVE} letters"));
    }
    if let Some(odd) = answer.chars().find(|letter| !matches!(letter, ' '..='~')) {
        return Err(format!("no move has a `{}`", odd.escape_debug()));
    }
    let sample = StandaloneRequest::read(request).map_err(|error| error.to_string())?;
    let answer = || Answer::Output(answer.as_bytes().to_vec());
    let native = Dialect::Native;
    let wrong = || excerpt::line(&sample.rule(native, answer()).detail);
    sample.played(native, answer()).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_chosen_by_number_or_by_a_unique_beginning() {
        let moves = ["income", "foreign-aid", "coup 1", "tax", "steal 1", "show duke", "beat 7H"]
            .map(str::to_owned);
        for (typed, expected) in [
            ("1", "income"),
            (" 7 ", "beat 7H"),
            ("INC", "income"),
            ("f", "foreign-aid"),
            ("coup", "coup 1"),
            ("sh D", "show duke"),
            ("b 7h", "beat 7H"),
            ("beat   7H", "beat 7H"),
            ("7h", "beat 7H"),
            ("hearts 7", "beat 7H"),
            ("b 7 of hearts", "beat 7H"),
        ] {
            assert_eq!(chosen(typed, &moves), Ok(expected), "{typed}");
        }
        assert_eq!(chosen("s", &moves), Err(vec!["steal 1", "show duke"]));
        for typed in ["0", "8", "99999999999999999999", "take", "beat 8H", "tax now", "8h", "7c"] {
            assert_eq!(chosen(typed, &moves), Err(vec![]), "{typed}");
        }
    }

    #[test]
    fn a_card_stands_for_the_only_move_with_it() {
        let moves = ["transfer 7H", "beat 7H", "beat 10D", "take"].map(str::to_owned);
        assert_eq!(chosen("7h", &moves), Err(vec!["transfer 7H", "beat 7H"]));
        assert_eq!(chosen("t 7h", &moves), Ok("transfer 7H"));
        assert_eq!(chosen("karo 10", &moves), Ok("beat 10D"));
        // A single rank is the number of a move, or could be a letter of something else.
        assert_eq!(chosen("10", &moves), Err(vec![]));
        assert_eq!(chosen("7 of", &moves), Err(vec![]));
    }

    /// The ten of clubs of Hearts could be named `TC` only behind the whole verb.
    #[test]
    fn a_ten_is_named_as_its_game_spells_it_or_by_its_number() {
        let moves = ["play TC", "play 9C", "play TH"].map(str::to_owned);
        for typed in ["tc", "10c", "clubs 10", "p tc", "play 10C"] {
            assert_eq!(chosen(typed, &moves), Ok("play TC"), "{typed}");
        }
    }

    #[test]
    fn the_whole_text_of_a_move_goes_before_one_that_is_longer() {
        let moves = ["keep duke", "keep duke duke"].map(str::to_owned);
        assert_eq!(chosen("keep duke", &moves), Ok("keep duke"));
    }
}
