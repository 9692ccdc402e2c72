//! Leduc poker: the rules of a game as a module, to start from.
//!
//! The referee asks in lines, and this module answers in lines. This file is the game. YOUR GAME GOES HERE:
//! put another `Game` with the same functions into its place. `abi.rs` reads the calls.

mod abi;

use abi::{Lines, Refused, Rules};

const CARDS: [&str; 3] = ["J", "Q", "K"];
const CHIPS: i32 = 13;
const RAISES: [i32; 2] = [2, 4];
const MOST_RAISES: usize = 2;

/// One game.
pub struct Game {
    /// Of seat 0, of seat 1, and the board; each is a place in `CARDS`.
    cards: Vec<usize>,
    /// From each seat.
    pot: [i32; 2],
    /// Of each round.
    moves: [Vec<String>; 2],
    round: usize,
    /// When the game is over.
    scores: Option<[i32; 2]>,
}

impl Rules for Game {
    const ABOUT: &'static str = "\
rules 1
name leduc
title Leduc poker
about two rounds of betting with six cards
seats 2
most 26
help There are six cards: two jacks, two queens and two kings.
help Each seat has 13 chips, puts 1 into the pot, and gets one card, which the other seat does not see.
help After a round of betting, a card is turned up for both seats: the board. Then there is another round.
help Seat 0 begins each round. A seat that owes nothing can check or raise; otherwise call, raise or fold.
help A raise is 2 chips in the first round and 4 in the second. Each round has at most two raises.
help A seat that folds loses the pot. At the end, a card equal to the board wins it, or else the higher card.
help If the cards are equal, each seat takes back what it put in. You score the chips that you have at the end.
";

    fn begin(options: &[(&str, &str)]) -> Result<Game, Refused> {
        if options != [("seats", "2")] {
            return Err(Refused("Leduc poker has two seats and no options"));
        }
        let moves = [Vec::new(), Vec::new()];
        Ok(Game { cards: Vec::new(), pot: [1, 1], moves, round: 0, scores: None })
    }

    fn state(&self) -> Lines {
        let mut lines = Lines::new();
        if let Some([first, second]) = self.scores {
            lines.push(format!("over {first} {second}"));
        } else if self.is_chance() {
            let left = CARDS.iter().enumerate().map(|(card, name)| (self.left(card), name));
            let left = left.filter(|(left, _)| *left > 0);
            let left: Vec<String> = left.map(|(left, name)| format!("{left}*{name}")).collect();
            lines.push(format!("chance {}", left.join(" ")));
        } else {
            let legal = self.legal();
            lines.push(format!("turn {}", self.turn()));
            lines.extend(legal.iter().map(|name| format!("move {name}")));
            lines.push(format!("fallback {}", legal[0]));
        }
        let [first, second] = self.pot;
        if self.scores.is_none() {
            lines.push(format!("walkover {} {}", CHIPS + second, CHIPS + first));
        }
        lines.push(format!("view * round {}", self.round + 1));
        lines.push(format!("view * pot {first} {second}"));
        for (key, moves) in ["first", "second"].iter().zip(&self.moves) {
            if !moves.is_empty() {
                lines.push(format!("view * {key} {}", moves.join(" ")));
            }
        }
        for (seat, card) in self.cards.iter().take(2).enumerate() {
            lines.push(format!("view {seat} card {}", CARDS[*card]));
        }
        for card in self.cards.iter().skip(2) {
            lines.push(format!("view * board {}", CARDS[*card]));
        }
        if self.is_shown() {
            lines.push(format!("view * shown {} {}", CARDS[self.cards[0]], CARDS[self.cards[1]]));
        }
        lines
    }

    fn happen(&mut self, name: &str) -> Result<Lines, Refused> {
        let card = CARDS.iter().position(|card| *card == name);
        let card = card.filter(|card| self.is_chance() && self.left(*card) > 0);
        let card = card.ok_or(Refused("this card cannot be drawn now"))?;
        let seat = self.cards.len();
        self.cards.push(card);
        Ok(match seat {
            2 => vec![format!("event board {name}"), format!("tell The board is {name}")],
            _ => vec![
                format!("secret {seat} deal {seat} {name}"),
                format!("tell {{{seat}}} gets {name}"),
                format!("others deal {seat} ?"),
                format!("tell {{{seat}}} gets a card"),
            ],
        })
    }

    fn check(&self, choice: &str) -> Result<(), Refused> {
        match self.legal().contains(&choice) {
            true => Ok(()),
            false => Err(Refused("this move is not possible now")),
        }
    }

    fn play(&mut self, choice: &str) -> Lines {
        let seat = self.turn();
        self.moves[self.round].push(choice.to_owned());
        let mut lines =
            vec![format!("event {seat} {choice}"), format!("tell {{{seat}}} {choice}s")];
        match choice {
            "fold" => self.end(Some(1 - seat)),
            "raise" => self.pot[seat] = self.pot[1 - seat] + RAISES[self.round],
            _ => {
                self.pot[seat] = self.pot[1 - seat];
                if choice == "check" && seat == 0 {
                    return lines;
                }
                if self.round == 0 {
                    self.round = 1;
                    return lines;
                }
                let strengths = [self.strength(0), self.strength(1)];
                let most = strengths[0].max(strengths[1]);
                let is_draw = strengths[0] == strengths[1];
                self.end(strengths.iter().position(|strength| *strength == most && !is_draw));
                let [first, second] = [CARDS[self.cards[0]], CARDS[self.cards[1]]];
                lines.push(format!("event shown {first} {second}"));
                lines.push(format!("tell {{0}} shows {first} and {{1}} shows {second}"));
            }
        }
        lines
    }
}

impl Game {
    /// Is it nature that decides next?
    fn is_chance(&self) -> bool {
        self.scores.is_none() && self.cards.len() < 2 + self.round
    }

    /// The number of these cards that are not drawn.
    fn left(&self, card: usize) -> usize {
        2 - self.cards.iter().filter(|drawn| **drawn == card).count()
    }

    /// The seat that is to move.
    fn turn(&self) -> usize {
        self.moves[self.round].len() % 2
    }

    /// The legal moves. The first of them costs nothing.
    fn legal(&self) -> Vec<&'static str> {
        if self.scores.is_some() || self.is_chance() {
            return Vec::new();
        }
        let is_even = self.pot[0] == self.pot[1];
        let mut moves = if is_even { vec!["check"] } else { vec!["fold", "call"] };
        let raises = self.moves[self.round].iter().filter(|name| *name == "raise").count();
        if raises < MOST_RAISES {
            moves.push("raise");
        }
        moves
    }

    /// The strength of a seat's card beside the board.
    fn strength(&self, seat: usize) -> usize {
        let card = self.cards[seat];
        card + if card == self.cards[2] { CARDS.len() } else { 0 }
    }

    /// Has the game ended with both cards on the table?
    fn is_shown(&self) -> bool {
        let last = self.moves[self.round].last();
        self.scores.is_some() && last.is_some_and(|name| name != "fold")
    }

    /// Ends the game. Without a winner, each seat takes back what it has put in.
    fn end(&mut self, winner: Option<usize>) {
        let mut scores = [CHIPS, CHIPS];
        if let Some(winner) = winner {
            scores[winner] += self.pot[1 - winner];
            scores[1 - winner] -= self.pot[1 - winner];
        }
        self.scores = Some(scores);
    }
}
