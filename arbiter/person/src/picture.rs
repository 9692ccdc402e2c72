//! The content of a screen, as rows of a terminal.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rules::{Card, Suit};
use text::columns::width;
use text::terminal::Colours;

use crate::named_card::spelt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TerminalSize {
    /// The cells of a row.
    pub columns: usize,
    pub rows: usize,
}

/// The rows that a picture leaves below it: one to type in, and one for the end of that line, at which a full
/// terminal would scroll.
const BELOW: usize = 2;

/// The smallest terminal for pictures; on a smaller one text scrolls.
const SMALLEST: TerminalSize = TerminalSize { columns: 20, rows: 8 };

/// The content of a screen, from top to bottom; each part is whole lines without colours.
#[derive(Debug, Clone)]
pub struct ScreenContent {
    pub(crate) paint: TextPainter,
    pub(crate) heading: String,
    /// The history that the person has seen before; the end of it is shown, as far as there is room.
    pub(crate) before: String,
    /// The history since then, of which all is shown.
    pub(crate) news: String,
    /// The choices.
    pub(crate) board: String,
    /// The replies to the last line.
    pub(crate) said: Vec<(TextTone, String)>,
}

impl ScreenContent {
    /// The rows on a terminal of this size, or nothing if they do not fit.
    pub(crate) fn rows(&self, size: TerminalSize) -> Option<Vec<String>> {
        if size.columns < SMALLEST.columns || size.rows < SMALLEST.rows {
            return None;
        }
        // The last column stays free: behind it terminals differ.
        let rows = |text: &str| rows_of(text, size.columns - 1);
        let news = rows(&self.news);
        let board = rows(self.board.trim_matches('\n'));
        let said: Vec<(TextTone, Vec<String>)> =
            self.said.iter().map(|(tone, text)| (*tone, rows(text))).collect();
        let said_rows: usize = said.iter().map(|(_, rows)| rows.len()).sum();
        let gap = usize::from(!board.is_empty());
        let needed = news.len() + gap + board.len() + said_rows + BELOW;
        let room = size.rows.checked_sub(needed)?;
        let mut heading = rows(&self.heading);
        heading.push(String::new());
        // The heading is the first to go.
        let (heading, room) = match room.checked_sub(heading.len()) {
            Some(room) => (heading, room),
            None => (Vec::new(), room),
        };
        let before = rows(&self.before);
        let old = &before[before.len().saturating_sub(room)..];
        let mut told: Vec<&String> = old.iter().chain(&news).collect();
        // A blank row at an edge separates nothing.
        let blank_first = told.iter().take_while(|row| row.is_empty()).count();
        told.drain(..blank_first);
        while told.last().is_some_and(|row| row.is_empty()) {
            told.pop();
        }
        let plain = |row: &String| self.paint.painted(row, TextTone::Plain).into_owned();
        let mut all: Vec<String> = heading.iter().map(plain).collect();
        all.extend(told.into_iter().map(plain));
        if !board.is_empty() {
            all.push(String::new());
            all.extend(board.iter().map(plain));
        }
        for (tone, rows) in said {
            all.extend(rows.iter().map(|row| self.paint.painted(row, tone).into_owned()));
        }
        Some(all)
    }
}

fn rows_of(text: &str, columns: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrapped(line, columns)).collect()
}

/// A line as rows of at most this number of cells, broken at a gap if there is one, otherwise between words;
/// the later rows are indented to the text after the first gap of the line.
fn wrapped(line: &str, columns: usize) -> Vec<String> {
    let label = line.trim_start().find("  ").map_or("", |at| {
        let at = at + line.len() - line.trim_start().len();
        &line[..line.len() - line[at..].trim_start_matches(' ').len()]
    });
    let label = if width(label) * 2 <= columns { label } else { "" };
    let indent = width(label);
    let mut rows = Vec::new();
    let mut row: Vec<char> = Vec::new();
    for letter in line.trim_end().chars() {
        // A blank between two rows begins neither.
        if letter == ' ' && !rows.is_empty() && row.len() == indent {
            continue;
        }
        row.push(letter);
        if width(&row.iter().collect::<String>()) <= columns {
            continue;
        }
        // Letters of the label need not be as many as its cells, as blanks are.
        let from = if rows.is_empty() { label.chars().count() } else { indent }.min(row.len());
        let is_blank = |at: usize| row[at] == ' ';
        let is_end = |at: &usize| row[from..*at].iter().any(|letter| *letter != ' ');
        let blanks = || (from..row.len()).rev().filter(|at| is_blank(*at)).filter(is_end);
        let gap = blanks().find(|at| *at > from + 1 && is_blank(at - 1));
        let end = gap.or_else(|| blanks().next());
        let rest = row.split_off(end.unwrap_or(row.len() - 1));
        rows.push(row.iter().collect::<String>().trim_end().to_owned());
        row = vec![' '; indent];
        row.extend(rest.into_iter().skip_while(|letter| *letter == ' '));
    }
    rows.push(row.into_iter().collect::<String>().trim_end().to_owned());
    rows
}

