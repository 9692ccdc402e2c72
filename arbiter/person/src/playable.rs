//! What a game needs so that a person can play it: by its types, and behind text.

use std::io;
use std::marker::PhantomData;

use bots::Players;
use rules::wire::NotRequest;
use rules::{Listing, PerSeat, Request, Seat};
use text::system_error;

use crate::command::PersonDecision;
use crate::custom_view::SeenGame;
use crate::move_list::{MoveChoices, choose};
use crate::offered_moves::{MoveHint, OfferedMove, OfferedMoves};
use crate::reveal::FinishedGame;
use crate::screen::Screen;

const HELP: &str = "\
Choose a move by number, by the first letters of its text, or by card.
It is played immediately and cannot be undone, even if one letter was enough.
  hint      the move greedy would play, and why
  auto      let greedy choose this move
  history   the moves so far
  rules     a summary of the rules
  quit      leave the game
";

/// A game that a person can play: from a list of moves, unless it asks for them otherwise.
pub(crate) trait Playable: Players {
    /// The game as the person on a seat sees it: some lines.
    fn situation(view: &Self::View, seat: Seat, names: &PerSeat<String>) -> String;

    /// The question, if it is not a matter of course: a line above the list.
    fn question(_request: &Request<Self>, _names: &PerSeat<String>) -> String {
        String::new()
    }

    /// A move in plain words, which begin with a verb.
    fn in_words(mv: &Self::Move, request: &Request<Self>, names: &PerSeat<String>) -> String;

    /// Why `greedy` plays this move, in a few words.
    fn reason(mv: &Self::Move, request: &Request<Self>) -> String;

    /// The cards of a game that is over that were hidden from the person, in whole lines.
    fn revealed(game: &FinishedGame<'_>) -> String;

    /// Asks a person for a move; `text` is the request as it was sent.
    fn decide(
        request: &Request<Self>,
        text: &str,
        names: &PerSeat<String>,
        screen: &mut Screen<'_>,
    ) -> io::Result<PersonDecision> {
        decide_from_list(request, text, names, screen)
    }
}

/// A game that a person can play, behind text.
pub(crate) trait PlayableText {
    /// The game as the person on a seat sees it, from what that seat knows.
    fn situation(&self, seen: &SeenGame<'_>, seat: Seat, names: &PerSeat<String>) -> String;

    /// The question and the choices of a request.
    fn offered(&self, request: &str, names: &PerSeat<String>) -> Result<OfferedMoves, NotRequest>;

    /// The move of the built-in `greedy`, or the reason why there is none.
    fn hint(&self, request: &str) -> Result<MoveHint, String>;

    /// What was hidden in a game that is over, in whole lines.
    fn revealed(&self, game: &FinishedGame<'_>) -> String;

    /// Asks a person for a move.
    fn decide(
        &self,
        request: &str,
        names: &PerSeat<String>,
        screen: &mut Screen<'_>,
    ) -> Result<PersonDecision, String>;
}

impl<G: Playable> PlayableText for PhantomData<G> {
    fn situation(&self, seen: &SeenGame<'_>, seat: Seat, names: &PerSeat<String>) -> String {
        // A view is always text of a view; without one there is nothing to see.
        seen.view
            .join("\n")
            .parse()
            .map(|view| G::situation(&view, seat, names))
            .unwrap_or_default()
    }

    fn offered(&self, request: &str, names: &PerSeat<String>) -> Result<OfferedMoves, NotRequest> {
        let request: Request<G> = request.parse()?;
        let offered = |mv: &G::Move| OfferedMove {
            text: mv.to_string(),
            words: sentence(&G::in_words(mv, &request, names)),
        };
        Ok(OfferedMoves {
            question: G::question(&request, names).trim_end().to_owned(),
            moves: request.legal.iter().map(offered).collect(),
            has_more: request.listing == Listing::Cut,
        })
    }

    fn hint(&self, request: &str) -> Result<MoveHint, String> {
        let request: Request<G> = request.parse().map_err(|error: NotRequest| error.to_string())?;
        let mv = greedy_move(&request)?;
        Ok(MoveHint { text: mv.to_string(), reason: G::reason(&mv, &request) })
    }

    fn revealed(&self, game: &FinishedGame<'_>) -> String {
        G::revealed(game)
    }

    fn decide(
        &self,
        request: &str,
        names: &PerSeat<String>,
        screen: &mut Screen<'_>,
    ) -> Result<PersonDecision, String> {
        let read: Request<G> = request.parse().map_err(unread)?;
        G::decide(&read, request, names, screen).map_err(unasked)
    }
}

/// Why a person gave no answer: the request cannot be read.
pub(crate) fn unread(error: NotRequest) -> String {
    format!("the request cannot be read: {error}")
}

/// Why a person gave no answer: the terminal is gone.
pub(crate) fn unasked(error: io::Error) -> String {
    format!("the person cannot be asked: {}", system_error(error))
}

/// A sentence from words that begin with a verb.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let capital: String = first.into_iter().chain(letters).collect();
    format!("{capital}.")
}

/// Asks a person for a move; `text` is the request as it was sent.
fn decide_from_list<G: Playable>(
    request: &Request<G>,
    text: &str,
    names: &PerSeat<String>,
    screen: &mut Screen<'_>,
) -> io::Result<PersonDecision> {
    let moves: Vec<String> = request.legal.iter().map(ToString::to_string).collect();
    let situation = G::situation(&request.view, request.heading.seat, names);
    let question = G::question(request, names);
    let board = format!("{situation}{question}{}", list(request, &moves, names));
    let hint = || greedy_hint(request);
    let auto = || greedy_move(request).map(|mv| mv.to_string());
    choose(
        &MoveChoices { board, moves: &moves, help: HELP, hint: &hint, auto: &auto },
        text,
        screen,
    )
}

fn list<G: Playable>(request: &Request<G>, moves: &[String], names: &PerSeat<String>) -> String {
    let width = moves.iter().map(String::len).max().unwrap_or(0);
    let lines = (1..).zip(moves).zip(&request.legal);
    lines
        .map(|((number, text), mv)| {
            format!("  {number:2}  {text:width$}  {}\n", G::in_words(mv, request, names))
        })
        .collect()
}

fn greedy_hint<G: Playable>(request: &Request<G>) -> String {
    match greedy_move(request) {
        Ok(mv) => format!("greedy would play {mv}: {}\n", G::reason(&mv, request)),
        Err(why) => format!("{why}\n"),
    }
}

/// The move of the built-in `greedy`, or the reason why there is none.
fn greedy_move<G: Playable>(request: &Request<G>) -> Result<G::Move, String> {
    let mut greedy = G::player("greedy", &[]).map_err(|error| error.to_string())?;
    greedy.choose(request).map_err(|error| format!("greedy {error}"))
}
