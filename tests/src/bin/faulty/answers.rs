//! Modes that print an answer of some kind and exit 0.

use crate::bot::{Bot, say};

pub(crate) fn ok(bot: &Bot) {
    say(bot.answer() + "\n");
}

pub(crate) fn unasked(bot: &Bot) {
    say(bot.fixed_answer() + "\n");
}

pub(crate) fn no_newline(bot: &Bot) {
    say(bot.answer());
}

pub(crate) fn crlf(bot: &Bot) {
    say(bot.answer() + "\r\n");
}

pub(crate) fn blanks(bot: &Bot) {
    say(format!(" \t{} \t \n", bot.answer()));
}

pub(crate) fn bom(bot: &Bot) {
    say(format!("\u{feff}{}\n", bot.answer()));
}

pub(crate) fn nul(bot: &Bot) {
    say(bot.answer() + "\0\n");
}

pub(crate) fn escapes(bot: &Bot) {
    say(format!("\x1b[2J\x1b[31m{}\x1b]0;title\x07\x1b[0m\n", bot.answer()));
}

pub(crate) fn bad_utf8(bot: &Bot) {
    let mut bytes = bot.answer().into_bytes();
    bytes.extend(b"\xff\xfe\xc3\x28\n");
    say(bytes);
}

pub(crate) fn empty_line(bot: &Bot) {
    bot.request();
    say("\n");
}

pub(crate) fn only_blanks(bot: &Bot) {
    bot.request();
    say(" \t  \n");
}

pub(crate) fn two_answers(bot: &Bot) {
    say(format!("{0}\n{0}\n", bot.answer()));
}

pub(crate) fn junk_after(bot: &Bot) {
    say(bot.answer() + "\nand that is my move!\n");
}

pub(crate) fn other_case(bot: &Bot) {
    let swap = |letter: char| {
        if letter.is_ascii_lowercase() {
            letter.to_ascii_uppercase()
        } else {
            letter.to_ascii_lowercase()
        }
    };
    say(bot.answer().chars().map(swap).chain(['\n']).collect::<String>());
}

pub(crate) fn no_such_card(bot: &Bot) {
    bot.request();
    say("1Z\n");
}

/// The last move of its own seat in the history; a legal one where there is none yet.
pub(crate) fn stale(bot: &Bot) {
    let request = bot.request();
    let seat = format!("{} ", request.value("seat").unwrap_or_default());
    let last = request.lines("history").into_iter().rev().find_map(|line| line.strip_prefix(&seat));
    say(last.unwrap_or(&bot.answer()).to_owned() + "\n");
}

/// The first card of the deck that is not in the line `hand`.
pub(crate) fn not_held(bot: &Bot) {
    let hand: Vec<&str> = bot.request().value("hand").unwrap_or_default().split(' ').collect();
    let card = deck().find(|card| !hand.contains(&card.as_str()));
    say(card.unwrap_or_default() + "\n");
}

/// The first capture of cards of the line `table`, one or two at once, that is not legal.
pub(crate) fn bad_sum(bot: &Bot) {
    let request = bot.request();
    let cards = |key| request.value(key).unwrap_or_default().split_whitespace();
    let legal = request.lines("legal");
    let table: Vec<&str> = cards("table").collect();
    let singles = table.iter().map(|&card| card.to_owned());
    let pairs = table.windows(2).map(|pair| pair.join(" "));
    let taken: Vec<String> = singles.chain(pairs).collect();
    let mut captures =
        cards("hand").flat_map(|card| taken.iter().map(move |taken| format!("{card} {taken}")));
    let wrong = captures.find(|capture| !legal.contains(&capture.as_str()));
    say(wrong.unwrap_or_else(|| bot.answer()) + "\n");
}

/// Takes a card that no seat can see with the first card of the hand.
pub(crate) fn not_there(bot: &Bot) {
    let request = bot.request();
    let own = request.value("hand").and_then(|hand| hand.split(' ').next()).unwrap_or_default();
    let seen = ["hand", "table"].map(|key| request.value(key).unwrap_or_default()).join(" ");
    let unseen = deck().find(|card| !seen.split(' ').any(|it| it == card));
    say(format!("{own} {}\n", unseen.unwrap_or_default()));
}

/// Every card, in the order of a new pack.
fn deck() -> impl Iterator<Item = String> {
    let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
    ranks.into_iter().flat_map(|rank| ["C", "D", "H", "S"].map(|suit| format!("{rank}{suit}")))
}
