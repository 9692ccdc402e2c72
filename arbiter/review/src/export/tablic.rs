//! The features `greedy` and `minimax` of Tablić, with a column for each of the 15 classes of cards: 13
//! ranks, with the 2 of clubs and the 10 of diamonds apart. The request to a seat is rebuilt from the log.

use bots::tablic::classes::{Class, ClassCounts, ClassSet};
use bots::tablic::minimax::Knowledge;
use rules::replay::{Discrepancy, RecordPlace, replay};
use rules::tablic::{Deal, Event, Move, Tablic};
use rules::{
    CardSet, Entry, Game, GameRecord, ListCompleteness, NotText, Request, RequestHeading, Seat,
};

use crate::export::rows::{Cell, Row};
use series::Series;

/// The hand and the table.
pub(super) fn greedy_columns() -> Vec<String> {
    let hand = class_columns("hand");
    hand.chain(class_columns("table")).chain(["played".to_owned()]).collect()
}

pub(super) fn greedy_row(request: &Request<Tablic>, mv: Move) -> Option<Row> {
    let view = &request.view;
    let mut row: Row = class_flags(ClassCounts::count(view.hand).classes()).collect();
    row.extend(class_counts(view.table));
    row.push(class_number(Class::new(mv.card)));
    Some(row)
}

/// The state of the game, and what the player knows and assumes of the other hands.
pub(super) fn minimax_columns(seats: usize) -> Vec<String> {
    let of_seats = |prefix: &'static str| (0..seats).map(move |seat| format!("{prefix}_{seat}"));
    let mut columns = vec!["seats".to_owned(), "seat".to_owned()];
    columns.extend(of_seats("points").chain(of_seats("cards")));
    columns.push("last".to_owned());
    columns.extend(class_columns("known"));
    columns.extend((1..seats).flat_map(|other| class_columns(&format!("lacks_{other}"))));
    columns.extend(class_columns("hand").chain(class_columns("table")));
    columns.push("played".to_owned());
    columns.extend(class_columns("captured"));
    columns
}

/// The row of a move; `None` if the request contradicts itself.
pub(super) fn minimax_row(request: &Request<Tablic>, mv: Move) -> Option<Row> {
    let (view, seat) = (&request.view, request.heading.seat);
    let knowledge = Knowledge::read(request)?;
    let mut row = vec![Cell::Number(view.points.count() as u64), seat.into()];
    row.extend(
        [&view.points, &view.cards]
            .iter()
            .flat_map(|of_seats| of_seats.values())
            .map(|number| Cell::from(*number)),
    );
    row.push(view.last.map_or(Cell::Nothing, Cell::from));
    row.extend(class_counts(CardSet::PACK - knowledge.unseen()));
    let others = view.points.seats().filter(|other| *other != seat);
    row.extend(others.flat_map(|other| class_flags(knowledge.assumed(other))));
    row.extend(class_counts(view.hand));
    row.extend(class_counts(view.table));
    row.push(class_number(Class::new(mv.card)));
    row.extend(class_counts(mv.captured));
    Some(row)
}

/// The name of a column for each class: `hand_A`, `hand_2` and so on.
fn class_columns(prefix: &str) -> impl Iterator<Item = String> + use<> {
    let prefix = prefix.to_owned();
    Class::all().map(move |class| format!("{prefix}_{}", class_name(class)))
}

fn class_counts(cards: CardSet) -> impl Iterator<Item = Cell> {
    let counts = ClassCounts::count(cards);
    Class::all().map(move |class| counts.get(class).into())
}

/// 1 for each class of a set, 0 for the others.
fn class_flags(classes: ClassSet) -> impl Iterator<Item = Cell> {
    Class::all().map(move |class| u32::from(classes.contains(class)).into())
}

/// The number of a class, from 0.
fn class_number(class: Class) -> Cell {
    Cell::Number(class.index() as u64)
}

fn class_name(class: Class) -> String {
    match class {
        Class::TWO_OF_CLUBS => "2C".to_owned(),
        Class::TEN_OF_DIAMONDS => "10D".to_owned(),
        other => other.rank().name().to_owned(),
    }
}

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
            heading: RequestHeading {
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
            listing: ListCompleteness::Cut,
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
    Discrepancy { place: RecordPlace::Event(event), problem: problem.to_string() }
}
