//! The request to a seat in a game of Tablić, rebuilt from its log.

use rules::replay::{Discrepancy, Place, replay};
use rules::tablic::{Deal, Event, Move, Tablic};
use rules::{Entry, Game, GameRecord, Heading, Listing, NotText, Request, Seat};

use crate::export::rows::Row;
use series::Series;

/// The rows of a game, each made from a request and the move.
///
/// `row` returns `None` for a position that contradicts itself, which cannot happen under the rules.
pub(super) fn rows(
    series: &Series,
    game: &GameRecord,
    row: impl Fn(&Request<Tablic>, Move) -> Option<Row>,
) -> Result<Vec<Row>, Discrepancy> {
    // From here on the events are known to follow from the inputs.
    replay(series.setup(game, None), game, |_| {})?;
    let mut progress = GameProgress::new(&series.header().options).map_err(|error| at(0, error))?;
    let mut rows = Vec::new();
    for (number, text) in game.events.iter().enumerate() {
        let entry: Entry<Event> = text.parse().map_err(|error| at(number, error))?;
        if let Entry::Event(Event::Move { seat, mv }) = entry
            && !progress.out.contains(&seat)
        {
            let made = row(&progress.request(game, seat), mv);
            rows.push(made.ok_or_else(|| at(number, "contradicts what came before"))?);
        }
        progress.take(text, entry).map_err(|problem| at(number, problem))?;
    }
    Ok(rows)
}

/// A game on its way through its log.
struct GameProgress {
    options: <Tablic as Game>::Options,
    game: Tablic,
    history: Vec<Entry<Event>>,
    /// The number of moves so far, including the moves of the house.
    moves: u32,
    /// The seats for which the house plays.
    out: Vec<Seat>,
}

impl GameProgress {
    fn new(options: &str) -> Result<GameProgress, NotText> {
        let options: <Tablic as Game>::Options = options.parse()?;
        let game = Tablic::new(&options);
        Ok(GameProgress { options, game, history: Vec::new(), moves: 0, out: Vec::new() })
    }

    /// The request to a seat now, without the legal moves, which no features need.
    fn request(&self, game: &GameRecord, seat: Seat) -> Request<Tablic> {
        Request {
            options: self.options,
            heading: Heading {
                id: game.id,
                seat,
                number: self.moves,
                time: 0,
                bank: None,
                seed: game.bot_seeds.seed(seat, self.moves),
                retry: None,
            },
            view: self.game.view(seat),
            history: self.history.iter().filter_map(|entry| entry.seen_by(seat)).collect(),
            legal: Vec::new(),
            listing: Listing::Cut,
        }
    }

    /// Plays the next line of the history.
    fn take(&mut self, text: &str, entry: Entry<Event>) -> Result<(), String> {
        let mut told = Vec::new();
        match entry {
            Entry::Out(seat, _) => self.out.push(seat),
            Entry::Event(Event::Deal { .. }) => {
                let deal: Deal = text.parse().map_err(|error: NotText| error.to_string())?;
                self.game.happen(&deal, &mut told).map_err(|error| error.to_string())?;
            }
            Entry::Event(Event::Move { mv, .. }) => {
                self.game.play(&mv, &mut told).map_err(|error| error.to_string())?;
                self.moves += 1;
            }
            Entry::Event(Event::Tabla(_) | Event::Rest { .. } | Event::Score { .. }) => {}
        }
        self.history.push(entry);
        Ok(())
    }
}

fn at(event: usize, problem: impl ToString) -> Discrepancy {
    Discrepancy { place: Place::Event(event), problem: problem.to_string() }
}
