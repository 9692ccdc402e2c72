//! A person who plays Tablić: the card to play, then the cards to take, one or more on a line; or the whole
//! move on one line.
//!
//! The choices follow the human player of Davor Penzar's public project *tablic*. If a card of the hand is
//! named only by its rank, one of the equivalent cards is drawn, so that its suit tells nothing; if the 2 of
//! clubs or the 10 of diamonds is one of them, the person is asked to name it. From the table these two are
//! taken first. The draw follows from the seed in the request, as for every built-in bot.
//!
//! If a line can be read in two ways and only one of them can be played, that one is meant; if both
//! can, the person is asked again. A line that cannot be played chooses nothing.

use std::io;

use bots::Player;
use bots::tablic::capture::best_including;
use bots::tablic::classes::equivalent;
use bots::tablic::{Greedy, MoveWorth, Tablic};
use rules::tablic::capture::may_capture;
use rules::tablic::{DealDestination, Event, IllegalMove, Move, View};
use rules::{Card, CardSet, Nature, PerSeat, Rank, Request, Seat};
use text::columns::{padded, widest};
use text::counted;

use crate::named_card::{PartialCard, readings, suit};
use crate::playable::{FinishedGame, Playable};
use crate::screen::{LinePrompt, PersonCommand, PersonDecision, PersonInput, Screen};

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

    fn reason(mv: &Move, request: &Request<Tablic>) -> String {
        let MoveWorth { tabla, points, captured, .. } = MoveWorth::new(*mv, request.view.table);
        if mv.captured.is_empty() {
            return "no capture is possible, and this card is worth the least".to_owned();
        }
        let cards = counted(captured, "card", "cards");
        let points = match points {
            0 => String::new(),
            _ => format!("{} and ", counted(points, "point", "points")),
        };
        let tabla = if tabla { "a tabla, " } else { "" };
        format!("{tabla}{points}{cards}, more than any other move")
    }

    fn revealed(ended: &FinishedGame<'_>) -> String {
        let FinishedGame { game, own, names, .. } = ended;
        let width = widest(names.values());
        let mut deals = PerSeat::new(names.count(), |_| 0);
        let mut text = String::new();
        for event in &game.events {
            let Ok(Event::Deal { to: DealDestination::Hand(seat), cards }) = event.parse() else {
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
    ) -> io::Result<PersonDecision> {
        screen.present(&Self::situation(&request.view, request.heading.seat, names))?;
        choose(request, screen)
    }
}

/// The answer to any other input where a suit is asked for.
const SUIT_EXPECTED: &str = "expected a suit, or `other`";

const HELP: &str = "\
First type the card to play: 7, QH, clubs 2, tref 2. Name the suit only if the
card could be 2C or 10D. Then type the cards to take, one or more on each line,
and an empty line when done. To take nothing, enter the empty line at once.
Or type the whole move on one line, the card to play first: 9S 4C 5S.
A move is played as soon as nothing is left to choose, and cannot be undone:
a card that can take nothing is laid down as soon as it is named.
  auto      let greedy choose the rest
  hint      the move greedy would play, and why
  undo      undo the last choice, until the move is complete
  history   the moves so far
  rules     a summary of the rules
  quit      leave the game
";

/// Asks a person until they choose a move.
fn choose(request: &Request<Tablic>, screen: &mut Screen<'_>) -> io::Result<PersonDecision> {
    let mut choice = MoveChoice { request, nature: request.heading.seed.nature() };
    let hand = request.view.hand;
    loop {
        let (card, undo) = match hand.first().filter(|_| hand.len() == 1) {
            Some(only) => (only, UndoEffect::ToNothing),
            None => match choice.ask_card(screen)? {
                CardAnswer::Card(card) => (card, UndoEffect::ToCard),
                CardAnswer::Move(mv) => return Ok(PersonDecision::Move(mv.to_string())),
                CardAnswer::Quit => return Ok(PersonDecision::Quit),
            },
        };
        match choice.captured(card, undo, screen)? {
            ChoiceResult::This(mv) => return Ok(PersonDecision::Move(mv.to_string())),
            ChoiceResult::Again => {}
            ChoiceResult::Quit => return Ok(PersonDecision::Quit),
        }
    }
}

struct MoveChoice<'a> {
    request: &'a Request<Tablic>,
    nature: Nature,
}

