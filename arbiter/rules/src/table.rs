//! A game behind text: the object-safe façade through which the referee plays any game.
//!
//! Everything above this line of the program is compiled once and knows no game. Search and
//! simulation stay below it, on the typed side.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;

use crate::answer::Refusal;
use crate::cause::{Verdict, VoidCause};
use crate::dialect::ClassicCall;
use crate::game::{
    Entry, Game, HistoryLine, ImpossibleChance, ListCompleteness, Request, RequestHeading, Secret,
    Turn, public_lines,
};
use crate::request_text::RequestText;
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::Nature;
use crate::subject::SentenceSubject;
use crate::text::{NotText, Text};

/// A game with its history, spoken to in text.
pub(crate) trait Table: Send {
    fn seats(&self) -> usize;
    fn turn(&self) -> Turn;
    /// The fault of rules that are not compiled in, once they have one; the game ends with it.
    fn fault(&self) -> Option<VoidCause> {
        None
    }
    /// What nature can decide, where a log keeps it.
    fn pool(&self) -> Option<String> {
        None
    }
    fn request(&self, heading: RequestHeading) -> String;
    /// The request in the classic dialect, where the game has it.
    fn classic(&self, heading: RequestHeading) -> Option<Box<dyn ClassicCall>>;
    fn legal_moves(&self) -> (Vec<String>, ListCompleteness);
    fn sample(&self, nature: &mut Nature) -> Option<String>;
    fn happen(&mut self, chance: &str) -> Result<(), ImpossibleChance>;
    fn play(&mut self, mv: &str) -> Result<(), Refusal>;
    /// Checks a move without playing it.
    fn check(&self, mv: &str) -> Result<(), Refusal>;
    /// The lines of the history from one on, as a seat saw them; the number counts all lines.
    fn history_of(&self, seat: Seat, from: usize) -> Vec<String>;
    /// The lines from one on as running text for people, as one seat saw them.
    fn narrate_to(&self, seat: Seat, from: usize, names: &PerSeat<String>) -> String;
    /// Plays what the rules force, if they do.
    fn play_forced(&mut self) -> bool;
    /// Plays what the house plays, if a seat is to move.
    fn play_fallback(&mut self) -> bool;
    fn rule_out(&mut self, seat: Seat, verdict: Verdict);
    /// The text of the move that was played last, in its one spelling.
    fn last_move(&self) -> Option<String>;
    fn points_so_far(&self, seat: Seat) -> Score;
    fn contends(&self, seat: Seat) -> bool;
    fn walkover(&self, seat: Seat) -> Score;
    /// Number of lines that the history has.
    fn history_len(&self) -> usize;
    /// Every line of the history from one on, as the referee sees it.
    fn history(&self, from: usize) -> Vec<String>;
    /// The lines from one on, each with the form that every seat saw.
    fn history_lines(&self, from: usize) -> Vec<HistoryLine>;
    /// The lines of the view that a seat has now.
    fn view(&self, seat: Seat) -> String;
    /// The lines of the view that all seats have in common.
    fn public_view(&self) -> String;
    /// Returns true if one of these lines says that a seat is out.
    fn has_out_line(&self, from: usize) -> bool;
    /// The lines from one on as running text for people.
    fn narrate(&self, from: usize, names: &PerSeat<String>) -> String;
}

/// A new game, or what is wrong with the options.
pub(crate) fn open<G: Game>(options: &str) -> Result<Box<dyn Table>, NotText> {
    let options: G::Options = options.parse()?;
    let game = G::new(&options);
    let (history, events, seen) = (Vec::new(), Vec::new(), RefCell::default());
    Ok(Box::new(TypedTable { game, options, history, events, last_move: None, seen }))
}

struct TypedTable<G: Game> {
    game: G,
    options: G::Options,
    history: Vec<Entry<G::Event>>,
    /// Room for the events of one input.
    events: Vec<G::Event>,
    last_move: Option<G::Move>,
    /// The text that each seat has seen which was asked.
    seen: RefCell<BTreeMap<Seat, SeenHistory>>,
}

/// A history as one seat has seen it, as far as it was written.
#[derive(Default)]
struct SeenHistory {
    /// Number of entries looked at.
    entries: usize,
    lines: usize,
    text: String,
}

impl SeenHistory {
    /// Writes what is new in a history, of which this is the beginning.
    fn extend<E: Text + Secret + Clone>(&mut self, history: &[Entry<E>], seat: Seat) {
        for entry in history[self.entries..].iter().filter_map(|entry| entry.seen_by(seat)) {
            // Writing to a string does not fail.
            let _ = writeln!(self.text, "{entry}");
            self.lines += 1;
        }
        self.entries = history.len();
    }
}

impl<G: Game> TypedTable<G> {
    fn keep_events(&mut self) {
        self.history.extend(self.events.drain(..).map(Entry::Event));
    }

    fn request(&self, heading: RequestHeading) -> Request<G> {
        let seat = heading.seat;
        let mut legal = Vec::new();
        let listing = self.game.legal_moves(&mut legal);
        Request {
            options: self.options.clone(),
            heading,
            view: self.game.view(seat),
            history: self.history.iter().filter_map(|entry| entry.seen_by(seat)).collect(),
            legal,
            listing,
        }
    }

