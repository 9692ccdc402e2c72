//! A person who plays Tablić: the card to play, then the cards to take, one or more on a line; or the whole
//! move on one line.
//!
//! The choices follow the human player of Davor Penzar's public project *tablic*. If a card of the hand is
//! named only by its rank, one of the equivalent cards is drawn, so that its suit tells nothing; if the 2 of
//! clubs or the 10 of diamonds is one of them, the person is asked to name it. From the table these two are
//! taken first. The draw follows from the seed in the request, as for every built-in bot.

mod selection;
mod whole;

use std::io;

use bots::Player;
use bots::tablic::classes::equivalent;
use bots::tablic::{Greedy, Tablic};
use rules::tablic::{Event, Move, Place, View};
use rules::{Card, CardSet, Nature, PerSeat, Rank, Request, Seat};
use text::columns::{padded, widest};

use crate::Decision;
use crate::command::Command;
use crate::named::{NamedCard, suit};
use crate::playable::Playable;
use crate::reveal::FinishedGame;
use crate::screen::{Prompt, Screen, Typed};
use crate::several::readings;
use selection::Selection;
use whole::Added;

/// The answer to any other input where a suit is asked for.
const SUIT_EXPECTED: &str = "expected a suit, or `other`";

const HELP: &str = "\
First type the card to play: 7, QH, clubs 2, tref 2. A suit is needed only where
2C or 10D matters. Then type the cards to take, one or more on each line, and an
empty line when done; an empty line first lays the card down.
Or type all on one line, the card to play first: 9S 4C 5S. It is played at once.
A move is played as soon as nothing is left to choose, and cannot be undone:
a card that can take nothing is laid down as soon as it is named.
  auto      let greedy choose the rest
  hint      the move greedy would play
  undo      undo the last choice, until the move is complete
  history   the moves so far
  rules     a summary of the rules
  quit      leave the game
";

impl Playable for Tablic {
    fn situation(view: &View, _seat: Seat, names: &PerSeat<String>) -> String {
        let points = names.iter().zip(view.points.values());
        let points: Vec<String> =
            points.map(|((_, name), points)| format!("{name} {points}")).collect();
        let table = if view.table.is_empty() { "empty".to_owned() } else { view.table.to_string() };
        format!("\npoints  {}\ntable   {table}\nhand    {}\n", points.join(", "), view.hand)
    }

    fn in_words(mv: &Move, _request: &Request<Tablic>, _names: &PerSeat<String>) -> String {
        match mv.captured.is_empty() {
            true => format!("lay down {}", mv.card),
            false => format!("take {} with {}", mv.captured, mv.card),
        }
    }

    fn revealed(ended: &FinishedGame<'_>) -> String {
        let FinishedGame { game, own, names, .. } = ended;
        let width = widest(names.values());
        let mut deals = PerSeat::new(names.count(), |_| 0);
        let mut text = String::new();
        for event in &game.events {
            let Ok(Event::Deal { to: Place::Hand(seat), cards }) = event.parse() else {
                continue;
            };
            if !names.has(seat) {
                continue;
            }
            deals[seat] += 1;
            if seat != *own {
                let deal = deals[seat];
                text.push_str(&format!(
                    "  deal {deal}  {}  {cards}\n",
                    padded(&names[seat], width)
                ));
            }
        }
        text
    }

    fn decide(
        request: &Request<Tablic>,
        _text: &str,
        names: &PerSeat<String>,
        screen: &mut Screen<'_>,
    ) -> io::Result<Decision> {
        screen.present(&Self::situation(&request.view, request.heading.seat, names))?;
        let mut choice = Choice { request, nature: request.heading.seed.nature() };
        let hand = request.view.hand;
        loop {
            let (card, undo) = match hand.first().filter(|_| hand.len() == 1) {
                Some(only) => (only, Undo::ToNothing),
                None => match choice.first(screen)? {
                    First::Card(card) => (card, Undo::ToCard),
                    First::Move(mv) => return Ok(Decision::Move(mv.to_string())),
                    First::Quit => return Ok(Decision::Quit),
                },
            };
            match choice.captured(card, undo, screen)? {
                Chosen::This(mv) => return Ok(Decision::Move(mv.to_string())),
                Chosen::Again => {}
                Chosen::Quit => return Ok(Decision::Quit),
            }
        }
    }
}