/// The answer to the first question.
enum CardAnswer {
    /// A card of the hand; the captured cards are asked for next.
    Card(Card),
    /// The whole move.
    Move(Move),
    Quit,
}

/// The answer to a question about the card.
enum ChoiceResult<T> {
    This(T),
    /// The card must be chosen again.
    Again,
    Quit,
}

/// The effect of `undo` when no card of the table is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UndoEffect {
    /// It goes back to the choice of the card.
    ToCard,
    /// It has none: the card was the only one.
    ToNothing,
}

/// The reading of a line of several cards once the card to play is known.
enum CaptureInput {
    /// Cards, added to those that were chosen.
    Cards(CaptureSelection),
    /// The whole move: the line began with the card to play.
    Move(Move),
}

impl MoveChoice<'_> {
    fn ask_card(&mut self, screen: &mut Screen<'_>) -> io::Result<CardAnswer> {
        let hand = self.request.view.hand;
        let words = words(hand);
        loop {
            let prompt = LinePrompt { text: "card> ", words: &words, help: HELP };
            match screen.ask(prompt)? {
                PersonInput::Quit => return Ok(CardAnswer::Quit),
                PersonInput::Nothing => screen.refuse("expected a card of the hand, or `help`")?,
                PersonInput::Undo => screen.refuse("nothing is chosen yet")?,
                PersonInput::Hint => screen.tell(&self.hint())?,
                PersonInput::Auto => match Greedy.choose(self.request) {
                    Ok(mv) => return Ok(CardAnswer::Move(mv)),
                    Err(error) => screen.refuse(&error.to_string())?,
                },
                PersonInput::Choice(text) => match (text.parse::<PartialCard>(), readings(&text)) {
                    (Ok(named), _) => match self.one_of(named, screen)? {
                        ChoiceResult::This(card) => return Ok(CardAnswer::Card(card)),
                        ChoiceResult::Again => {}
                        ChoiceResult::Quit => return Ok(CardAnswer::Quit),
                    },
                    (Err(_), Ok(readings)) => match self.read_whole_move(&readings, screen)? {
                        ChoiceResult::This(mv) => return Ok(CardAnswer::Move(mv)),
                        ChoiceResult::Again => {}
                        ChoiceResult::Quit => return Ok(CardAnswer::Quit),
                    },
                    (Err(error), Err(_)) => screen.refuse(&error.to_string())?,
                },
            }
        }
    }

    /// The card of the hand with this name. Of several one is drawn if they are equivalent; otherwise the
    /// person is asked.
    fn one_of(
        &mut self,
        named: PartialCard,
        screen: &mut Screen<'_>,
    ) -> io::Result<ChoiceResult<Card>> {
        let meant = named.matching_cards(self.request.view.hand);
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
    ) -> io::Result<ChoiceResult<Card>> {
        let meant = others | CardSet::single(special);
        let mut words = words(meant);
        words.push("other".to_owned());
        let text = format!("{special}, or other ({others})? ");
        loop {
            match screen.ask(LinePrompt { text: &text, words: &words, help: HELP })? {
                PersonInput::Quit => return Ok(ChoiceResult::Quit),
                PersonInput::Undo => return Ok(ChoiceResult::Again),
                PersonInput::Hint => screen.tell(&self.hint())?,
                PersonInput::Choice(text) if text.trim().eq_ignore_ascii_case("other") => {
                    return Ok(self.drawn(others));
                }
                PersonInput::Choice(text) => match of_rank(special.rank(), &text) {
                    Err(why) => screen.refuse(&why)?,
                    Ok(named) if named.matching_cards(meant).is_empty() => {
                        screen.refuse(&not_in_hand(named))?;
                    }
                    Ok(named) => return Ok(self.drawn(named.matching_cards(meant))),
                },
                PersonInput::Nothing | PersonInput::Auto => screen.refuse(SUIT_EXPECTED)?,
            }
        }
    }

    /// Asks for the cards that a card takes, as long as there are any to choose.
    fn captured(
        &mut self,
        card: Card,
        undo: UndoEffect,
        screen: &mut Screen<'_>,
    ) -> io::Result<ChoiceResult<Move>> {
        let mut selection = CaptureSelection::new(card, self.request.view.table);
        while selection.can_grow() {
            let words = words(selection.unchosen_cards());
            let text = match selection.chosen().is_empty() {
                true => format!("{card} takes> "),
                false => format!("{card} takes {}> ", selection.chosen()),
            };
            match screen.ask(LinePrompt { text: &text, words: &words, help: HELP })? {
                PersonInput::Quit => return Ok(ChoiceResult::Quit),
                PersonInput::Nothing => match selection.complete() {
                    Ok(mv) => return Ok(ChoiceResult::This(mv)),
                    Err(illegal) => screen.refuse(&illegal.to_string())?,
                },
                PersonInput::Auto => return Ok(ChoiceResult::This(selection.best())),
                PersonInput::Hint => {
                    let best = selection.best().captured - selection.chosen();
                    screen.tell(&format!("greedy would take {best}\n"))?;
                }
                PersonInput::Undo => match (selection.undo(), undo) {
                    (true, _) => {}
                    (false, UndoEffect::ToCard) => return Ok(ChoiceResult::Again),
                    (false, UndoEffect::ToNothing) => {
                        screen.refuse("nothing is chosen yet: the card is your only one")?;
                    }
                },
                PersonInput::Choice(text) => match (text.parse::<PartialCard>(), readings(&text)) {
                    (Ok(named), _) => {
                        if let Err(why) = self.add(&mut selection, named) {
                            screen.refuse(&why)?;
                        }
                    }
                    (Err(_), Ok(readings)) => match self.added(&selection, &readings) {
                        Ok(CaptureInput::Cards(added)) => selection = added,
                        Ok(CaptureInput::Move(mv)) => return Ok(ChoiceResult::This(mv)),
                        Err(why) => screen.refuse(&why)?,
                    },
                    (Err(error), Err(_)) => screen.refuse(&error.to_string())?,
                },
            }
        }
        // A choice that cannot grow is a capture, or no card.
        Ok(ChoiceResult::This(selection.best()))
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
    fn drawn(&mut self, cards: CardSet) -> ChoiceResult<Card> {
        self.draw(cards).map_or(ChoiceResult::Again, ChoiceResult::This)
    }

    fn hint(&self) -> String {
        match Greedy.choose(self.request) {
            Ok(mv) => {
                let reason = Tablic::reason(&mv, self.request);
                match mv.captured.is_empty() {
                    true => format!("greedy would lay down {}: {reason}\n", mv.card),
                    false => {
                        format!("greedy would take {} with {}: {reason}\n", mv.captured, mv.card)
                    }
                }
            }
            Err(error) => format!("greedy {error}\n"),
        }
    }
}

