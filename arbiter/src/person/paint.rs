//! Colours for what a person is shown.

use std::borrow::Cow;

use rules::{Card, Suit};

use crate::report::check::Colours;

/// What a text is, which says how it is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// What happens: cards of red suits are red.
    Plain,
    /// Why something that was typed cannot be done.
    Refusal,
}

const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const OFF: &str = "\x1b[0m";

/// A text with escape sequences for its colours, where there are any.
pub(super) fn painted(text: &str, tone: Tone, colours: Colours) -> Cow<'_, str> {
    match (colours, tone) {
        (Colours::Plain, _) => Cow::Borrowed(text),
        (Colours::Ansi, Tone::Refusal) => {
            Cow::Owned(text.split_inclusive('\n').map(|line| around(YELLOW, line)).collect())
        }
        (Colours::Ansi, Tone::Plain) => {
            Cow::Owned(text.split_inclusive([' ', '\n']).map(card_in_colour).collect())
        }
    }
}

fn card_in_colour(word: &str) -> String {
    let card = word.trim_end_matches([' ', '\n', ',', '.', ':', ';', ')']);
    match card.parse::<Card>().map(Card::suit) {
        Ok(Suit::Diamonds | Suit::Hearts) => {
            format!("{RED}{card}{OFF}{}", &word[card.len()..])
        }
        _ => word.to_owned(),
    }
}

fn around(colour: &str, line: &str) -> String {
    let text = line.trim_end_matches('\n');
    format!("{colour}{text}{OFF}{}", &line[text.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_suits_are_red_on_a_terminal_alone() {
        let text = "table  3D 4C, 10H\nyou\n";
        assert_eq!(painted(text, Tone::Plain, Colours::Plain), text);
        let red = "table  \x1b[31m3D\x1b[0m 4C, \x1b[31m10H\x1b[0m\nyou\n";
        assert_eq!(painted(text, Tone::Plain, Colours::Ansi), red);
    }

    #[test]
    fn a_refusal_is_yellow_line_by_line() {
        let shown = painted("no\nnever\n", Tone::Refusal, Colours::Ansi);
        assert_eq!(shown, "\x1b[33mno\x1b[0m\n\x1b[33mnever\x1b[0m\n");
    }
}
