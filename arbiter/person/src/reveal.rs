//! The hidden cards of a game, shown from its record when it is over.

use games::{GameFiles, ViewKeys};
use rules::replay::replay;
use rules::{GameRecord, PerSeat, Referee, Score, Seat};

use series::Series;

/// A game that is over, for the person on a seat.
pub(crate) struct FinishedGame<'a> {
    series: &'a Series,
    pub game: &'a GameRecord,
    pub own: Seat,
    pub names: PerSeat<String>,
}

impl FinishedGame<'_> {
    /// A game of this series, for the person on this seat.
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

/// The views of all seats in the end.
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