/// The 2 of clubs or the 10 of diamonds, if it is one of these cards of one rank, and the others.
fn special_of(cards: CardSet) -> Option<(Card, CardSet)> {
    let of_rank =
        |card: &Card| PartialCard { rank: card.rank(), suit: None }.matching_cards(CardSet::PACK);
    let special = cards.iter().find(|card| equivalent(*card, of_rank(card)).len() == 1)?;
    Some((special, cards - CardSet::single(special)))
}

/// The card of this rank that a text names by its suit, with its rank or without.
fn of_rank(rank: Rank, text: &str) -> Result<PartialCard, String> {
    if let Some(suit) = suit(text) {
        return Ok(PartialCard { rank, suit: Some(suit) });
    }
    let named = text.parse::<PartialCard>().map_err(|_| SUIT_EXPECTED.to_owned())?;
    if named.rank != rank {
        return Err(format!("{named} is not of rank {}; {SUIT_EXPECTED}", rank.name()));
    }
    named.suit.map(|_| named).ok_or_else(|| SUIT_EXPECTED.to_owned())
}

fn not_in_hand(named: PartialCard) -> String {
    match named.suit {
        Some(_) => format!("{named} is not in the hand"),
        None => format!("no {named} is in the hand"),
    }
}

fn words(cards: CardSet) -> Vec<String> {
    cards.iter().map(|card| card.to_string()).chain(PersonCommand::words()).collect()
}

