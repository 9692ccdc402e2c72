//! Calls and answers: all that the referee reads and writes.

use std::fmt::{self, Write};

use crate::card::Card;
use crate::game::{Dealt, End, Game, Move, Next, Options, Street};

const ABOUT: &str = "\
rules 1
name holdem
title Texas hold'em
about one hand of no-limit Texas hold'em between two seats
seats 2
option stack 200 the chips that each seat has at the start
option small-blind 1 what seat 0 must bet before the cards are dealt
option big-blind 2 what seat 1 must bet before the cards are dealt
help Each seat has two cards of its own and shares five on the board: three come as the flop, then the turn, then the river.
help Before the flop and after each of the three there is a round of betting. Seat 0 begins before the flop, seat 1 after it.
help fold gives up the pot; check bets nothing; call matches the bet of the other seat.
help bet N bets N chips; raise N raises the bet to N chips in all, counted from the start of the street.
help A bet is at least the big blind, a raise goes up at least as much as the one before. All that a seat has is always enough.
help When both are all in, the rest of the board is dealt and the hands are shown.
help The best five of seven cards win the pot; equal hands split it. A seat scores the chips that it has at the end.
help Hands from the best: straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, pair, high card.
";

/// Writes a line. Writing to a string does not fail.
macro_rules! line {
    ($answer:expr, $($text:tt)*) => {{
        let _ = writeln!($answer, $($text)*);
    }};
}

/// Answers a call, and changes the game if the call does.
pub fn answer_to(game: &mut Option<Game>, call: &str, answer: &mut String) {
    let (verb, rest) = halves(call, ' ').unwrap_or((call, ""));
    let done = match (verb, game.as_mut()) {
        ("about", _) => {
            answer.push_str(ABOUT);
            Ok(())
        }
        ("new", _) => read_options(rest).map(|options| {
            let game = game.insert(Game::new(options));
            write_blinds(game, answer);
            write_state(game, answer);
        }),
        ("happen", Some(game)) => happen(game, rest, answer),
        ("play", Some(game)) => play(game, rest, answer),
        ("check", Some(game)) => checked(game, rest).map(|_| answer.push_str("ok\n")),
        ("happen" | "play" | "check", None) => Err("no game has begun".into()),
        _ => Err("there is no such call".into()),
    };
    if let Err(reason) = done {
        line!(answer, "refused {reason}");
    }
}

/// What is before and after the first such letter. The letter stands in a set of one, since the code that finds a
/// letter alone can leave the path of the compiler in the module, which is to be the same on every machine.
fn halves(text: &str, letter: char) -> Option<(&str, &str)> {
    text.split_once([letter])
}

fn read_options(text: &str) -> Result<Options, String> {
    let mut options = Options { stack: 200, small_blind: 1, big_blind: 2 };
    for word in text.split_ascii_whitespace() {
        let (key, value) = halves(word, '=').unwrap_or((word, ""));
        let value = read_number(value).ok_or_else(|| format!("{key} is not a number of chips"))?;
        match key {
            "seats" if value == 2 => {}
            "seats" => return Err("there are two seats".into()),
            "stack" => options.stack = value,
            "small-blind" => options.small_blind = value,
            "big-blind" => options.big_blind = value,
            _ => return Err(format!("there is no option {key}")),
        }
    }
    options.check().map(|()| options)
}

/// A number in its one spelling, without a sign or zeros in front.
fn read_number(word: &str) -> Option<u32> {
    let is_spelt = !word.starts_with(['+', '0']) || word == "0";
    word.parse().ok().filter(|_| is_spelt)
}

fn read_move(text: &str) -> Option<Move> {
    match halves(text, ' ') {
        None => match text {
            "fold" => Some(Move::Fold),
            "check" => Some(Move::Check),
            "call" => Some(Move::Call),
            _ => None,
        },
        Some(("bet", number)) => read_number(number).map(Move::Bet),
        Some(("raise", number)) => read_number(number).map(Move::Raise),
        Some(_) => None,
    }
}

/// Writes a move. There are hundreds in an answer, and an interpreter runs this.
fn push_move(answer: &mut String, mv: Move) {
    let (word, chips) = match mv {
        Move::Fold => ("fold", None),
        Move::Check => ("check", None),
        Move::Call => ("call", None),
        Move::Bet(chips) => ("bet ", Some(chips)),
        Move::Raise(to) => ("raise ", Some(to)),
    };
    answer.push_str(word);
    if let Some(chips) = chips {
        push_number(answer, chips);
    }
}

fn push_number(answer: &mut String, number: u32) {
    if number >= 10 {
        push_number(answer, number / 10);
    }
    answer.push(char::from(b'0' + (number % 10) as u8));
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        push_move(&mut text, *self);
        f.write_str(&text)
    }
}

impl fmt::Display for Street {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Street::Preflop => "preflop",
            Street::Flop => "flop",
            Street::Turn => "turn",
            Street::River => "river",
        })
    }
}

/// Cards with blanks between.
struct Cards<'a>(&'a [Card]);

impl fmt::Display for Cards<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(3 * self.0.len());
        for card in self.0 {
            if !text.is_empty() {
                text.push(' ');
            }
            text.extend(card.letters());
        }
        f.write_str(&text)
    }
}