/// The content of the screen, for drawing it again.
#[derive(Debug, Default)]
pub(crate) struct DrawnScreen {
    /// The picture, as long as only it is on the screen, and the size that it was drawn for.
    pub picture: Option<(ScreenContent, TerminalSize)>,
    /// The prompt before the line that is being typed, if there is one.
    pub prompt: Option<String>,
    pub line: TypedLine,
}

impl DrawnScreen {
    /// The text that draws the picture for this size, if it was drawn for another one, and fits.
    pub(crate) fn redraw(&mut self, now: TerminalSize) -> Option<String> {
        let (picture, size) = self.picture.as_mut()?;
        if *size == now {
            return None;
        }
        *size = now;
        drawing(picture, now)
    }
}

/// The part of a line that was typed.
#[derive(Debug, Clone, Default)]
pub(crate) struct TypedLine {
    pub text: String,
    /// The place of the cursor, in bytes.
    pub cursor: usize,
    /// True if the line goes on after it ends now.
    pub is_to_go_on: bool,
}

impl TypedLine {
    /// The text before the cursor, and the rest.
    pub(crate) fn parts(&self) -> (&str, &str) {
        self.text.split_at_checked(self.cursor).unwrap_or((&self.text, ""))
    }
}

/// Locks the content of the screen, even if another thread panicked with it.
pub(crate) fn drawn(shared: &Mutex<DrawnScreen>) -> MutexGuard<'_, DrawnScreen> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The text that draws a picture over everything on a terminal of this size, if it fits.
pub(crate) fn drawing(picture: &ScreenContent, size: TerminalSize) -> Option<String> {
    let rows = picture.rows(size)?;
    // Each row is cleared behind its end and not before its beginning, so that nothing flickers.
    let rows: String = rows.iter().map(|row| format!("{row}\x1b[K\r\n")).collect();
    Some(format!("\x1b[H{rows}\x1b[J"))
}

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
                Cow::Owned(shown.split_inclusive('\n').map(|line| coloured(YELLOW, line)).collect())
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

fn coloured(colour: &str, line: &str) -> String {
    let text = line.trim_end_matches('\n');
    format!("{colour}{text}{OFF}{}", &line[text.len()..])
}

#[cfg(test)]
mod tests {
    use text::terminal::Colours;

    use super::*;

    fn picture() -> ScreenContent {
        let style = TextStyle { colours: Colours::Plain, suits: SuitSpelling::Letters };
        ScreenContent {
            paint: TextPainter::new(style, &[]),
            heading: "game 0".to_owned(),
            before: "one\ntwo\n\nthree\nfour\n".to_owned(),
            news: "five\nsix\n".to_owned(),
            board: "\ntable   3D\nhand    4C\n".to_owned(),
            said: vec![(TextTone::Refusal, "no\n".to_owned())],
        }
    }

    #[test]
    fn as_much_of_the_past_is_shown_as_there_is_room_for() {
        let shown =
            |rows| picture().rows(TerminalSize { columns: 80, rows }).map(|rows| rows.join("|"));
        assert_eq!(shown(7), None);
        let below = "five|six||table   3D|hand    4C|no";
        assert_eq!(shown(8), Some(below.to_owned()));
        assert_eq!(shown(9), Some(format!("four|{below}")));
        assert_eq!(shown(10), Some(format!("game 0||{below}")));
        assert_eq!(shown(12), Some(format!("game 0||three|four|{below}")));
        // The blank row at the edge is left out.
        assert_eq!(shown(13), shown(12));
        assert_eq!(shown(60), Some(format!("game 0||one|two||three|four|{below}")));
        assert_eq!(picture().rows(TerminalSize { columns: 19, rows: 60 }), None);
        assert!(picture().rows(TerminalSize { columns: 20, rows: 60 }).is_some());
    }

    #[test]
    fn lines_are_broken_between_words_and_stand_below_their_beginning() {
        assert_eq!(
            wrapped("greedy  KS takes KD   table 3D", 18),
            ["greedy  KS takes", "        KD", "        table 3D"]
        );
        assert_eq!(wrapped("points  1", 18), ["points  1"]);
        assert_eq!(wrapped("  1  lead 7S  attack", 12), ["  1  lead 7S", "     attack"]);
        assert_eq!(wrapped("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("a  bcdefghijkl", 6), ["a  bcd", "   efg", "   hij", "   kl"]);
        assert_eq!(wrapped("李雷  KS takes KD", 14), ["李雷  KS takes", "      KD"]);
        assert_eq!(wrapped("李雷李雷", 5), ["李雷", "李雷"]);
        assert_eq!(wrapped("", 4), [""]);
    }

    #[test]
    fn no_row_is_wider_than_the_terminal_whatever_the_text() {
        for text in [
            "a b  c",
            "          x",
            "wörd   ♠♠♠♠♠♠♠♠♠♠♠♠♠♠♠♠",
            "李雷李雷李雷  x 李 雷李雷",
            "  ",
            "a  b  c  d  e  f  g  h",
        ] {
            for columns in 2..30 {
                let rows = wrapped(text, columns);
                assert!(rows.iter().all(|row| width(row) <= columns), "{rows:?}");
                let kept = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(kept(&rows.concat()), kept(text), "{columns}");
            }
        }
    }

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