impl MoveChoice<'_> {
    /// The move in a line: the card to play, and all cards that it takes.
    fn read_whole_move(
        &mut self,
        readings: &[Vec<PartialCard>],
        screen: &mut Screen<'_>,
    ) -> io::Result<ChoiceResult<Move>> {
        let mut moves = Vec::new();
        let mut refusal = None;
        for reading in readings {
            let Some((named, taken)) = reading.split_first() else { continue };
            let card = match self.card_to_play(*named, taken, screen)? {
                Ok(ChoiceResult::This(card)) => card,
                Ok(ChoiceResult::Again) => return Ok(ChoiceResult::Again),
                Ok(ChoiceResult::Quit) => return Ok(ChoiceResult::Quit),
                Err(why) => {
                    refusal.get_or_insert(why);
                    continue;
                }
            };
            match self.takes(CaptureSelection::new(card, self.request.view.table), taken) {
                Ok(selection) => moves.extend(selection.complete()),
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
        match one_of(moves, refusal) {
            Ok(mv) => return Ok(ChoiceResult::This(mv)),
            Err(why) => screen.refuse(&why)?,
        }
        Ok(ChoiceResult::Again)
    }

    /// The card of the hand that begins a whole move, if it is there. The person is asked for its suit only
    /// if the rest can be played.
    fn card_to_play(
        &mut self,
        named: PartialCard,
        taken: &[PartialCard],
        screen: &mut Screen<'_>,
    ) -> io::Result<Result<ChoiceResult<Card>, String>> {
        let meant = named.matching_cards(self.request.view.hand);
        let Some(any) = meant.first() else { return Ok(Err(not_in_hand(named))) };
        // All cards of a rank take the same.
        if let Err(why) = self.takes(CaptureSelection::new(any, self.request.view.table), taken) {
            return Ok(Err(why));
        }
        self.one_of(named, screen).map(Ok)
    }

    /// The selection with the cards of a line.
    fn added(
        &mut self,
        selection: &CaptureSelection,
        readings: &[Vec<PartialCard>],
    ) -> Result<CaptureInput, String> {
        let card = selection.card;
        let is_whole = |reading: &&Vec<PartialCard>| {
            reading
                .first()
                .is_some_and(|first| first.rank == card.rank() && first.suit == Some(card.suit()))
        };
        if let Some(whole) = readings.iter().find(is_whole) {
            let anew = CaptureSelection::new(card, self.request.view.table);
            let selection = self.takes(anew, &whole[1..])?;
            return selection
                .complete()
                .map(CaptureInput::Move)
                .map_err(|illegal| illegal.to_string());
        }
        let mut added = Vec::new();
        let mut refusal = None;
        for reading in readings {
            let mut selection = selection.clone();
            match self.add_all(&mut selection, reading) {
                Ok(()) => added.push(selection),
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
        one_of(added, refusal).map(CaptureInput::Cards)
    }

    /// A selection with these cards, which must be a capture.
    fn takes(
        &mut self,
        mut selection: CaptureSelection,
        taken: &[PartialCard],
    ) -> Result<CaptureSelection, String> {
        self.add_all(&mut selection, taken)?;
        selection.complete().map(|_| selection).map_err(|illegal| illegal.to_string())
    }

    /// Adds cards to a selection, those with their suits first: they leave no choice.
    fn add_all(
        &mut self,
        selection: &mut CaptureSelection,
        cards: &[PartialCard],
    ) -> Result<(), String> {
        let with_suit = cards.iter().filter(|named| named.suit.is_some());
        let without = cards.iter().filter(|named| named.suit.is_none());
        with_suit.chain(without).try_for_each(|named| self.add(selection, *named))
    }

    /// Adds a card of the table to a selection, or names the reason why it cannot.
    fn add(&mut self, selection: &mut CaptureSelection, named: PartialCard) -> Result<(), String> {
        let found = selection.find(named)?;
        self.draw(found).map_or(Ok(()), |card| selection.add(card))
    }
}

/// The only one of some, or the reason why there is none.
fn one_of<T: PartialEq>(mut found: Vec<T>, refusal: Option<String>) -> Result<T, String> {
    found.dedup();
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => {
            Err("that can be read in two ways: put commas between the cards".to_owned())
        }
        (None, _) => Err(refusal.unwrap_or_else(|| "expected cards".to_owned())),
    }
}

/// A choice that can still become a capture: any other card is refused at once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct CaptureSelection {
    card: Card,
    table: CardSet,
    /// In the order in which they were chosen.
    chosen: Vec<Card>,
}

impl CaptureSelection {
    fn new(card: Card, table: CardSet) -> CaptureSelection {
        CaptureSelection { card, table, chosen: Vec::new() }
    }

    fn chosen(&self) -> CardSet {
        self.chosen.iter().copied().collect()
    }

    /// The cards of the table that are not chosen.
    fn unchosen_cards(&self) -> CardSet {
        self.table - self.chosen()
    }

    /// Returns true if a capture holds more cards than are chosen.
    fn can_grow(&self) -> bool {
        self.best().captured != self.chosen()
    }

    /// The best of all captures that hold the chosen cards, as greedy would choose it.
    fn best(&self) -> Move {
        let chosen = self.chosen();
        let best = best_including(self.card.rank(), self.table, chosen);
        Move { card: self.card, captured: best.unwrap_or(chosen) }
    }

    /// The move that takes the chosen cards.
    fn complete(&self) -> Result<Move, IllegalMove> {
        let (card, captured) = (self.card, self.chosen());
        match may_capture(card.rank(), captured) {
            true => Ok(Move { card, captured }),
            false => Err(IllegalMove::NoSplit { card, captured }),
        }
    }

    /// The cards that a name fits, of those that are left; or why there are none.
    fn find(&self, named: PartialCard) -> Result<CardSet, String> {
        let found = named.matching_cards(self.unchosen_cards());
        match (found.is_empty(), named.matching_cards(self.chosen()).is_empty(), named.suit) {
            (false, _, _) => Ok(found),
            (true, false, Some(_)) => Err(format!("{named} is chosen already")),
            (true, false, None) => Err(format!("no other {named} is on the table")),
            (true, true, Some(_)) => Err(format!("{named} is not on the table")),
            (true, true, None) => Err(format!("no {named} is on the table")),
        }
    }

    /// Adds a card, or names the reason if no capture holds it with the others.
    fn add(&mut self, card: Card) -> Result<(), String> {
        let captured = self.chosen() | CardSet::single(card);
        if best_including(self.card.rank(), self.table, captured).is_none() {
            let illegal = IllegalMove::NoSplit { card: self.card, captured };
            return Err(format!("{illegal}, no matter what else is taken"));
        }
        self.chosen.push(card);
        Ok(())
    }

    /// Takes the last card back, and returns true if there was one.
    fn undo(&mut self) -> bool {
        self.chosen.pop().is_some()
    }
}
