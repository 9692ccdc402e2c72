//! What a game needs so that a person can play it: by its types, and behind text.

use std::io;
use std::marker::PhantomData;

use bots::Players;
use games::{GameFiles, ViewKeys};
use rules::replay::replay;
use rules::request_text::NotRequest;
use rules::{GameRecord, ListCompleteness, PerSeat, Referee, Request, Score, Seat};
use series::Series;
use text::system_error;

use crate::custom_view::SeenGame;
use crate::move_list::{MoveHint, MovePrompt, OfferedMove, OfferedMoves, choose};
use crate::screen::{PersonDecision, Screen};

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
            has_more: request.listing == ListCompleteness::Cut,
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
        let read: Request<G> = request.parse().map_err(unreadable_request)?;
        G::decide(&read, request, names, screen).map_err(unasked)
    }
}

/// Why a person gave no answer: the request cannot be read.
pub(crate) fn unreadable_request(error: NotRequest) -> String {
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
    choose(&MovePrompt { board, moves: &moves, help: HELP, hint: &hint, auto: &auto }, text, screen)
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

/// A game that is over, for the person on a seat.
pub(crate) struct FinishedGame<'a> {
    series: &'a Series,
    pub game: &'a GameRecord,
    pub own: Seat,
    pub names: PerSeat<String>,
}

impl FinishedGame<'_> {
    pub(crate) fn new<'a>(series: &'a Series, game: &'a GameRecord, own: Seat) -> FinishedGame<'a> {
        FinishedGame { series, game, own, names: PerSeat::from(game.seats.clone()) }
    }

    /// The views of all seats in the end.
    pub(crate) fn views(&self) -> PerSeat<String> {
        last_views(self.series, self.game, &self.names)
    }

    /// The view in the end as all seats have it.
    pub(crate) fn public_view(&self) -> String {
        let mut view = String::new();
        in_the_end(self.series, self.game, |referee| view = referee.public_view());
        view
    }
}

/// The cards that each seat holds in the end, as words in the order of seats.
pub fn hands(series: &Series, game: &GameRecord) -> Vec<Vec<String>> {
    let views = last_views(series, game, &PerSeat::from(game.seats.clone()));
    let own = GameFiles::for_game(series.kind()).map(|files| files.view().clone());
    let built_in = || ViewKeys { hand: vec!["hand".to_owned()], ..ViewKeys::default() };
    let keys = own.unwrap_or_else(built_in);
    let is_hand = |line: &&str| line.split(' ').next().is_some_and(|key| keys.is_own_hand(key));
    let hand = |view: &String| {
        let words = view.lines().filter(is_hand).flat_map(|line| line.split(' ').skip(1));
        words.map(str::to_owned).collect()
    };
    views.values().iter().map(hand).collect()
}

/// A sentence that says if the person on a seat has won or lost; nothing if the game does not count.
pub fn outcome_sentence(game: &GameRecord, own: Seat) -> Option<String> {
    let scores = game.result.scores().filter(|scores| scores.has(own))?;
    let (mine, best) = (scores[own], scores.values().iter().max()?);
    let is_like_mine = |(seat, score): &(Seat, &Score)| *seat != own && **score == mine;
    let equals: Vec<Seat> = scores.iter().filter(is_like_mine).map(|(seat, _)| seat).collect();
    Some(if mine < *best {
        "You lost.".to_owned()
    } else if equals.is_empty() {
        "You won.".to_owned()
    } else if equals.len() + 1 == scores.count() {
        "Draw: no one won.".to_owned()
    } else {
        let names = PerSeat::from(game.seats.clone());
        let names =
            equals.iter().filter(|seat| names.has(**seat)).map(|seat| names[*seat].as_str());
        format!("You won, together with {}.", names.collect::<Vec<_>>().join(" and "))
    })
}

fn last_views(series: &Series, game: &GameRecord, names: &PerSeat<String>) -> PerSeat<String> {
    let mut views = names.map(|_, _| String::new());
    in_the_end(series, game, |referee| views = names.map(|seat, _| referee.view(seat)));
    views
}

fn in_the_end(series: &Series, game: &GameRecord, mut look: impl FnMut(&Referee)) {
    // It was played just now; what a replay could find is for `verify`.
    let _ = replay(series.setup(game, None), game, |referee| {
        if referee.history_len() == game.events.len() {
            look(referee);
        }
    });
}