fn happen(game: &mut Game, text: &str, answer: &mut String) -> Result<(), String> {
    let Next::Draw(number) = game.next() else {
        return Err("no card is to be drawn".into());
    };
    let cards: Option<Vec<Card>> = text.split_ascii_whitespace().map(Card::read).collect();
    let cards = cards.filter(|cards| cards.len() == number);
    let cards = cards.ok_or_else(|| format!("the number of cards to draw is {number}"))?;
    let is_twice = cards.iter().enumerate().any(|(place, card)| cards[..place].contains(card));
    if is_twice || cards.iter().any(|card| game.is_seen(*card)) {
        return Err("a card is not in the pack any more".into());
    }
    let shown = Cards(&cards);
    match game.deal(&cards) {
        Dealt::Hole(seat) => {
            line!(answer, "secret {seat} deal {seat} {shown}");
            line!(answer, "tell {{{seat}}} is dealt {shown}");
            line!(answer, "others deal {seat} ?? ??");
            line!(answer, "tell {{{seat}}} is dealt two cards");
        }
        Dealt::Board(street) => line!(answer, "event {street} {shown}"),
    }
    write_end(game, answer);
    write_state(game, answer);
    Ok(())
}

/// The move that is spelt like this, with the seat whose turn it is, if it is legal now.
fn checked(game: &Game, text: &str) -> Result<(usize, Move), String> {
    let Next::Turn(seat) = game.next() else {
        return Err("no seat is to move".into());
    };
    let mv = read_move(text).ok_or("a move is fold, check, call, bet N or raise N")?;
    game.choice(seat).check(mv).map(|()| (seat, mv))
}

fn play(game: &mut Game, text: &str, answer: &mut String) -> Result<(), String> {
    let (seat, mv) = checked(game, text)?;
    let to_call = game.choice(seat).to_call;
    game.play(seat, mv);
    line!(answer, "event {seat} {mv}");
    let told = match mv {
        Move::Fold => "folds".to_owned(),
        Move::Check => "checks".to_owned(),
        Move::Call => format!("calls {to_call}"),
        Move::Bet(chips) => format!("bets {chips}"),
        Move::Raise(to) => format!("raises to {to}"),
    };
    let is_all_in = mv != Move::Fold && game.end.is_none() && game.stacks[seat] == 0;
    let all_in = if is_all_in { " and is all in" } else { "" };
    line!(answer, "tell {{{seat}}} {told}{all_in}");
    write_end(game, answer);
    write_state(game, answer);
    Ok(())
}

/// Tells what was bet before the first card.
fn write_blinds(game: &Game, answer: &mut String) {
    for (seat, name) in ["small", "big"].into_iter().enumerate() {
        let chips = game.bets[seat];
        line!(answer, "event blind {seat} {chips}");
        line!(answer, "tell {{{seat}}} posts the {name} blind of {chips}");
    }
}

/// Tells how the hand ended, if it did.
fn write_end(game: &Game, answer: &mut String) {
    let Some(End { uncalled, pot, winner, shown }) = game.end else { return };
    for (seat, strength) in shown.iter().flatten().enumerate() {
        let cards = Cards(&game.hole[seat]);
        line!(answer, "event show {seat} {cards}");
        line!(answer, "tell {{{seat}}} shows {cards}: {}", strength.category.name());
    }
    if let (Some(seat), true) = (winner, uncalled > 0) {
        line!(answer, "event return {seat} {uncalled}");
        line!(answer, "tell {{{seat}}} takes back {uncalled} that nobody called");
    }
    if let Some(seat) = winner {
        line!(answer, "event win {seat} {pot}");
        line!(answer, "tell {{{seat}}} wins {pot}");
    } else {
        line!(answer, "event split {pot}");
        line!(answer, "tell {{0}} and {{1}} split {pot}");
    }
}

fn write_state(game: &Game, answer: &mut String) {
    match game.next() {
        Next::Over => line!(answer, "over {} {}", game.stacks[0], game.stacks[1]),
        Next::Draw(number) => {
            let unseen: Vec<Card> = game.unseen().collect();
            line!(answer, "draw {number} {}", Cards(&unseen));
        }
        Next::Turn(seat) => {
            line!(answer, "turn {seat}");
            let (moves, is_cut) = game.choice(seat).moves();
            for mv in &moves {
                answer.push_str("move ");
                push_move(answer, *mv);
                answer.push('\n');
            }
            if is_cut {
                line!(answer, "more");
            }
            // The first one is `check` or `fold`, which costs nothing.
            line!(answer, "fallback {}", moves[0]);
        }
    }
    if game.end.is_none() {
        line!(answer, "walkover {} {}", game.if_other_folds(0), game.if_other_folds(1));
    }
    write_views(game, answer);
}

fn write_views(game: &Game, answer: &mut String) {
    let Game { hole, board, stacks, bets, betting, .. } = game;
    for (seat, cards) in hole.iter().enumerate() {
        if !cards.is_empty() {
            line!(answer, "view {seat} hole {}", Cards(cards));
        }
    }
    if !board.is_empty() {
        line!(answer, "view * board {}", Cards(board));
    }
    line!(answer, "view * cards {} {}", hole[0].len(), hole[1].len());
    line!(answer, "view * street {}", game.street());
    line!(answer, "view * pot {}", game.pot());
    line!(answer, "view * stacks {} {}", stacks[0], stacks[1]);
    line!(answer, "view * bets {} {}", bets[0], bets[1]);
    line!(answer, "view * blinds {} {}", game.options.small_blind, game.options.big_blind);
    for street in Street::ALL {
        let mut moves = betting.iter().filter(|(of, ..)| *of == street);
        if let Some((_, seat, mv)) = moves.next() {
            // Writing to a string does not fail.
            let _ = write!(answer, "view * betting {street} {seat} {mv}");
            for (_, seat, mv) in moves {
                let _ = write!(answer, ", {seat} {mv}");
            }
            answer.push('\n');
        }
    }
    if game.end.is_some_and(|end| end.shown.is_some()) {
        for (seat, cards) in hole.iter().enumerate() {
            line!(answer, "view * shown {seat} {}", Cards(cards));
        }
    }
}