/// A move that is being chosen.
struct Choice<'a> {
    request: &'a Request<Tablic>,
    nature: Nature,
}

/// The answer to the first question.
enum First {
    /// A card of the hand; the captured cards are asked for next.
    Card(Card),
    /// The whole move.
    Move(Move),
    /// The person leaves.
    Quit,
}

/// The answer to a question about the card.
enum Chosen<T> {
    This(T),
    /// The card must be chosen again.
    Again,
    /// The person leaves.
    Quit,
}

/// The effect of `undo` when no card of the table is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undo {
    /// It goes back to the choice of the card.
    ToCard,
    /// It has none: the card was the only one.
    ToNothing,
}

impl Choice<'_> {
    /// Asks for the card to play.
    fn first(&mut self, screen: &mut Screen<'_>) -> io::Result<First> {
        let hand = self.request.view.hand;
        let words = words(hand);
        loop {
            let prompt = Prompt { text: "card> ", words: &words, help: HELP };
            match screen.ask(prompt)? {
                Typed::Quit => return Ok(First::Quit),
                Typed::Nothing => screen.refuse("expected a card of the hand, or `help`")?,
                Typed::Undo => screen.refuse("nothing is chosen yet")?,
                Typed::Hint => screen.tell(&self.hint())?,
                Typed::Auto => match Greedy.choose(self.request) {
                    Ok(mv) => return Ok(First::Move(mv)),
                    Err(error) => screen.refuse(&error.to_string())?,
                },
                Typed::Choice(text) => match (text.parse::<NamedCard>(), readings(&text)) {
                    (Ok(named), _) => match self.one_of(named, screen)? {
                        Chosen::This(card) => return Ok(First::Card(card)),
                        Chosen::Again => {}
                        Chosen::Quit => return Ok(First::Quit),
                    },
                    (Err(_), Ok(readings)) => match self.whole(&readings, screen)? {
                        Chosen::This(mv) => return Ok(First::Move(mv)),
                        Chosen::Again => {}
                        Chosen::Quit => return Ok(First::Quit),
                    },
                    (Err(error), Err(_)) => screen.refuse(&error.to_string())?,
                },
            }
        }
    }

    /// The card of the hand with this name. Of several one is drawn if they are equivalent; otherwise the
    /// person is asked.
    fn one_of(&mut self, named: NamedCard, screen: &mut Screen<'_>) -> io::Result<Chosen<Card>> {
        let meant = named.among(self.request.view.hand);
        if meant.is_empty() {
            screen.refuse(&not_in_hand(named))?;
        }
        match special_of(meant) {
            Some((special, others)) if !others.is_empty() => {
                self.special_or_other(special, others, screen)
            }
            _ => Ok(self.drawn(meant)),
        }
    }

    /// Asks for the 2 of clubs or the 10 of diamonds, or another card of its rank.
    fn special_or_other(
        &mut self,
        special: Card,
        others: CardSet,
        screen: &mut Screen<'_>,
    ) -> io::Result<Chosen<Card>> {
        let meant = others | CardSet::one(special);
        let mut words = words(meant);
        words.push("other".to_owned());
        let text = format!("{special}, or other ({others})? ");
        loop {
            match screen.ask(Prompt { text: &text, words: &words, help: HELP })? {
                Typed::Quit => return Ok(Chosen::Quit),
                Typed::Undo => return Ok(Chosen::Again),
                Typed::Hint => screen.tell(&self.hint())?,
                Typed::Choice(text) if text.trim().eq_ignore_ascii_case("other") => {
                    return Ok(self.drawn(others));
                }
                Typed::Choice(text) => match of_rank(special.rank(), &text) {
                    Err(why) => screen.refuse(&why)?,
                    Ok(named) if named.among(meant).is_empty() => {
                        screen.refuse(&not_in_hand(named))?;
                    }
                    Ok(named) => return Ok(self.drawn(named.among(meant))),
                },
                Typed::Nothing | Typed::Auto => screen.refuse(SUIT_EXPECTED)?,
            }
        }
    }

    /// Asks for the cards that a card takes, as long as there are any to choose.
    fn captured(
        &mut self,
        card: Card,
        undo: Undo,
        screen: &mut Screen<'_>,
    ) -> io::Result<Chosen<Move>> {
        let mut selection = Selection::new(card, self.request.view.table);
        while selection.can_grow() {
            let words = words(selection.left());
            let text = match selection.chosen().is_empty() {
                true => format!("{card} takes> "),
                false => format!("{card} takes {}> ", selection.chosen()),
            };
            match screen.ask(Prompt { text: &text, words: &words, help: HELP })? {
                Typed::Quit => return Ok(Chosen::Quit),
                Typed::Nothing => match selection.complete() {
                    Ok(mv) => return Ok(Chosen::This(mv)),
                    Err(illegal) => screen.refuse(&illegal.to_string())?,
                },
                Typed::Auto => return Ok(Chosen::This(selection.best())),
                Typed::Hint => {
                    let best = selection.best().captured - selection.chosen();
                    screen.tell(&format!("greedy would take {best}\n"))?;
                }
                Typed::Undo => match (selection.undo(), undo) {
                    (true, _) => {}
                    (false, Undo::ToCard) => return Ok(Chosen::Again),
                    (false, Undo::ToNothing) => {
                        screen.refuse("nothing is chosen yet: the card is your only one")?;
                    }
                },
                Typed::Choice(text) => match (text.parse::<NamedCard>(), readings(&text)) {
                    (Ok(named), _) => {
                        if let Err(why) = self.add(&mut selection, named) {
                            screen.refuse(&why)?;
                        }
                    }
                    (Err(_), Ok(readings)) => match self.added(&selection, &readings) {
                        Ok(Added::Cards(added)) => selection = added,
                        Ok(Added::Move(mv)) => return Ok(Chosen::This(mv)),
                        Err(why) => screen.refuse(&why)?,
                    },
                    (Err(error), Err(_)) => screen.refuse(&error.to_string())?,
                },
            }
        }
        // A choice that cannot grow is a capture, or no card.
        Ok(Chosen::This(selection.best()))
    }

    /// One of some cards, if there are any; of the 2 of clubs or the 10 of diamonds and others, the former.
    fn draw(&mut self, cards: CardSet) -> Option<Card> {
        if let Some((special, _)) = special_of(cards) {
            return Some(special);
        }
        let mut pool = cards;
        if pool.len() < 2 { pool.first() } else { self.nature.draw(&mut pool) }
    }

    /// Draws the answer to a question; of no cards there is nothing to draw.
    fn drawn(&mut self, cards: CardSet) -> Chosen<Card> {
        self.draw(cards).map_or(Chosen::Again, Chosen::This)
    }

    fn hint(&self) -> String {
        match Greedy.choose(self.request) {
            Ok(mv) if mv.captured.is_empty() => format!("greedy would lay down {}\n", mv.card),
            Ok(mv) => format!("greedy would take {} with {}\n", mv.captured, mv.card),
            Err(error) => format!("greedy {error}\n"),
        }
    }
}

