//! The colours and suits of text on the screen.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal};

use rules::{Card, Suit};

use crate::named_card::spelt;
use text::terminal::Colours;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    pub colours: Colours,
    pub suits: SuitSpelling,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SuitSpelling {
    /// As in requests and logs: `9S`.
    Letters,
    /// With their signs: `9♠`.
    Signs,
}

impl SuitSpelling {
    /// The spelling for standard output: signs on a terminal that shows them, by the locale and `TERM`.
    fn of_stdout() -> SuitSpelling {
        let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let locale = locale.to_ascii_uppercase();
        let is_utf8 = cfg!(windows) || locale.contains("UTF-8") || locale.contains("UTF8");
        let is_dumb = set("TERM").is_some_and(|term| term == "dumb");
        match io::stdout().is_terminal() && is_utf8 && !is_dumb {
            true => SuitSpelling::Signs,
            false => SuitSpelling::Letters,
        }
    }
}

impl TextStyle {
    /// The style of standard output.
    pub fn of_stdout() -> TextStyle {
        TextStyle { colours: Colours::of_stdout(), suits: SuitSpelling::of_stdout() }
    }
}

/// The kind of a text, which decides its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextTone {
    /// News: cards of red suits are red.
    Plain,
    Refusal,
}

const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const OFF: &str = "\x1b[0m";

/// Prepares the text of a game for display.
#[derive(Debug, Clone)]
pub(crate) struct TextPainter {
    style: TextStyle,
    /// The names of the players, which may look like cards.
    names: Vec<String>,
}

impl TextPainter {
    /// Paint for a game between players with these names.
    pub(crate) fn new(style: TextStyle, names: &[String]) -> TextPainter {
        TextPainter { style, names: names.to_vec() }
    }

    pub(crate) fn style(&self) -> TextStyle {
        self.style
    }

    /// A text with the signs of suits, and with escape sequences for colours, if the style has them.
    pub(crate) fn painted<'t>(&self, text: &'t str, tone: TextTone) -> Cow<'t, str> {
        let plain = TextStyle { colours: Colours::Plain, suits: SuitSpelling::Letters };
        if self.style == plain {
            return Cow::Borrowed(text);
        }
        let red = self.style.colours == Colours::Ansi && tone == TextTone::Plain;
        let shown = with_cards(text, |card, written| {
            if self.names.iter().any(|name| name == written) {
                return None;
            }
            let text = match self.style.suits {
                SuitSpelling::Letters => written.to_owned(),
                SuitSpelling::Signs => format!("{}{}", card.rank().name(), sign(card.suit())),
            };
            match card.suit() {
                Suit::Diamonds | Suit::Hearts if red => Some(format!("{RED}{text}{OFF}")),
                _ => Some(text),
            }
        });
        match (self.style.colours, tone) {
            (Colours::Ansi, TextTone::Refusal) => {
                Cow::Owned(shown.split_inclusive('\n').map(|line| around(YELLOW, line)).collect())
            }
            _ => Cow::Owned(shown),
        }
    }
}

/// Replaces every card in a text by the answer of `shown`, which gets the card, and the word without the full
/// stop. Cards are spelt as in requests.
pub(crate) fn with_cards(text: &str, shown: impl Fn(Card, &str) -> Option<String>) -> String {
    // The letters of names, so that no part of a name is taken for a card.
    let is_of_word =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    let mut all = String::with_capacity(text.len());
    let mut left = text;
    while !left.is_empty() {
        let end = left.find(|letter| !is_of_word(letter)).unwrap_or(left.len());
        let (word, after) = left.split_at(end);
        let bare = word.trim_end_matches('.');
        // Words such as `as` are in lower case, and are not the ace of spades.
        let card = spelt(bare).filter(|card| bare.ends_with(card.suit().letter()));
        let card = card.filter(|card| bare.starts_with('T') || card.to_string() == bare);
        match card.and_then(|card| shown(card, bare)) {
            Some(card) => {
                all.push_str(&card);
                all.push_str(&word[bare.len()..]);
            }
            None => all.push_str(word),
        }
        let next = after.find(is_of_word).unwrap_or(after.len());
        all.push_str(&after[..next]);
        left = &after[next..];
    }
    all
}

fn sign(suit: Suit) -> char {
    match suit {
        Suit::Clubs => '♣',
        Suit::Diamonds => '♦',
        Suit::Hearts => '♥',
        Suit::Spades => '♠',
    }
}

/// A line that was typed, with the letter of a suit for each of its signs, full or hollow.
pub(crate) fn with_letters(line: &str) -> String {
    let letter = |letter| match letter {
        '♣' | '♧' => Some('C'),
        '♦' | '♢' => Some('D'),
        '♥' | '♡' => Some('H'),
        '♠' | '♤' => Some('S'),
        // Says whether the sign before it is a picture or text.
        '\u{fe0e}' | '\u{fe0f}' => None,
        _ => Some(letter),
    };
    line.chars().filter_map(letter).collect()
}

fn around(colour: &str, line: &str) -> String {
    let text = line.trim_end_matches('\n');
    format!("{colour}{text}{OFF}{}", &line[text.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted_text(text: &str, tone: TextTone, colours: Colours, suits: SuitSpelling) -> String {
        let names = ["KD".to_owned(), "a-7S".to_owned()];
        TextPainter::new(TextStyle { colours, suits }, &names).painted(text, tone).into_owned()
    }

    #[test]
    fn red_suits_are_red_on_a_terminal_alone() {
        let text = "table  3D 4C, 10H\nyou\n";
        assert_eq!(
            painted_text(text, TextTone::Plain, Colours::Plain, SuitSpelling::Letters),
            text
        );
        let red = "table  \x1b[31m3D\x1b[0m 4C, \x1b[31m10H\x1b[0m\nyou\n";
        assert_eq!(painted_text(text, TextTone::Plain, Colours::Ansi, SuitSpelling::Letters), red);
    }

    #[test]
    fn suits_are_signs_wherever_a_card_stands_and_nowhere_else() {
        let signs = |text| painted_text(text, TextTone::Plain, Colours::Plain, SuitSpelling::Signs);
        assert_eq!(signs("9S takes> (2D, 10H)? 7C*: AC."), "9♠ takes> (2♦, 10♥)? 7♣*: A♣.");
        assert_eq!(signs("play TC: TH"), "play 10♣: 10♥");
        for same in
            ["Th tC TT T", "take it as well, ad 7s", "KD a-7S", "AS_1 x.AS", "1S 11H S 10", ""]
        {
            assert_eq!(signs(same), same);
        }
        let both = painted_text("AH", TextTone::Plain, Colours::Ansi, SuitSpelling::Signs);
        assert_eq!(both, "\x1b[31mA♥\x1b[0m");
    }

    #[test]
    fn a_refusal_is_yellow_line_by_line() {
        let refused =
            |suits| painted_text("no 2D\nnever\n", TextTone::Refusal, Colours::Ansi, suits);
        assert_eq!(refused(SuitSpelling::Letters), "\x1b[33mno 2D\x1b[0m\n\x1b[33mnever\x1b[0m\n");
        assert_eq!(refused(SuitSpelling::Signs), "\x1b[33mno 2♦\x1b[0m\n\x1b[33mnever\x1b[0m\n");
    }

    #[test]
    fn signs_are_read_as_letters() {
        assert_eq!(with_letters("9♠ 4♣\u{fe0f} 5♡ k♦ ž"), "9S 4C 5H kD ž");
    }
}