    fn play_own(&mut self, mv: Option<G::Move>) -> bool {
        let Some(mv) = mv else { return false };
        let played = self.game.play(&mv, &mut self.events).is_ok();
        self.keep_events();
        self.last_move = Some(mv);
        played
    }
}

impl<G: Game> Table for TypedTable<G> {
    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn request(&self, heading: RequestHeading) -> String {
        let mut legal = Vec::new();
        let listing = self.game.legal_moves(&mut legal);
        let mut seen = self.seen.borrow_mut();
        let seen = seen.entry(heading.seat).or_default();
        seen.extend(&self.history, heading.seat);
        RequestText {
            game: G::NAME,
            options: &self.options,
            heading: &heading,
            view: &self.game.view(heading.seat).to_string(),
            history_lines: seen.lines,
            history: &seen.text,
            legal: &legal,
            listing,
        }
        .text()
    }

    fn classic(&self, heading: RequestHeading) -> Option<Box<dyn ClassicCall>> {
        G::classic(&self.request(heading))
    }

    fn legal_moves(&self) -> (Vec<String>, ListCompleteness) {
        let mut moves = Vec::new();
        let listing = self.game.legal_moves(&mut moves);
        (moves.iter().map(ToString::to_string).collect(), listing)
    }

    fn sample(&self, nature: &mut Nature) -> Option<String> {
        self.game.sample(nature).map(|chance| chance.to_string())
    }

    fn happen(&mut self, text: &str) -> Result<(), ImpossibleChance> {
        let chance: G::Chance =
            text.parse().map_err(|error: NotText| ImpossibleChance(error.to_string()))?;
        // A log has one spelling, though the reader of texts is more tolerant.
        if chance.to_string() != text {
            return Err(ImpossibleChance(format!("`{text}` is spelt `{chance}`")));
        }
        self.game.happen(&chance, &mut self.events)?;
        self.keep_events();
        Ok(())
    }

    fn play(&mut self, mv: &str) -> Result<(), Refusal> {
        let mv: G::Move = mv.parse()?;
        let played = self.game.play(&mv, &mut self.events);
        played.map_err(|illegal| Refusal::Illegal(illegal.to_string()))?;
        self.keep_events();
        self.last_move = Some(mv);
        Ok(())
    }

    fn check(&self, mv: &str) -> Result<(), Refusal> {
        let mv: G::Move = mv.parse()?;
        self.game.check(&mv).map_err(|illegal| Refusal::Illegal(illegal.to_string()))
    }

    fn play_forced(&mut self) -> bool {
        let forced = self.game.forced();
        self.play_own(forced)
    }

    fn play_fallback(&mut self) -> bool {
        let fallback = self.game.fallback();
        self.play_own(fallback)
    }

    fn rule_out(&mut self, seat: Seat, verdict: Verdict) {
        self.history.push(Entry::Out(seat, verdict));
    }

    fn last_move(&self) -> Option<String> {
        self.last_move.as_ref().map(ToString::to_string)
    }

    fn points_so_far(&self, seat: Seat) -> Score {
        self.game.points_so_far(seat)
    }

    fn contends(&self, seat: Seat) -> bool {
        self.game.contends(seat)
    }

    fn walkover(&self, seat: Seat) -> Score {
        self.game.walkover(seat)
    }

    fn history_len(&self) -> usize {
        self.history.len()
    }

    fn history(&self, from: usize) -> Vec<String> {
        self.history.iter().skip(from).map(ToString::to_string).collect()
    }

    fn history_of(&self, seat: Seat, from: usize) -> Vec<String> {
        let seen = self.history.iter().skip(from).filter_map(|entry| entry.seen_by(seat));
        seen.map(|entry| entry.to_string()).collect()
    }

    fn history_lines(&self, from: usize) -> Vec<HistoryLine> {
        self.history.iter().skip(from).map(HistoryLine::new).collect()
    }

    fn view(&self, seat: Seat) -> String {
        self.game.view(seat).to_string()
    }

    fn public_view(&self) -> String {
        Seat::first(1).next().map_or_else(String::new, |seat| public_lines(&self.game, seat))
    }

    fn has_out_line(&self, from: usize) -> bool {
        self.history.iter().skip(from).any(|entry| matches!(entry, Entry::Out(..)))
    }

    fn narrate(&self, from: usize, names: &PerSeat<String>) -> String {
        self.history.iter().skip(from).map(|entry| narrated(&self.game, entry, names)).collect()
    }

    fn narrate_to(&self, seat: Seat, from: usize, names: &PerSeat<String>) -> String {
        let seen = self.history.iter().skip(from).filter_map(|entry| entry.seen_by(seat));
        seen.map(|entry| narrated(&self.game, &entry, names)).collect()
    }
}

fn narrated<G: Game>(game: &G, entry: &Entry<G::Event>, names: &PerSeat<String>) -> String {
    match entry {
        Entry::Event(event) => game.narrate(event, names),
        Entry::Out(seat, verdict) => narrated_out(*seat, *verdict, names),
    }
}

/// The line of a seat that is out as running text for people.
pub(crate) fn narrated_out(seat: Seat, verdict: Verdict, names: &PerSeat<String>) -> String {
    let voice = SentenceSubject::new(&names[seat]);
    format!("{} {} out: {verdict}\n", voice.subject(), voice.verb("be"))
}