/// The 2 of clubs or the 10 of diamonds, if it is one of these cards of one rank, and the others.
fn special_of(cards: CardSet) -> Option<(Card, CardSet)> {
    let of_rank = |card: &Card| NamedCard { rank: card.rank(), suit: None }.among(CardSet::PACK);
    let special = cards.iter().find(|card| equivalent(*card, of_rank(card)).len() == 1)?;
    Some((special, cards - CardSet::one(special)))
}

/// The card of this rank that a text names by its suit, with its rank or without.
fn of_rank(rank: Rank, text: &str) -> Result<NamedCard, String> {
    if let Some(suit) = suit(text) {
        return Ok(NamedCard { rank, suit: Some(suit) });
    }
    let named = text.parse::<NamedCard>().map_err(|_| SUIT_EXPECTED.to_owned())?;
    if named.rank != rank {
        return Err(format!("{named} is not of rank {}; {SUIT_EXPECTED}", rank.name()));
    }
    named.suit.map(|_| named).ok_or_else(|| SUIT_EXPECTED.to_owned())
}

fn not_in_hand(named: NamedCard) -> String {
    match named.suit {
        Some(_) => format!("{named} is not in the hand"),
        None => format!("no {named} is in the hand"),
    }
}

fn words(cards: CardSet) -> Vec<String> {
    cards.iter().map(|card| card.to_string()).chain(Command::words()).collect()
}
